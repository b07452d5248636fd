package configtext_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/textedit"
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
	It("says which toolboxes and servers there are", func() {
		Expect(configtext.Toolboxes([]byte(commented))).To(Equal([]configtext.Toolbox{{
			Name: "files", Description: "Files",
			Servers: []configtext.Server{{Name: "fs", Settings: hostfiles.Settings{Command: "fs-mcp", Args: []string{"/tmp"}}}},
		}}))
		Expect(configtext.Toolboxes(configtext.New(""))).To(BeEmpty())
		Expect(configtext.New("")).To(MatchJSON(`{"definitions":"auto","toolboxes":{}}`))
		Expect(configtext.New("./a.schema.json")).To(MatchJSON(`{"$schema":"./a.schema.json","definitions":"auto","toolboxes":{}}`))
	})

	It("gets a server beside the others, and loses it again", func() {
		edited, err := configtext.Add([]byte(commented), "files", "ignored", "git", hostfiles.Settings{URL: "https://x/?a=1&b=<c>"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(ContainSubstring(`"url": "https://x/?a=1&b=<c>"`))
		Expect(string(edited)).To(ContainSubstring(`"Files", // short`))

		back, err := configtext.Remove(edited, "files", "git")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(commented))
	})

	It("gets a toolbox that it does not have, and loses it with its last server", func() {
		edited, err := configtext.Add([]byte(commented), "web", "The web", "fetch", hostfiles.Settings{Command: "f"})
		Expect(err).NotTo(HaveOccurred())
		toolboxes, err := configtext.Toolboxes(edited)
		Expect(err).NotTo(HaveOccurred())
		Expect(toolboxes[1]).To(Equal(configtext.Toolbox{
			Name: "web", Description: "The web", Servers: []configtext.Server{{Name: "fetch", Settings: hostfiles.Settings{Command: "f"}}},
		}))

		back, err := configtext.Remove(edited, "web", "fetch")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(commented))
	})

	It("keeps what is wrong in a toolbox for the check of the configuration", func() {
		Expect(configtext.Toolboxes([]byte(`{"toolboxes": {"a": 1, "b": {"mcpServers": {"s": 2, "t": {"url": "u", "inheritEnv": true}}}}}`))).To(Equal([]configtext.Toolbox{
			{Name: "b", Servers: []configtext.Server{{Name: "t", Settings: hostfiles.Settings{URL: "u"}}}},
		}))
	})

	It("has nothing to take out that is not there", func() {
		_, err := configtext.Remove([]byte(commented), "files", "git")
		Expect(err).To(MatchError(configtext.ErrNotThere))
		_, err = configtext.Remove([]byte(commented), "web", "fs")
		Expect(err).To(MatchError(configtext.ErrNotThere))
	})

	It("is left alone when it is broken", func() {
		_, err := configtext.Add([]byte(`{`), "a", "", "b", hostfiles.Settings{})
		Expect(err).To(MatchError(textedit.ErrSyntax))
		_, err = configtext.Toolboxes([]byte(`{`))
		Expect(err).To(MatchError(textedit.ErrSyntax))
		_, err = configtext.Remove([]byte(`{`), "a", "b")
		Expect(err).To(MatchError(textedit.ErrSyntax))
	})
})
