package setup_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/hostfiles/textedit"
	plans "mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

const commented = `{
  // mine
  "toolboxes": {
    "files": {
      "description": "Files", // short
      "mcpServers": {
        "fs": {"command": "fs-mcp", "args": ["/tmp"]}
      }
    }
  }
}
`

var _ = Describe("The configuration's text", func() {
	It("names its servers", func() {
		Expect(setup.ServersIn([]byte(commented))).To(Equal([]plans.Configured{{
			ID: domain.ServerID{Toolbox: "files", Server: "fs"}, Settings: serverconfig.Settings{Command: "fs-mcp", Args: []string{"/tmp"}},
		}}))
		Expect(setup.ServersIn(setup.EmptyText("", false))).To(BeEmpty())
		Expect(setup.EmptyText("", false)).To(MatchJSON(`{"definitions":"auto","results":"fit","openOnUse":true,"start":"lazy","toolboxes":{}}`))
		Expect(setup.EmptyText("./a.schema.json", false)).To(MatchJSON(`{"$schema":"./a.schema.json","definitions":"auto","results":"fit","openOnUse":true,"start":"lazy","toolboxes":{}}`))
	})

	It("gets a server beside the others, which can be removed again", func() {
		edited, err := setup.AddServer([]byte(commented), plans.Place{Toolbox: "files", Description: "ignored"}, "git", serverconfig.Settings{URL: "https://x/?a=1&b=<c>"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(ContainSubstring(`"url": "https://x/?a=1&b=<c>"`))
		Expect(string(edited)).To(ContainSubstring(`"Files", // short`))

		back, err := setup.RemoveServer(edited, "files", "git")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(commented))
	})

	It("gets a missing toolbox, which is removed with its last server", func() {
		edited, err := setup.AddServer([]byte(commented), plans.Place{Toolbox: "web", Description: "The web"}, "fetch", serverconfig.Settings{Command: "f"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(ContainSubstring(`"description": "The web"`))
		servers, err := setup.ServersIn(edited)
		Expect(err).NotTo(HaveOccurred())
		Expect(servers[1]).To(Equal(plans.Configured{ID: domain.ServerID{Toolbox: "web", Server: "fetch"}, Settings: serverconfig.Settings{Command: "f"}}))

		back, err := setup.RemoveServer(edited, "web", "fetch")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(commented))
	})

	It("keeps descriptions in step that no user wrote", func() {
		add := func(text []byte, toolbox, name string, settings serverconfig.Settings) []byte {
			GinkgoHelper()
			after, err := setup.AddServer(text, plans.Place{Toolbox: toolbox, Description: plans.Description(toolbox, []string{name})}, name, settings)
			Expect(err).NotTo(HaveOccurred())
			return after
		}
		description := func(text []byte, toolbox, want string) {
			GinkgoHelper()
			Expect(string(text)).To(ContainSubstring(`"description": "` + want + `"`))
		}

		text := add(add(setup.EmptyText("", false), "code", "github", serverconfig.Settings{Command: "g"}), "code", "git", serverconfig.Settings{Command: "h"})
		both := setup.Described(nil, text)
		description(both, "code", "github, git: repositories, reviews, builds and tools for code")

		more := add(both, "code", "off", serverconfig.Settings{Command: "o", Disabled: true})
		description(setup.Described(both, more), "code", "github, git: repositories, reviews, builds and tools for code")

		less, err := setup.RemoveServer(both, "code", "github")
		Expect(err).NotTo(HaveOccurred())
		description(setup.Described(both, less), "code", "git: repositories, reviews, builds and tools for code")

		renamed := []byte(strings.Replace(string(both), `"code"`, `"mine"`, 1))
		description(setup.Described(renamed, add(renamed, "mine", "x", serverconfig.Settings{Command: "x"})), "mine",
			"github, git, x: repositories, reviews, builds and tools for code")

		own := []byte(strings.Replace(string(both), "github, git:", "my", 1))
		Expect(setup.Described(own, add(own, "code", "x", serverconfig.Settings{Command: "x"}))).To(ContainSubstring(`"my repositories`))
		files := add([]byte(commented), "files", "x", serverconfig.Settings{Command: "x"})
		Expect(setup.Described([]byte(commented), files)).To(Equal(files), "the description of a user")
		Expect(setup.Described(nil, []byte(`{`))).To(Equal([]byte(`{`)))
	})

	It("is read as far as it has the right types", func() {
		Expect(setup.ServersIn([]byte(`{"toolboxes": {"a": 1, "b": {"mcpServers": {"s": 2, "t": {"url": "u", "inheritEnv": true}}}}}`))).To(Equal([]plans.Configured{
			{ID: domain.ServerID{Toolbox: "b", Server: "t"}, Settings: serverconfig.Settings{URL: "u", Untranslated: map[string]string{"inheritEnv": "true"}}},
		}))
	})

	It("loses nothing with a server that is not there", func() {
		_, err := setup.RemoveServer([]byte(commented), "files", "git")
		Expect(err).To(MatchError(textedit.ErrNotFound))
		_, err = setup.RemoveServer([]byte(commented), "web", "fs")
		Expect(err).To(MatchError(textedit.ErrNotFound))
	})

	It("stays as it is when it is broken", func() {
		_, err := setup.AddServer([]byte(`{`), plans.Place{Toolbox: "a", Description: ""}, "b", serverconfig.Settings{})
		Expect(err).To(MatchError(textedit.ErrSyntax))
		_, err = setup.ServersIn([]byte(`{`))
		Expect(err).To(MatchError(textedit.ErrSyntax))
		_, err = setup.RemoveServer([]byte(`{`), "a", "b")
		Expect(err).To(MatchError(textedit.ErrSyntax))
	})

	It("is shown without the values that may be secrets", func() {
		text := `{"toolboxes": {"headers": {"mcpServers": {"env": {"command": "sh", "args": ["x"], "headers": {"H": "%s"}}}}}, "http": {"env": "%s"}}`
		Expect(string(setup.MaskedText([]byte(strings.ReplaceAll(text, "%s", "S"))))).To(Equal(strings.ReplaceAll(text, "%s", "•••")))
		Expect(setup.MaskedText([]byte(`{"a": secret}`))).To(BeNil())
		Expect(setup.MaskedText(nil)).To(BeNil())
	})
})
