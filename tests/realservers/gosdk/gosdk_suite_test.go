// Package gosdk_test runs the workbench over servers and below a host that are made with
// the official Go SDK. What that needs is a module of its own, in the folder server.
package gosdk_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestGoSDK(t *testing.T) { spec.Run(t, "Servers made with the Go SDK", "npm") }

// built is built once for all specs.
type built struct {
	Programs     json.RawMessage
	Server, Host string
	// Why says why there is neither, "" when there are.
	Why string
}

// workbench returns the path of the workbench.
func (b built) workbench() string {
	GinkgoHelper()
	var programs struct{ Workbench string }
	Expect(json.Unmarshal(b.Programs, &programs)).To(Succeed())
	return programs.Workbench
}

var server built

var _ = SynchronizedBeforeSuite(func() []byte {
	programs := built{Programs: Build()}
	programs.Server, programs.Host, programs.Why = build()
	return spec.Must(json.Marshal(programs))
}, func(shared []byte) {
	Expect(json.Unmarshal(shared, &server)).To(Succeed())
	UsePrograms(server.Programs)
})

var _ = SynchronizedAfterSuite(func() {}, func() {
	Expect(os.RemoveAll(filepath.Dir(server.Server))).To(Succeed())
})

// build builds the server and the host, unless the modules that they need cannot be
// downloaded here.
func build() (serverPath, hostPath, why string) {
	GinkgoHelper()
	if output, err := inModule("go", "mod", "download"); err != nil {
		if os.Getenv("WORKBENCH_REQUIRE_GO_SDK") == "1" || !isOffline(output) {
			Fail("go mod download: " + output)
		}
		return "", "", "the module proxy cannot be reached: " + output
	}
	directory := spec.Must(os.MkdirTemp("", "gosdk"))
	output, err := inModule("go", "build", "-o", directory, ".", "./host")
	Expect(err).NotTo(HaveOccurred(), output)
	return filepath.Join(directory, "server"), filepath.Join(directory, "host"), ""
}

func inModule(name string, args ...string) (printed string, err error) {
	command := exec.Command(name, args...)
	command.Dir = "server"
	output, err := command.CombinedOutput()
	return string(output), err
}

// isOffline reports whether the go command failed for want of a network.
func isOffline(output string) bool {
	for _, sign := range []string{"dial tcp", "no such host", "connection refused", "i/o timeout", "module lookup disabled"} {
		if strings.Contains(output, sign) {
			return true
		}
	}
	return false
}

// start starts the server and returns its URL.
func start(way string) string {
	GinkgoHelper()
	if server.Why != "" {
		Skip(server.Why)
	}
	command := exec.Command(server.Server, "-way", way)
	command.Stderr = GinkgoWriter
	in := spec.Must(command.StdinPipe())
	out := spec.Must(command.StdoutPipe())
	Expect(command.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = in.Close() // that ends it
		_ = command.Wait()
	})
	return strings.TrimSpace(spec.Must(bufio.NewReader(out).ReadString('\n')))
}
