package shell_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal/shell"
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

	It("offers toolboxes alone, and the keys of a tool that are not given yet", func() {
		Expect(shell.CompleteToolboxes(places())).To(ContainElement(shell.Completion{Text: "dev/ops", Description: "For dev/ops"}))
		Expect(shell.CompleteToolboxes([]domain.Toolbox{{Name: "a;b"}, {Name: "-x"}})).To(BeEmpty())
		Expect(shell.CompleteKeys([]string{"path", "text", "$(id)", "a b", "list"}, []string{"text=x", "list:=[]"})).To(Equal([]shell.Completion{{Text: "path="}}))
	})

	It("offers nothing that a shell would run", func() {
		Expect(complete("dev/", tools)).NotTo(ContainElement("dev/files/a;b"))
		Expect(complete("odd/", nil)).NotTo(ContainElement(ContainSubstring("$")))
	})
})
