package application_test

import (
	"encoding/json"
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
		Expect(w.server("files").timesListed()).To(Equal(1))

		opened := w.opens("dev")

		Expect(opened.Servers[0].Tools).To(Equal(w.server("files").list.Tools))
		Expect(w.opens("dev")).To(Equal(opened))
		Expect(w.server("files").timesListed()).To(Equal(2))
		Expect(w.host.heard()).To(BeEmpty(), "it is the workbench that lists the tools of servers")
	}))

	It("are listed again by the next opening once the time that the server gave is over, and by no use", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.server("files").list.Expires, w.server("files").list.FreshFor = true, time.Minute
		w.opens("dev")
		time.Sleep(time.Minute - time.Nanosecond)
		w.opens("dev")
		Expect(w.server("files").timesListed()).To(Equal(1))
		time.Sleep(time.Nanosecond)
		w.server("files").offer("read", "append")

		Expect(w.use("files", "read").result()).To(Equal(`"read"`))
		Expect(w.server("files").timesListed()).To(Equal(1))
		Expect(w.opens("dev").Servers[0].Tools).To(Equal(w.server("files").list.Tools))

		time.Sleep(time.Minute)
		w.server("files").setListing(0, errors.New("no list"))
		w.opens("dev")
		Expect(w.server("files").timesListed()).To(Equal(3))
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
		Expect(w.server("files").timesListed()).To(Equal(2))
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
		Expect(w.server("files").timesListed()).To(Equal(3))
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

var _ = Describe("Definitions that change while the workbench runs", func() {
	dev := toolbox("dev", "files")
	begin := func(t *testing.T, tools ...string) *workbench {
		w := start(t, dev)
		w.server("files").lists(tools...)
		usePins(w, domain.PinOff, &fakePins{})
		w.shown()
		return w
	}
	change := func(w *workbench, tools ...string) {
		w.server("files").lists(tools...)
		w.server("files").sayToolsChanged()
	}
	warned := func(w *workbench) []domain.Warning {
		_, warnings := w.shown()
		return warnings
	}
	readChanged := []domain.Warning{{Kind: domain.DefinitionChanged, Tool: "read", Detail: "description, inputSchema"}}

	It("cause a warning, even without a lock, for as long as they are shown", spec.InBubble(func(t *testing.T) {
		w := begin(t, "read: old", "write")
		change(w, "write", "read: new", "added")

		Expect(warned(w)).To(Equal(readChanged))
		Expect(warned(w)).To(Equal(readChanged), "the same answer from memory")

		change(w, "write", "read: new")
		Expect(warned(w)).To(BeEmpty())
	}))

	It("are compared with those shown last, however often the server has listed them since", spec.InBubble(func(t *testing.T) {
		w := begin(t, "read: old")
		for range 3 {
			change(w, "read: new")
			w.use("files", "read")
			synctest.Wait()
		}

		Expect(warned(w)).To(Equal(readChanged))
	}))

	It("cause a warning when the server comes back with them", spec.InBubble(func(t *testing.T) {
		w := begin(t, "read: old")
		w.server("files").lists("read: new")
		w.server("files").die()
		time.Sleep(time.Hour)

		Expect(warned(w)).To(ContainElements(readChanged))
	}))

	It("cause no warning when only their bytes differ and not their meaning", spec.InBubble(func(t *testing.T) {
		w := begin(t, "read")
		w.server("files").list.Tools = []domain.ToolInfo{{
			Name: "read", Shown: "read", Definition: json.RawMessage(`{"description": "", "name": "read"}`),
		}}
		w.server("files").sayToolsChanged()

		Expect(warned(w)).To(BeEmpty())
	}))

	It("are still noticed after an opening at which the server was down", spec.InBubble(func(t *testing.T) {
		w := begin(t, "read: old")
		w.server("files").fail("it does not start")
		w.server("files").die()
		time.Sleep(time.Hour)
		_, err := w.opener.OpenToolbox(t.Context(), "dev")
		Expect(err).To(MatchError(domain.ErrAllServersFailed))

		w.server("files").failure = nil
		w.server("files").lists("read: new")
		time.Sleep(time.Hour)

		Expect(warned(w)).To(ContainElements(readChanged))
	}))
})

var _ = Describe("Tools that changed and could not be listed", func() {
	// failing returns a workbench whose server "files" changed its tools and fails to
	// list them.
	failing := func(t *testing.T, w *workbench) *fakeServer {
		files := w.server("files")
		w.opens("dev")
		files.setListing(0, errors.New("no list"))
		files.offer("append")
		files.sayToolsChanged()
		Expect(w.use("files", "read")).NotTo(BeNil())
		synctest.Wait()
		Expect(files.timesListed()).To(Equal(2))
		return files
	}

	It("are listed again less and less often while that fails", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		files := failing(t, w)

		var counted []int
		for _, span := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
			time.Sleep(span * time.Second)
			synctest.Wait()
			_, listings := files.counts()
			counted = append(counted, listings)
		}

		Expect(counted).To(Equal([]int{3, 4, 5, 6, 7, 8, 9}))
	}))

	It("are used in their old form while they are listed again", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		files := failing(t, w)
		files.setListing(time.Minute, nil)
		time.Sleep(2 * time.Second)

		received := w.use("files", "read")

		Expect(received.result()).To(Equal(`"read"`), "at once")
		Expect(files.timesListed()).To(Equal(3))
	}))

	It("are waited for when the toolbox is opened while they are listed again", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		files := failing(t, w)
		files.setListing(10*time.Second, nil)
		time.Sleep(2 * time.Second)

		opened := w.opens("dev")

		Expect(opened.Servers[0].Tools).To(Equal(files.listed().Tools))
		Expect(files.timesListed()).To(Equal(3))
	}))

	It("are registered once they could be listed", spec.InBubble(func(t *testing.T) {
		w := startDynamic(t, toolbox("dev", "files"))
		files := failing(t, w.workbench)
		w.opens("dev") // registers the tools listed before
		files.setListing(0, nil)

		time.Sleep(time.Minute)
		synctest.Wait()

		Expect(w.names()).To(Equal([]string{"dev__files_append"}))
	}))

	It("neither keep an idle server up nor restart it", spec.InBubble(func(t *testing.T) {
		tools := toolbox("dev", "files")
		tools.Servers[0].Limits.Idle = 10 * time.Minute
		w := start(t, tools)
		files := failing(t, w)

		time.Sleep(24 * time.Hour)
		synctest.Wait()

		Expect(files.living()).To(BeZero())
		Expect(files.started()).To(Equal(1))
	}))
})
