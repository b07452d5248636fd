package application_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

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
