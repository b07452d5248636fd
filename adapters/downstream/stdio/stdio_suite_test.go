package stdio_test

import (
	"io"
	"log/slog"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/tests/spec"
)

// scriptedServer is the path of the program that plays a script.
var scriptedServer string

func TestStdio(t *testing.T) { spec.Run(t, "The stdio transport") }

var _ = SynchronizedBeforeSuite(func() []byte {
	return []byte(spec.Build("mcp-workbench/tests/fixtures/scriptedserver"))
}, func(path []byte) { scriptedServer = string(path) })

// newTransport returns a transport whose log is shown when a spec fails.
func newTransport() *stdio.Transport { return loggingTo(GinkgoWriter) }

// loggingTo returns a transport that logs everything to a writer.
func loggingTo(writer io.Writer) *stdio.Transport {
	log := slog.New(slog.NewTextHandler(writer, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return stdio.New(mcpclient.Identity{Name: "workbench", Version: "test"}, nil, stdio.Place{}, log)
}
