package stdio_test

import (
	"io"
	"log/slog"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
	"github.com/onsi/gomega/gleak"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/stdio"
)

// scriptedServer is the path of the program that plays a script.
var scriptedServer string

// suite is what runs the specs; bubbles need it.
var suite *testing.T

func TestStdio(t *testing.T) {
	suite = t
	RegisterFailHandler(Fail)
	RunSpecs(t, "The stdio transport")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	DeferCleanup(func() { Eventually(gleak.Goroutines).WithTimeout(10 * time.Second).ShouldNot(gleak.HaveLeaked(before)) })
})

var _ = SynchronizedBeforeSuite(func() []byte {
	path, err := gexec.Build("mcp-workbench/tests/fixtures/scriptedserver")
	Expect(err).NotTo(HaveOccurred())
	return []byte(path)
}, func(path []byte) { scriptedServer = string(path) })

var _ = SynchronizedAfterSuite(func() {}, gexec.CleanupBuildArtifacts)

// newTransport returns a transport whose log is shown when a spec fails.
func newTransport() *stdio.Transport { return loggingTo(GinkgoWriter) }

// loggingTo returns a transport that logs everything to a writer.
func loggingTo(writer io.Writer) *stdio.Transport {
	log := slog.New(slog.NewTextHandler(writer, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return stdio.New(mcpclient.Identity{Name: "workbench", Version: "test"}, nil, log)
}
