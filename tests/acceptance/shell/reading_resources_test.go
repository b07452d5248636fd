package shell_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// library is a server with resources: one that it lists, a template, and files of every kind.
func library() Server {
	GinkgoHelper()
	answer := func(method, result string) script.Rule {
		return script.Rule{Method: method, Do: []script.Step{{Result: result}}}
	}
	s := WithTools("look")
	s.Capabilities = `{"tools":{},"resources":{}}`
	s.Rules = []script.Rule{
		answer("resources/list", `{"resources":[{ "uri":"file:///notes.txt","name":"notes","description":"All\u001b[31m notes", "x":1.0 }]}`),
		answer("resources/templates/list", `{"resourceTemplates":[{"uriTemplate":"file:///{name}","name":"any"}]}`),
		answer("resources/read", `{ "contents":[{"uri":"file:///notes.txt","mimeType":"text/plain","text":"one\ntwo"},`+
			`{"uri":"file:///a.png","mimeType":"image/png","blob":"aGk="}] }`),
	}
	return Scripted("files", s)
}

var _ = Describe("Reading a resource from the shell", func() {
	read := func(server Server, words ...string) Outcome {
		GinkgoHelper()
		return Run(Launch{Config: Configuration(InDev(server)), Args: append([]string{"read"}, words...)})
	}

	It("prints its texts, and names what is none", func() {
		server := library()

		outcome := read(server, "dev/files", "file:///notes.txt")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(Equal("one\ntwo\n"))
		Expect(outcome.Stderr).To(ContainSubstring("image/png of 2 bytes is not shown; --output DIR saves it"))
		Expect(server.ReceivedWith("resources/read")[0]).To(ContainSubstring(`"uri":"file:///notes.txt"`))
	})

	It("saves other files, and prints the server's own bytes with --json", func() {
		outcome := read(library(), "files", "file:///notes.txt", "--output", GinkgoT().TempDir())
		Expect(outcome.Stdout).To(HaveSuffix("notes_txt-1.png\n"))

		outcome = read(library(), "files", "file:///notes.txt", "--json")
		Expect(outcome.Stdout).To(HavePrefix(`{ "contents":[{"uri":"file:///notes.txt","mimeType":"text/plain"`))
	})

	It("prints as much as fits, and says where the whole is", func() {
		server := WithTools()
		server.Capabilities = `{"resources":{}}`
		server.Rules = []script.Rule{{Method: "resources/read", Do: []script.Step{{
			Result: `{"contents":[{"uri":"a:b","text":"` + strings.Repeat("line\\n", 1000) + `"}]}`,
		}}}}
		outcome := read(Scripted("files", server), "files", "a:b", "--max", "500")
		Expect(len(outcome.Stdout)).To(BeNumerically("<", 900))
		Expect(outcome.Stdout).To(ContainSubstring("shown; whole: "))
	})

	It("lists resources and templates when none is named", func() {
		outcome := read(library(), "dev/files")
		Expect(outcome.Stdout).To(Equal("file:///notes.txt\tnotes\tAll\\u001b[31m notes\nfile:///{name}\tany\t\n"))

		outcome = read(library(), "dev/files", "--json")
		Expect(outcome.Stdout).To(ContainSubstring(`{"resources":[{ "uri":"file:///notes.txt"`))
		Expect(outcome.Stdout).To(ContainSubstring(`"x":1.0 }],"resourceTemplates":[{"uriTemplate":"file:///{name}","name":"any"}]}`))
	})

	DescribeTable("says why it cannot", func(code int, message string, words ...string) {
		refusing := WithTools()
		refusing.Capabilities = `{"resources":{}}`
		refusing.Rules = []script.Rule{{Method: "resources/read", Do: []script.Step{{Error: `{"code":-32002,"message":"Resource not found"}`}}}}
		config := Configuration(InDev(Scripted("none", WithTools("look")), Scripted("files", refusing)))
		outcome := Run(Launch{Config: config, Args: append([]string{"read"}, words...)})

		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(ContainSubstring(message))
	},
		Entry("no server", 2, "name a server; 'mcp-workbench list' shows them"),
		Entry("a toolbox", 2, `"dev" does not name a server`, "dev"),
		Entry("a tool", 2, `"dev/none/look" does not name a server`, "dev/none/look"),
		Entry("a server without resources", 2, "dev/none has no resources", "dev/none", "a:b"),
		Entry("a resource that the server does not have", 5, "Resource not found", "dev/files", "a:b"),
		Entry("a size that is none", 2, "--max needs a number of bytes", "dev/files", "a:b", "--max", "-1"),
	)
})
