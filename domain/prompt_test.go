package domain_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Registered prompts", func() {
	first := domain.ServerID{Toolbox: "dev", Server: "a"}
	second := domain.ServerID{Toolbox: "dev", Server: "a_b"}
	prompt := func(server domain.ServerID, name string) domain.RegisteredPrompt {
		return domain.RegisteredPrompt{
			Name: domain.RegisteredPromptName(server, name), Prompt: domain.PromptIdentifier{Server: server, Prompt: name},
		}
	}
	names := func(registered *domain.RegisteredPrompts) []string {
		var list []string
		for _, prompt := range registered.Prompts {
			list = append(list, string(prompt.Prompt.Server.Server)+": "+prompt.Name)
		}
		return list
	}

	It("are named as registered tools are", func() {
		Expect(domain.RegisteredPromptName(first, "review")).To(Equal("dev__a_review"))
		Expect(domain.RegisteredPromptName(first, "Code review")).To(MatchRegexp(`^dev__a_Code-review_[0-9a-f]{8}$`))
		Expect(domain.RegisteredPromptName(first, strings.Repeat("x", 200))).To(HaveLen(46))
	})

	It("leave a name to the first of two", func() {
		registered := domain.RegisterPrompts([]domain.RegisteredPrompt{prompt(first, "b_c"), prompt(second, "c"), prompt(second, "d")}, nil)

		Expect(names(registered)).To(Equal([]string{"a: dev__a_b_c", "a_b: dev__a_b_d"}))
		Expect(registered.Taken).To(Equal(map[domain.PromptIdentifier]string{{Server: second, Prompt: "c"}: "dev__a_b_c"}))
		found, ok := registered.Find("dev__a_b_c")
		Expect(ok).To(BeTrue())
		Expect(found.Server).To(Equal(first))
	})

	It("leave a name to the prompt that has it, as long as that is there", func() {
		before := domain.RegisterPrompts([]domain.RegisteredPrompt{prompt(second, "c")}, nil)
		both := []domain.RegisteredPrompt{prompt(first, "b_c"), prompt(second, "c")}

		Expect(names(domain.RegisterPrompts(both, before))).To(Equal([]string{"a_b: dev__a_b_c"}))
		Expect(names(domain.RegisterPrompts(both[:1], before))).To(Equal([]string{"a: dev__a_b_c"}))
	})

	It("are found by their whole name only", func() {
		registered := domain.RegisterPrompts([]domain.RegisteredPrompt{prompt(first, "review")}, nil)

		for _, name := range []string{"review", "dev__a_revie", "dev__a_review2", "DEV__a_review", ""} {
			_, ok := registered.Find(name)
			Expect(ok).To(BeFalse(), name)
		}
	})
})
