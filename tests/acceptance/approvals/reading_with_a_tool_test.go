package approvals_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// readFiles are members of a configuration which says that tools named "read…" only read.
const readFiles = `"readTool":true,"readOnly":["read*"]`

// readingHost starts a workbench with these servers and with raw members at the root of its
// configuration.
func readingHost(e Era, root string, servers ...Server) Host {
	GinkgoHelper()
	return Connect(Start(Launch{Config: WithRoot(Configuration(InDev(servers...)), root)}), e.Modern, FormCapability)
}

// beginRead begins a call of read_tool.
func beginRead(host Host, server, tool, arguments string, meta ...string) string {
	return host.Begin("tools/call", host.Params(`"name":"read_tool","arguments":`+UseArguments("dev", server, tool, arguments), meta...))
}

func readWith(host Host, server, tool, arguments string) Message {
	GinkgoHelper()
	return host.Await(beginRead(host, server, tool, arguments))
}

// refusedRead is the error about a tool that read_tool does not call.
func refusedRead(tool, why string) string {
	return "Tool '" + tool + "' in server 'files' (toolbox 'dev') cannot be called with read_tool: " + why +
		".\nCall it with use_tool and the same parameters."
}

const (
	doesMore = "it is not one of the tools that only read"
	isAsked  = "the user wants to be asked before each call of it"
)

// ownNames returns the names of the workbench's own tools.
func ownNames(host Host) []string {
	GinkgoHelper()
	var listed struct{ Tools []struct{ Name string } }
	host.Request("tools/list", host.Params("")).Decode(&listed)
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// annotatedTool is the definition of a tool with annotations.
func annotatedTool(name, annotations string) string {
	return `{"name":` + Quote(name) + `,"inputSchema":{"type":"object"},"annotations":` + annotations + `}`
}

var _ = Describe("read_tool", Label("K07"), func() {
	for _, e := range Eras {
		Context("for a host of "+e.Name, func() {
			It("calls only the tools that the configuration names, and passes on their results byte for byte", func() {
				s := WithTools("read", "write")
				s.Rules = []script.Rule{script.Answer("read", `{"content":[], "n":9007199254740993,"_meta":{"x":1.0}}`)}
				files := Scripted("files", s)
				host := readingHost(e, readFiles, files)
				Expect(ownNames(host)).To(Equal([]string{"open_toolbox", "use_tool", "read_tool"}))
				Expect(host.Open("dev").JSON).To(HaveSuffix(`],"read_tool":{"files":["read"]}}`))

				direct := host.Use("dev", "files", "read", `{"path": "é", "n": 1e2}`)
				read := readWith(host, "files", "read", `{"path": "é", "n": 1e2}`)

				Expect(string(read.Result)).To(Equal(string(direct.Result)))
				calls := files.ReceivedWith("tools/call")
				Expect(calls).To(HaveLen(2))
				Expect(calls[1]).To(ContainSubstring(`"arguments":{"path": "é", "n": 1e2}`))
				Expect(readWith(host, "files", "write", `{}`).Failure()).To(Equal(refusedRead("write", doesMore)))
				Expect(readWith(host, "files", "erase", `{}`).Failure()).To(HavePrefix("Tool 'erase' not found in server 'files' (toolbox 'dev')"))
				Expect(files.ReceivedWith("tools/call")).To(HaveLen(2))
			})

			It("calls tools that are read-only in the lock, as long as they equal the lock", func() {
				const readOnly = `{"readOnlyHint":true}`
				p := NewPinnedFiles(WithDefinitions(annotatedTool("get", readOnly), annotatedTool("list", readOnly), annotatedTool("put", `{}`)),
					`"readTool":true,"trustAnnotations":true`)
				Expect(p.Run("lock").Code).To(Equal(0))
				p.ServerIs(WithDefinitions(annotatedTool("get", readOnly), annotatedTool("list", `{"readOnlyHint":true,"title":"L"}`),
					annotatedTool("put", readOnly), annotatedTool("added", readOnly)))
				host := p.Connect(e)
				Expect(host.Open("dev").JSON).To(ContainSubstring(`],"read_tool":{"files":["get"]},`))

				Expect(readWith(host, "files", "get", `{}`).Text()).To(Equal("done"))
				for _, tool := range []string{"list", "put", "added"} {
					Expect(readWith(host, "files", tool, `{}`).Failure()).To(Equal(refusedRead(tool, doesMore)))
					Expect(host.Use("dev", "files", tool, `{}`).Text()).To(Equal("done"))
				}
			})

			It("appears at the next start, and disappears at once", func() {
				files := Scripted("files", WithTools("read", "write"))
				with := WithRoot(Configuration(InDev(files)), readFiles)
				host := ServeReloadable(e, with)
				host.Open("dev")

				Expect(host.Reload(strings.Replace(with, "read*", "*", 1))).To(ContainSubstring(
					"from the next start of the workbench: readOnly or trustAnnotations of server 'files' in toolbox 'dev' (protects less than before)"))
				Expect(readWith(host.Host, "files", "write", `{}`).Failure()).To(Equal(refusedRead("write", doesMore)))

				host.Reload(Configuration(InDev(files)))
				host.AwaitSent(ToolsListChanged, 1)
				Expect(ownNames(host.Host)).To(Equal([]string{"open_toolbox", "use_tool"}))

				Expect(host.Reload(with)).To(ContainSubstring("readTool (protects less than before)"))
				Expect(ownNames(host.Host)).To(Equal([]string{"open_toolbox", "use_tool"}))
			})
		})
	}
})
