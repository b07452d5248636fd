package stdio_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// watchingHost is a host that wants to know how starts go.
type watchingHost struct {
	contract.DeafHost
	mu       sync.Mutex
	reported []ports.Start
}

func (h *watchingHost) Starting(start ports.Start) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reported = append(h.reported, start)
}

// starts returns what the host was told.
func (h *watchingHost) starts() []ports.Start {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]ports.Start(nil), h.reported...)
}

// stderr returns what the host was told last of a server's standard error.
func (h *watchingHost) stderr() string {
	reported := h.starts()
	if len(reported) == 0 || reported[len(reported)-1].Stderr == nil {
		return ""
	}
	return reported[len(reported)-1].Stderr()
}

var _ = Describe("A host that asked for the progress of a start", func() {
	It("is told what the server writes to stderr before it answers, without secrets", func() {
		server := playing(script.Script{
			Start: []script.Step{{Stderr: "cannot reach hunter2hunter2"}},
			Rules: []script.Rule{{Method: "initialize", Do: []script.Step{}}},
		}, nil)
		server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${HOST}"}}
		host := &watchingHost{}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		failed := make(chan error, 1)
		go func() {
			_, err := newTransport().Connect(ctx, server, host, contract.OpenPolicy{})
			failed <- err
		}()

		Eventually(host.stderr).WithTimeout(patience).Should(Equal("cannot reach ${HOST}"))
		cancel()
		Eventually(failed).WithTimeout(patience).Should(Receive(HaveOccurred()))
	})

	It("is told that a launcher may download the server, until a server of that package was up", func() {
		launcher := filepath.Join(GinkgoT().TempDir(), "npx"+filepath.Ext(scriptedServer))
		program := spec.Must(os.ReadFile(scriptedServer))
		Expect(os.WriteFile(launcher, program, 0o755)).To(Succeed())
		server := playing(script.Script{}, settings{"command": launcher})
		transport, host := newTransport(), &watchingHost{}
		connectOnce := func() {
			session := spec.Must(transport.Connect(ctxWith(patience), server, host, contract.OpenPolicy{}))
			Expect(session.Close(ctxWith(patience))).To(Succeed())
		}

		connectOnce()
		Expect(host.starts()).To(HaveEach(HaveField("MayDownload", true)))

		before := len(host.starts())
		connectOnce()
		Expect(host.starts()[before:]).To(HaveEach(HaveField("MayDownload", false)))
		Expect(host.starts()[before:]).NotTo(BeEmpty())
	})

	It("reports no download when a program is started directly", func() {
		host := &watchingHost{}
		session := spec.Must(newTransport().Connect(ctxWith(patience), playing(script.Script{}, nil), host, contract.OpenPolicy{}))
		Expect(session.Close(ctxWith(patience))).To(Succeed())

		Expect(host.starts()).NotTo(BeEmpty())
		Expect(host.starts()).To(HaveEach(HaveField("MayDownload", false)))
	})
})
