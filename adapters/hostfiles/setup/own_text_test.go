package setup

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/textedit"
	plans "mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
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
		Expect(serversIn([]byte(commented))).To(Equal([]plans.Configured{{
			ID: domain.ServerID{Toolbox: "files", Server: "fs"}, Settings: plans.Settings{Command: "fs-mcp", Args: []string{"/tmp"}},
		}}))
		Expect(serversIn(emptyText("", false))).To(BeEmpty())
		Expect(emptyText("", false)).To(MatchJSON(`{"definitions":"auto","results":"fit","openOnUse":true,"start":"lazy","toolboxes":{}}`))
		Expect(emptyText("./a.schema.json", false)).To(MatchJSON(`{"$schema":"./a.schema.json","definitions":"auto","results":"fit","openOnUse":true,"start":"lazy","toolboxes":{}}`))
	})

	It("gets a server beside the others, which can be removed again", func() {
		edited, err := addServer([]byte(commented), plans.Place{Toolbox: "files", Description: "ignored"}, "git", plans.Settings{URL: "https://x/?a=1&b=<c>"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(ContainSubstring(`"url": "https://x/?a=1&b=<c>"`))
		Expect(string(edited)).To(ContainSubstring(`"Files", // short`))

		back, err := removeServer(edited, "files", "git")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(commented))
	})

	It("gets a missing toolbox, which is removed with its last server", func() {
		edited, err := addServer([]byte(commented), plans.Place{Toolbox: "web", Description: "The web"}, "fetch", plans.Settings{Command: "f"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(ContainSubstring(`"description": "The web"`))
		servers, err := serversIn(edited)
		Expect(err).NotTo(HaveOccurred())
		Expect(servers[1]).To(Equal(plans.Configured{ID: domain.ServerID{Toolbox: "web", Server: "fetch"}, Settings: plans.Settings{Command: "f"}}))

		back, err := removeServer(edited, "web", "fetch")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(commented))
	})

	It("keeps descriptions in step that no user wrote", func() {
		add := func(text []byte, toolbox, name string, settings plans.Settings) []byte {
			GinkgoHelper()
			after, err := addServer(text, plans.Place{Toolbox: toolbox, Description: plans.Description(toolbox, []string{name})}, name, settings)
			Expect(err).NotTo(HaveOccurred())
			return after
		}
		description := func(text []byte, toolbox, want string) {
			GinkgoHelper()
			Expect(string(text)).To(ContainSubstring(`"description": "` + want + `"`))
		}

		text := add(add(emptyText("", false), "code", "github", plans.Settings{Command: "g"}), "code", "git", plans.Settings{Command: "h"})
		both := withRenewedDescriptions(nil, text)
		description(both, "code", "github, git: repositories, reviews, builds and tools for code")

		more := add(both, "code", "off", plans.Settings{Command: "o", Disabled: true})
		description(withRenewedDescriptions(both, more), "code", "github, git: repositories, reviews, builds and tools for code")

		less, err := removeServer(both, "code", "github")
		Expect(err).NotTo(HaveOccurred())
		description(withRenewedDescriptions(both, less), "code", "git: repositories, reviews, builds and tools for code")

		renamed := []byte(strings.Replace(string(both), `"code"`, `"mine"`, 1))
		description(withRenewedDescriptions(renamed, add(renamed, "mine", "x", plans.Settings{Command: "x"})), "mine",
			"github, git, x: repositories, reviews, builds and tools for code")

		own := []byte(strings.Replace(string(both), "github, git:", "my", 1))
		Expect(withRenewedDescriptions(own, add(own, "code", "x", plans.Settings{Command: "x"}))).To(ContainSubstring(`"my repositories`))
		files := add([]byte(commented), "files", "x", plans.Settings{Command: "x"})
		Expect(withRenewedDescriptions([]byte(commented), files)).To(Equal(files), "the description of a user")
		Expect(withRenewedDescriptions(nil, []byte(`{`))).To(Equal([]byte(`{`)))
	})

	It("is read as far as it has the right types", func() {
		Expect(serversIn([]byte(`{"toolboxes": {"a": 1, "b": {"mcpServers": {"s": 2, "t": {"url": "u", "inheritEnv": true}}}}}`))).To(Equal([]plans.Configured{
			{ID: domain.ServerID{Toolbox: "b", Server: "t"}, Settings: plans.Settings{URL: "u", Members: map[string]json.RawMessage{"inheritEnv": json.RawMessage("true")}}},
		}))
	})

	It("loses nothing with a server that is not there", func() {
		_, err := removeServer([]byte(commented), "files", "git")
		Expect(err).To(MatchError(textedit.ErrNotFound))
		_, err = removeServer([]byte(commented), "web", "fs")
		Expect(err).To(MatchError(textedit.ErrNotFound))
	})

	It("stays as it is when it is broken", func() {
		_, err := addServer([]byte(`{`), plans.Place{Toolbox: "a", Description: ""}, "b", plans.Settings{})
		Expect(err).To(MatchError(textedit.ErrSyntax))
		_, err = serversIn([]byte(`{`))
		Expect(err).To(MatchError(textedit.ErrSyntax))
		_, err = removeServer([]byte(`{`), "a", "b")
		Expect(err).To(MatchError(textedit.ErrSyntax))
	})

	It("is shown without the values that may be secrets", func() {
		shown := func(text string) string {
			return string(Masked([]byte(text), map[string]ports.Transport{"toy": toy{}}))
		}
		for _, text := range []string{
			`{"toolboxes": {"headers": {"mcpServers": {"env": {"transport": "toy", "place": "sh", "headers": {"H": "%s"}}}}}, "http": {"env": "%s"}}`,
			`{"toolboxes": {"a": {"mcpServers": {"s": {"transport": "toy", "place": "sh", "pass": "%s", "below": {"word": "%s", "mode": "x"}}}}}}`,
			`{"http": {"tokens": {"ci": {"value": "%s", "toolboxes": ["a"]}}, "auth": {"issuer": "https://h", "introspection": {"clientSecret": "%s"}}}}`,
			`{"registry": {"url": "https://h", "headers": {"H": "%s"}}}`,
		} {
			Expect(shown(strings.ReplaceAll(text, "%s", "S"))).To(Equal(strings.ReplaceAll(text, "%s", "•••")))
		}
		Expect(shown(`{"a": secret}`)).To(BeEmpty())
		Expect(Masked(nil, nil)).To(BeNil())
	})
})

// toy is a transport of a contributor.
type toy struct{ ports.Transport }

func (toy) Settings() any {
	return struct {
		Place string `json:"place" is:"shown"`
		Pass  string `json:"pass" is:"secret"`
		Below struct {
			Word string `json:"word" is:"secret"`
			Mode string `json:"mode"`
		} `json:"below" is:"apart"`
	}{}
}
