package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

var _ = Describe("Moving in the configuration", func() {
	id := func(toolbox, server string) domain.ServerID {
		return domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}
	}
	configuration := setup.Configuration{Keys: described, Path: "c.json", Servers: []setup.Configured{
		{ID: id("files", "fs")}, {ID: id("files", "git")}, {ID: id("docs", "fs")}, {ID: id("a/b", "s/t")},
	}}

	DescribeTable("finds the source and the target of", func(from, to string, want setup.Move) {
		Expect(configuration.Move(from, to)).To(Equal(want))
	},
		Entry("a server", "files/git", "docs", setup.Move{From: id("files", "git"), To: id("docs", "git")}),
		Entry("a server by its name alone", "git", "docs/", setup.Move{From: id("files", "git"), To: id("docs", "git")}),
		Entry("a server with a new name", "files/fs", "docs/other", setup.Move{From: id("files", "fs"), To: id("docs", "other")}),
		Entry("a server that only gets another name", "files/fs", "files/disk", setup.Move{From: id("files", "fs"), To: id("files", "disk")}),
		Entry("a server into a new toolbox", "git", "code", setup.Move{From: id("files", "git"), To: id("code", "git"), Creates: true}),
		Entry("the last server of a toolbox", "docs/fs", "new/x", setup.Move{From: id("docs", "fs"), To: id("new", "x"), Creates: true, Empties: true}),
		Entry("names with slashes", "a/b/s/t", "docs", setup.Move{From: id("a/b", "s/t"), To: id("docs", "s/t"), Empties: true}),
		Entry("into a toolbox with a slash", "git", "a/b/git", setup.Move{From: id("files", "git"), To: id("a/b", "git")}),
		Entry("a toolbox", "files", "disk", setup.Move{From: id("files", ""), To: id("disk", "")}),
	)

	DescribeTable("refuses, and says what to do", func(from, to, message string) {
		_, err := configuration.Move(from, to)
		Expect(err).To(MatchError(message))
	},
		Entry(nil, "fs", "new", `c.json: "fs" is in several toolboxes; name one of files/fs, docs/fs`),
		Entry(nil, "files/gti", "new", `c.json: no toolbox or server "files/gti" is configured; did you mean 'files/git'?`),
		Entry(nil, "files/fs", "docs", `docs/fs exists in c.json; give the server another name there: 'mcp-workbench move files/fs docs/NAME'`),
		Entry(nil, "git", "files", `files/git is already there`),
		Entry(nil, "git", "/x", `"/x" is not a place; name a toolbox, or TOOLBOX/SERVER`),
		Entry(nil, "git", "", `"" is not a place; name a toolbox, or TOOLBOX/SERVER`),
		Entry(nil, "files", "files", `the toolbox is already named files`),
		Entry(nil, "files", "docs", `the toolbox docs exists in c.json; to put servers there, move each: 'mcp-workbench move files/fs docs'`),
		Entry(nil, "files", "x/y", `"x/y" cannot be the name of the toolbox files; use a name without a slash`),
	)

	DescribeTable("renames patterns that name the old place", func(from, to string, patterns map[string]string) {
		move, err := configuration.Move(from, to)
		Expect(err).NotTo(HaveOccurred())
		for pattern, after := range patterns {
			Expect(move.InRoot(pattern)).To(Equal(after))
		}
	},
		Entry("of a server", "files/fs", "code/disk", map[string]string{
			"files/fs/*": "code/disk/*", "files/git/x": "files/git/x", "fs/x": "fs/x", "*/fs/x": "*/fs/x", "write": "write",
		}),
		Entry("of a toolbox", "files", "disk", map[string]string{
			"files/fs/*": "disk/fs/*", "files/write": "files/write", "docs/fs/x": "docs/fs/x", "files": "files",
		}),
	)

	It("finds a toolbox, and suggests the nearest if it does not exist", func() {
		Expect(configuration.Toolbox("files/")).To(BeEquivalentTo("files"))
		_, err := configuration.Toolbox("filse")
		Expect(err).To(MatchError(`no toolbox "filse" in c.json; did you mean 'files'?`))
	})
})
