package application_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Listing the tools of servers for the user", func() {
	begin := func(t *testing.T, toolboxes ...domain.Toolbox) (*workbench, *application.ToolLister) {
		w := start(t, toolboxes...)
		return w, application.NewToolLister(w.catalog, w.sessions)
	}
	ignore := func(domain.OpenedServer) {}

	It("waits for slow servers concurrently, and reports each as soon as it is known", spec.InBubble(func(t *testing.T) {
		w, lister := begin(t, toolbox("dev", "slow", "files"))
		w.server("slow").startup = 100 * time.Second
		begun := time.Now()
		var mu sync.Mutex
		known := map[domain.ServerName]time.Duration{}

		listed := spec.Must(lister.ListTools(t.Context(), "dev", "", func(server domain.OpenedServer) {
			mu.Lock()
			defer mu.Unlock()
			known[server.ID.Server] = time.Since(begun)
		}))
		Expect(known).To(Equal(map[domain.ServerName]time.Duration{"files": 0, "slow": 100 * time.Second}))
		Expect(listed.Connected()).To(Equal(2))
		Expect(listed.Servers[0].Tools).To(Equal(w.server("slow").list.Tools))
	}))

	It("starts only the named server", spec.InBubble(func(t *testing.T) {
		w, lister := begin(t, toolbox("dev", "db", "files"))

		listed := spec.Must(lister.ListTools(t.Context(), "dev", "files", ignore))
		Expect(listed.Servers).To(HaveLen(1))
		Expect(listed.Servers[0].ID.Server).To(Equal(domain.ServerName("files")))
		Expect(w.server("db").started()).To(BeZero())
	}))

	It("includes failed servers in its result, and does not fail itself", spec.InBubble(func(t *testing.T) {
		w, lister := begin(t, toolbox("dev", "files"))
		w.server("files").fail("no licence")

		listed := spec.Must(lister.ListTools(t.Context(), "dev", "", ignore))
		Expect(domain.Reason(listed.Servers[0].Failure)).To(Equal("no licence"))
	}))

	It("reports unknown names", spec.InBubble(func(t *testing.T) {
		_, lister := begin(t, toolbox("dev", "files"))

		_, err := lister.ListTools(t.Context(), "ops", "", ignore)
		Expect(err).To(MatchError(domain.ErrToolboxNotFound))
		_, err = lister.ListTools(t.Context(), "dev", "db", ignore)
		Expect(err).To(MatchError(domain.ErrServerNotFound))
	}))

	It("ends when the caller cancels it", spec.InBubble(func(t *testing.T) {
		w, lister := begin(t, toolbox("dev", "slow"))
		w.server("slow").startup = 100 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()

		_, err := lister.ListTools(ctx, "dev", "", ignore)

		Expect(err).To(MatchError(context.DeadlineExceeded))
		synctest.Wait()
	}))
})

var _ = Describe("A caller that does not open toolboxes", func() {
	It("has all of them open, and starts only servers that it uses", spec.InBubble(func(t *testing.T) {
		w := prepare(t, toolbox("dev", "files", "db"))
		w.opened = application.AllOpened(w.catalog)
		w.wire(nil, nil)

		used := w.use("files", "read")
		synctest.Wait()

		Expect(used.result()).To(Equal(`"read"`))
		Expect(w.server("db").started()).To(BeZero())
	}))
})
