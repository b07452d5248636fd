package realservers_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using real servers elsewhere", func() {
	DescribeTable("answers every call with the server's own bytes", func(ctx SpecContext, mode, transport string) {
		// Results about the server's environment and session differ from run to run.
		own := []string{"get-env", "toggle-simulated-logging", "toggle-subscriber-updates"}
		journey := slices.DeleteFunc(everythingJourney(), func(c call) bool { return slices.Contains(own, c.tool) })
		direct := answers(everythingServer(), journey)
		elsewhere := startElsewhere(ctx, mode, freePort())
		through := throughWorkbench(elsewhere.server(transport), journey)
		compare(journey, direct, through)
	},
		Entry("over streamable HTTP", SpecTimeout(time.Minute), "streamableHttp", ""),
		Entry("over HTTP+SSE", SpecTimeout(time.Minute), "sse", "sse"),
		Entry("over HTTP+SSE, if the configuration does not say so", SpecTimeout(time.Minute), "sse", ""),
	)

	It("shows a toolbox with a server on this machine and one elsewhere", func(ctx SpecContext) {
		elsewhere := startElsewhere(ctx, "streamableHttp", freePort())
		local := memory(filepath.Join(realDirectory(), "graph.json"))
		w := startWorkbench(toolbox{"mixed", []server{local, elsewhere.server("")}})

		shown := w.Open("mixed")

		Expect(shown.Connected).To(Equal(2))
		Expect(shown.Tools).To(HaveLen(9 + 13))
		Expect(shown.Errors).To(BeEmpty())
	}, SpecTimeout(time.Minute))
})

// elsewhere is the everything server behind HTTP.
type elsewhere struct {
	port    int
	path    string
	program *exec.Cmd
}

// startElsewhere starts the server and waits until it can be reached.
func startElsewhere(ctx context.Context, mode string, port int) *elsewhere {
	GinkgoHelper()
	s := everythingServer()
	e := &elsewhere{port: port, path: map[string]string{"streamableHttp": "/mcp", "sse": "/sse"}[mode]}
	e.program = exec.Command(s.Command, append(s.Args, mode)...)
	e.program.Env = append(os.Environ(), "PORT="+strconv.Itoa(port))
	e.program.Stderr = GinkgoWriter
	Expect(e.program.Start()).To(Succeed())
	DeferCleanup(e.kill)
	Eventually(ctx, func() error {
		connection, err := net.Dial("tcp", e.address())
		if err != nil {
			return err
		}
		return connection.Close()
	}).WithTimeout(Patience).Should(Succeed())
	return e
}

func (e *elsewhere) address() string { return net.JoinHostPort("localhost", strconv.Itoa(e.port)) }

func (e *elsewhere) server(transport string) server {
	return server{name: "everything", URL: "http://" + e.address() + e.path, Transport: transport}
}

// kill ends the server. Safe to call more than once.
func (e *elsewhere) kill() {
	_ = e.program.Process.Kill() // it may have ended
	_ = e.program.Wait()
}

// freePort returns an unused port.
func freePort() int {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "localhost:0")
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port
}
