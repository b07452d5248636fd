package application_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Starting servers when the host connects", func() {
	const startup = 10 * time.Second
	early := func(change func(*domain.Server)) domain.Toolbox {
		dev := toolbox("dev", "files", "late")
		dev.Servers[0].Start = domain.StartOnConnect
		change(&dev.Servers[0])
		return dev
	}
	same := func(*domain.Server) {}
	// connects starts the servers of these toolboxes that are to start early.
	connects := func(w *workbench) {
		application.NewServerStarter(w.catalog, w.sessions, slog.New(slog.NewTextHandler(w.log, nil))).StartServers()
	}

	It("takes no time, and an opening waits only for the rest of the start", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").startup = startup
		begun := time.Now()
		connects(w)
		Expect(time.Since(begun)).To(BeZero())
		time.Sleep(startup - time.Second)

		Expect(w.opens("dev").Connected()).To(Equal(2))

		Expect(time.Since(begun)).To(Equal(startup))
		starts, _ := w.server("files").counts()
		Expect(starts).To(Equal(1))
	}))

	It("starts no other servers, and opens no toolbox", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		connects(w)
		synctest.Wait()

		starts, _ := w.server("late").counts()
		Expect(starts).To(BeZero())
		Expect(w.use("files", "read").failure()).To(MatchError(domain.ErrToolboxNotOpen))
	}))

	It("shows resources and prompts, and tells the host of them, only once the toolbox is opened", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").declares = []string{"resources", "prompts"}
		connects(w)
		synctest.Wait()
		connection, live := w.sessions.Last(w.server("files").id)
		Expect(connection).To(BeNil())
		Expect(live).To(BeFalse())
		before := len(w.host.heard())

		w.opens("dev")

		Expect(w.host.heard()[before:]).To(ContainElements(
			"files: resources changed", "files: prompts changed"))
		_, live = w.sessions.Last(w.server("files").id)
		Expect(live).To(BeTrue())
	}))

	It("hides no resources and prompts of a toolbox that was opened before", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.opens("dev")
		connects(w)

		_, live := w.sessions.Last(w.server("files").id)

		Expect(live).To(BeTrue())
	}))

	It("prompts for no login", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").failure = domain.ErrLoginRequired
		connects(w)
		synctest.Wait()

		Expect(w.host.heard()).To(BeEmpty())
		w.server("files").repair()
		Expect(w.opens("dev").Connected()).To(Equal(2))
	}))

	It("lets an idle server be stopped, which the opening starts again", spec.InBubble(func(t *testing.T) {
		w := start(t, early(func(s *domain.Server) { s.Limits.Idle = time.Minute }))
		connects(w)
		time.Sleep(time.Hour)
		now, _ := w.server("files").alive()
		Expect(now).To(BeZero())

		Expect(w.opens("dev").Connected()).To(Equal(2))

		starts, _ := w.server("files").counts()
		Expect(starts).To(Equal(2))
	}))

	It("leaves nothing running when the host leaves meanwhile or before", spec.InBubble(func(t *testing.T) {
		w := start(t, early(same))
		w.server("files").startup = startup
		connects(w)
		w.close(time.Second)
		connects(w)
		synctest.Wait()

		now, _ := w.server("files").alive()
		Expect(now).To(BeZero())
		starts, _ := w.server("files").counts()
		Expect(starts).To(BeNumerically("<=", 1))
	}))
})
