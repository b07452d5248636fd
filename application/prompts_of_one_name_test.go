package application_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Two prompts with the same registered name", func() {
	// colliding returns a workbench with two servers whose prompts share one name.
	colliding := func(t *testing.T) *workbench {
		w := offerPrompts(start(t, toolbox("dev", "a", "a_b")))
		w.server("a").prompts.offer("b_c")
		w.server("a_b").prompts.offer("c", "d")
		return w
	}

	It("give it to the first, and report the other one in the log and at the next opening of the toolbox", spec.InBubble(func(t *testing.T) {
		w := colliding(t)
		w.opens("dev")

		Expect(w.promptNames()).To(Equal([]string{"dev__a_b_c", "dev__a_b_d"}))
		Expect(w.promptNames()).To(HaveLen(2))

		Expect(strings.Count(w.log.String(), "another one has its name")).To(Equal(1))
		w.get("dev__a_b_c")
		Expect(w.server("a").session().seen().requests).To(HaveLen(1))
		opened := w.opens("dev")
		Expect(opened.Servers[0].Warnings).To(BeEmpty())
		Expect(opened.Servers[1].Warnings).To(Equal([]domain.Warning{{Kind: domain.PromptNameTaken, Tool: "c", Detail: "dev__a_b_c"}}))
	}))

	It("give it to the one that had it before", spec.InBubble(func(t *testing.T) {
		w := colliding(t)
		w.server("a").prompts.offer()
		w.opens("dev")
		w.promptNames()
		w.server("a").prompts.offer("b_c")

		w.promptNames()
		w.get("dev__a_b_c")

		Expect(w.server("a_b").session().seen().requests).To(HaveLen(1))
	}))
})
