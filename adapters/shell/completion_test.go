package shell_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/shell"
	"mcp-workbench/domain"
)

// places are toolboxes whose names and servers contain slashes.
func places() []domain.Toolbox {
	toolbox := func(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
		t := domain.Toolbox{Name: name, Description: "For " + string(name)}
		for _, server := range servers {
			t.Servers = append(t.Servers, domain.Server{ID: domain.ServerID{Toolbox: name, Server: server}})
		}
		return t
	}
	return []domain.Toolbox{toolbox("dev", "files", "git"), toolbox("dev/ops", "git", "a/b"), toolbox("odd", "$(reboot)")}
}

// kindOf returns the kind of a failure.
func kindOf(err error) shell.Kind {
	if failure, ok := errors.AsType[*shell.CommandError](err); ok {
		return failure.Kind
	}
	return shell.Other
}

var _ = Describe("What a command line names", func() {
	DescribeTable("that does not exist is wrong usage, with a suggestion", func(text, suggestion string) {
		_, err := shell.FindPlace(places(), text)

		Expect(kindOf(err)).To(Equal(shell.Usage))
		Expect(err).To(MatchError(ContainSubstring(suggestion)))
	},
		Entry(nil, "dve/files", "'dev'"),
		Entry(nil, "dev/filse", "'files'"),
	)

	It("is empty without toolboxes, with advice on how to add some", func() {
		_, err := shell.FindPlace(nil, "dev")

		Expect(err).To(MatchError(ContainSubstring("'mcp-workbench init'")))
	})

	DescribeTable("is a server by its path, or by a name that is unique", func(name, path string) {
		id, err := shell.FindServer(places(), name)

		if path == "" {
			Expect(kindOf(err)).To(Equal(shell.Usage))
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(id.Path()).To(Equal(path))
	},
		Entry(nil, "files", "dev/files"),
		Entry(nil, "dev/ops/git", "dev/ops/git"),
		Entry("in two toolboxes", "git", ""),
		Entry("nowhere", "filse", ""),
	)
})

var _ = Describe("Completing a place", func() {
	complete := func(begun string, toolsOf func(domain.Server) []string) []string {
		var texts []string
		for _, completion := range shell.Complete(places(), begun, toolsOf) {
			texts = append(texts, completion.Text)
		}
		return texts
	}
	tools := func(server domain.Server) []string {
		return map[string][]string{"dev/files": {"read", "a;b", "-x"}}[server.ID.Path()]
	}

	It("offers toolboxes with their descriptions", func() {
		Expect(shell.Complete(places(), "", nil)).To(ContainElement(shell.Completion{Text: "dev/", Description: "For dev"}))
	})

	It("offers servers behind a slash, and tools where they are wanted", func() {
		Expect(complete("dev/", nil)).To(ContainElements("dev/files", "dev/git"))
		Expect(complete("dev/", tools)).To(ContainElements("dev/files/", "dev/files/read", "dev/git/"))
	})

	It("offers nothing that a shell would run", func() {
		Expect(complete("dev/", tools)).NotTo(ContainElement("dev/files/a;b"))
		Expect(complete("odd/", nil)).NotTo(ContainElement(ContainSubstring("$")))
	})
})
