package definitions_test

import (
	"bytes"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// written writes the tools of an answer in a short form, as JSON with a line break
// after each tool.
func written(shown definitions.Shown) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for i, server := range shown.Servers {
		text.WriteString(map[bool]string{true: "{", false: ",\n"}[i == 0])
		Expect(encoder.Encode(string(server.Server))).To(Succeed())
		text.Truncate(text.Len() - 1)
		text.WriteString(":[")
		for j, tool := range server.Tools {
			if j > 0 {
				text.WriteString(",\n")
			}
			Expect(encoder.Encode(tool)).To(Succeed())
			text.Truncate(text.Len() - 1)
		}
		text.WriteString("]")
	}
	return text.String() + "}"
}

// tools makes a server with tools of the form {name, description, inputSchema}.
func tools(server string, list ...string) definitions.ServerTools {
	tools := definitions.ServerTools{Server: domain.ServerName(server)}
	for _, definition := range list {
		tools.Tools = append(tools.Tools, toolOf(definition))
	}
	return tools
}

var _ = Describe("Tools of a toolbox", func() {
	const (
		read  = `{"name":"read","description":"Reads a file. All of it.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Must be absolute."}},"required":["path"]},"outputSchema":{"type":"object"}}`
		write = `{"name":"write","description":"Writes a file. Must not exist.","inputSchema":{"type":"object","properties":{}}}`
	)
	servers := []definitions.ServerTools{tools("files", read, write), tools("none"), tools("more", write)}

	It("are signatures by server in compact form", func() {
		shown := definitions.Show(definitions.Compact, "dev", servers, 0)

		Expect(shown.Form).To(Equal(definitions.Compact))
		Expect(shown.Servers).To(Equal([]definitions.ServerTexts{
			{Server: "files", Tools: []string{"read(path: string /* Must be absolute. */) — Reads a file.", "write~() — Writes a file."}},
			{Server: "none", Tools: []string{}},
			{Server: "more", Tools: []string{"write~() — Writes a file."}},
		}))
	})

	It("are names with first sentences in the form of names", func() {
		shown := definitions.Show(definitions.Names, "dev", servers, 1000)

		Expect(shown.Servers[0].Tools).To(Equal([]string{"read — Reads a file.", "write — Writes a file."}))
	})

	It("are objects in the full and the lean form", func() {
		for _, form := range []definitions.Form{definitions.Full, definitions.Lean} {
			shown := definitions.Show(form, "dev", servers, 0)

			Expect(shown.Form).To(Equal(form))
			Expect(shown.Servers).To(BeNil())
		}
	})

	It("take as many bytes as is said, in the server's bytes and with the server and toolbox", func() {
		text := read[:len(read)-1] + `,"server":"files","toolbox":"dev"},` + "\n"
		full := definitions.Show(definitions.Full, "dev", servers[:1], 0).Bytes - definitions.Show(definitions.Full, "dev", []definitions.ServerTools{tools("files", write)}, 0).Bytes
		lean := definitions.Show(definitions.Lean, "dev", servers[:1], 0).Bytes - definitions.Show(definitions.Lean, "dev", []definitions.ServerTools{tools("files", write)}, 0).Bytes

		Expect(full).To(Equal(len(text)))
		Expect(full - lean).To(Equal(len(`"outputSchema":{"type":"object"}`)))
	})

	It("take no more than is said as texts", func() {
		for _, form := range []definitions.Form{definitions.Compact, definitions.Names} {
			shown := definitions.Show(form, "dev", servers, 1000)

			Expect(len(written(shown))).To(BeNumerically("~", shown.Bytes, 8))
			Expect(len(written(shown))).To(BeNumerically("<=", shown.Bytes))
		}
	})

	Describe("that are named within a budget", func() {
		many := tools("s", strings.Split(strings.Repeat(`{"name":"tool","description":"Does one of the many things that tools do."}`+"\n", 50)+`{"name":"last"}`, "\n")...)

		named := func(budget int) []string {
			shown := definitions.Show(definitions.Names, "dev", []definitions.ServerTools{many}, budget)
			if budget > 500 {
				Expect(shown.Bytes).To(BeNumerically("<=", budget))
			}
			return shown.Servers[0].Tools
		}

		It("have shorter sentences where whole ones do not fit", func() {
			Expect(named(2000)).To(And(HaveLen(51), HaveEach(Or(Equal("last"), Equal("tool — Does one of the many…")))))
		})

		It("have none where short ones do not fit", func() {
			Expect(named(600)).To(And(HaveLen(51), HaveEach(Or(Equal("last"), Equal("tool")))))
		})

		It("keep their names whatever the budget", func() {
			Expect(named(0)).To(And(HaveLen(51), HaveEach(Or(Equal("last"), Equal("tool")))))
		})
	})

	Describe("of which the form is chosen", func() {
		auto := func(budget int) definitions.Shown { return definitions.Show(definitions.Auto, "dev", servers, budget) }

		It("are as detailed as fits the budget", func() {
			Expect(auto(definitions.DefaultBudget).Form).To(Equal(definitions.Lean))
			compact := auto(200)
			Expect(compact.Form).To(Equal(definitions.Compact))
			Expect(compact.Servers[0].Tools[0]).To(Equal("read(path: string /* Must be absolute. */) — Reads a file."))
			Expect(compact.Bytes).To(BeNumerically("<=", 200))
		})

		It("lose the prose of parameters before their signatures", func() {
			shown := auto(definitions.Show(definitions.Compact, "dev", servers, 0).Bytes - 1)

			Expect(shown.Form).To(Equal(definitions.Compact))
			Expect(shown.Servers[0].Tools[0]).To(Equal("read~(path: string) — Reads a file."))
		})

		It("are names at last", func() {
			Expect(auto(100).Form).To(Equal(definitions.Names))
			Expect(auto(0).Form).To(Equal(definitions.Names))
		})

		It("are whole without one", func() {
			Expect(definitions.Show(definitions.Auto, "dev", nil, 100)).To(Equal(definitions.Shown{Form: definitions.Lean, Bytes: 2}))
		})
	})
})

var _ = Describe("A form", func() {
	It("is known by its name", func() {
		Expect(definitions.Forms()).To(HaveEach(WithTransform(definitions.Form.Known, BeTrue())))
		Expect(definitions.Form("tiny").Known()).To(BeFalse())
	})

	It("is short when tools are texts", func() {
		Expect(definitions.Compact.Short()).To(BeTrue())
		Expect(definitions.Names.Short()).To(BeTrue())
		Expect(definitions.Full.Short() || definitions.Lean.Short() || definitions.Auto.Short()).To(BeFalse())
	})
})
