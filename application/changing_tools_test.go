package application_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Tools that change", func() {
	It("are listed again before the next opening, and not before", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").offer("read", "append")
		for range 1000 {
			w.server("files").sayToolsChanged()
		}
		synctest.Wait()
		_, listings := w.server("files").counts()
		Expect(listings).To(Equal(1))

		opened := w.opens("dev")

		Expect(opened.Servers[0].Tools).To(Equal(w.server("files").list.Tools))
		Expect(w.opens("dev")).To(Equal(opened))
		_, listings = w.server("files").counts()
		Expect(listings).To(Equal(2))
		Expect(w.host.heard()).To(BeEmpty(), "it is the workbench that lists the tools of servers")
	}))

	It("are listed again by the next opening once the time that the server gave is over, and by no use", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.server("files").list.Expires, w.server("files").list.FreshFor = true, time.Minute
		w.opens("dev")
		time.Sleep(time.Minute - time.Nanosecond)
		w.opens("dev")
		_, listings := w.server("files").counts()
		Expect(listings).To(Equal(1))
		time.Sleep(time.Nanosecond)
		w.server("files").offer("read", "append")

		Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		_, listings = w.server("files").counts()
		Expect(listings).To(Equal(1))
		Expect(w.opens("dev").Servers[0].Tools).To(Equal(w.server("files").list.Tools))

		time.Sleep(time.Minute)
		w.server("files").setListing(0, errors.New("no list"))
		w.opens("dev")
		_, listings = w.server("files").counts()
		Expect(listings).To(Equal(3))
	}))

	It("are listed again before the next use", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").offer("append")
		w.server("files").sayToolsChanged()

		gone, added := w.use("files", "read"), w.use("files", "append")
		synctest.Wait()

		Expect(gone.failure()).To(MatchError(domain.ErrToolNotFound))
		Expect(added.result()).To(Equal(`"append"`))
		Expect(w.use("files", "append").result()).To(Equal(`"append"`))
		_, listings := w.server("files").counts()
		Expect(listings).To(Equal(2))
	}))

	Context("of a server that does not say so", func() {
		var w *workbench
		begin := func(t *testing.T) {
			w = start(t, toolbox("dev", "files"))
			w.server("files").silent = true
			w.opens("dev")
		}
		listings := func() int {
			_, listings := w.server("files").counts()
			return listings
		}

		It("can be used as soon as they are there", spec.InBubble(func(t *testing.T) {
			begin(t)
			w.use("files", "read")
			w.server("files").offer("read", "append")

			added := w.use("files", "append")
			synctest.Wait()

			Expect(added.result()).To(Equal(`"append"`))
			Expect(w.server("files").called()).To(Equal([]string{"read", "append"}))
		}))

		It("are shown by an opening after a call, and it is not asked again otherwise", spec.InBubble(func(t *testing.T) {
			begin(t)
			w.use("files", "read")
			w.server("files").offer("read", "append")

			Expect(w.opens("dev").Servers[0].Tools).To(HaveLen(2))
			w.opens("dev")

			Expect(listings()).To(Equal(2))
		}))

		It("are not listed over and over for tools that it does not have", spec.InBubble(func(t *testing.T) {
			begin(t)
			for range 100 {
				unknown := w.use("files", "x")
				synctest.Wait()
				Expect(unknown.failure()).To(MatchError(domain.ErrToolNotFound))
			}
			Expect(listings()).To(Equal(4))
			time.Sleep(time.Second)
			w.use("files", "x")
			synctest.Wait()
			Expect(listings()).To(Equal(5))
		}))
	})

	It("are listed once for all concurrent callers, and at most once more", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").listing = time.Second
		w.server("files").sayToolsChanged()
		first, second := w.use("files", "read"), w.use("files", "write")
		time.Sleep(500 * time.Millisecond)
		for range 1000 {
			w.server("files").sayToolsChanged()
		}
		third := w.use("files", "read")
		time.Sleep(5 * time.Second)

		for _, received := range []*outcome{first, second, third} {
			Expect(received.result()).NotTo(BeEmpty())
		}
		w.opens("dev")
		w.opens("dev")
		_, listings := w.server("files").counts()
		Expect(listings).To(Equal(3))
	}))

	It("are not used or shown in their old form while they are listed again", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").listing = time.Second
		w.server("files").offer("append")
		w.server("files").sayToolsChanged()
		w.use("files", "read")
		time.Sleep(500 * time.Millisecond)

		received := w.use("files", "append")
		opened := w.opens("dev")
		synctest.Wait()

		Expect(opened.Servers[0].Tools).To(Equal(w.server("files").list.Tools))
		Expect(received.result()).To(Equal(`"append"`))
	}))

	It("are listed once more when they change while they are listed", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").listing = time.Second
		w.server("files").sayToolsChanged()
		w.use("files", "read")
		time.Sleep(500 * time.Millisecond)
		w.server("files").sayToolsChanged()
		begun := time.Now()

		w.opens("dev")

		Expect(time.Since(begun)).To(Equal(1500 * time.Millisecond))
	}))

	It("stay as they were, with a warning, when they cannot be listed", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.server("files").list.Warnings = []domain.Warning{{Kind: domain.ListCut, Detail: "100 pages"}}
		w.opens("dev")
		w.server("files").refusal = errors.New("no list")

		for range 2 {
			w.server("files").sayToolsChanged()
			opened := w.opens("dev")
			Expect(opened.Servers[0].Tools).To(HaveLen(2))
			Expect(opened.Servers[0].Warnings).To(Equal([]domain.Warning{
				{Kind: domain.ListCut, Detail: "100 pages"}, {Kind: domain.ListNotRefreshed, Reason: errors.New("no list")},
			}))
			Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		}
		Expect(w.log.String()).To(ContainSubstring("no list"))

		w.server("files").refusal = nil
		w.server("files").sayToolsChanged()
		Expect(w.opens("dev").Servers[0].Warnings).To(Equal(w.server("files").list.Warnings))
	}))

	It("are waited for no longer than the limit on connecting", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")
		w.server("files").listing = time.Hour
		w.server("files").sayToolsChanged()
		begun := time.Now()

		received := w.use("files", "read")
		time.Sleep(2 * time.Minute)
		synctest.Wait()

		Expect(time.Since(begun)).To(Equal(2 * time.Minute))
		Expect(received.result()).To(Equal(`"read"`))
	}))

	It("pass through the filter like the first ones", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "files")
		tools.Servers[0].Tools = domain.OnlyTools([]string{"read"})
		w := start(t, tools)
		w.opens("dev")
		w.server("files").offer("read", "erase")
		w.server("files").sayToolsChanged()

		received := w.use("files", "erase")
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrToolNotFound))
		Expect(w.opens("dev").Servers[0].Tools).To(HaveLen(1))
	}))
})
