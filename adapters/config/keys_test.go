package config_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Keys", func() {
	DescribeTable("that occur twice are problems that name both lines", Label("G03"),
		func(content string, problems ...string) {
			Expect(problemsOf(content)).To(Equal(problems))
		},
		Entry("at the root", "{\"toolboxes\":{},\n\"logLevel\":\"warn\",\n\"toolboxes\":{}}",
			`c.json:3:1: toolboxes: found "toolboxes" a second time (the first is on line 1), want each key once`),
		Entry("as toolboxes", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\"}}},\n\n\"dev\":{}}}",
			`c.json:3:1: toolboxes.dev: found "dev" a second time (the first is on line 1), want each key once`),
		Entry("in a toolbox", "{\"toolboxes\":{\"dev\":{\"description\":\"a\",\n\"description\":\"b\",\"mcpServers\":{\"fs\":{\"command\":\"x\"}}}}}",
			`c.json:2:1: toolboxes.dev.description: found "description" a second time (the first is on line 1), want each key once`),
		Entry("as servers", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\n\"fs\":{\"command\":\"x\"},\n\"fs\":{\"command\":\"x\"}}}}}",
			`c.json:3:1: toolboxes.dev.mcpServers.fs: found "fs" a second time (the first is on line 2), want each key once`),
		Entry("in a server, each time", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\",\n\"command\":\"y\",\n\"command\":\"z\"}}}}}",
			`c.json:2:1: toolboxes.dev.mcpServers.fs.command: found "command" a second time (the first is on line 1), want each key once`,
			`c.json:3:1: toolboxes.dev.mcpServers.fs.command: found "command" a second time (the first is on line 1), want each key once`),
		Entry("in env", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\",\"env\":{\"A\":\"1\",\n\"A\":\"2\"}}}}}}",
			`c.json:2:1: toolboxes.dev.mcpServers.fs.env.A: found "A" a second time (the first is on line 1), want each key once`),
		Entry("in limits", "{\"toolboxes\":{},\"limits\":{\"call\":1,\n\"call\":2}}",
			`c.json:2:1: limits.call: found "call" a second time (the first is on line 1), want each key once`),
		Entry("deep in the settings of a transport", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"url\":\"x\",\"oauth\":[{\"id\":\"1\",\n\"id\":\"2\"}]}}}}}",
			`c.json:2:1: toolboxes.dev.mcpServers.fs.oauth[0].id: found "id" a second time (the first is on line 1), want each key once`),
		Entry("written in two ways", "{\"toolboxes\":{},\n\"toolbox\\u0065s\":{}}",
			`c.json:2:1: toolboxes: found "toolboxes" a second time (the first is on line 1), want each key once`),
	)

	It("are case-sensitive", func() {
		configuration := load(withServers("fs", "FS", "Fs"))

		Expect(configuration.Catalog.Toolboxes()[0].ServerNames()).To(Equal([]string{"fs", "FS", "Fs"}))
	})

	DescribeTable("that are unknown are reported with the legal key that is meant",
		func(content, problem string) {
			Expect(problemsOf(content)).To(ContainElement("c.json:" + problem))
		},
		Entry("at the root", withRoot(`"tooboxes":{}`), `2:1: tooboxes: unknown key "tooboxes"; did you mean 'toolboxes'?`),
		Entry("at the root, in other words", withRoot(`"log_level":"warn"`), `2:1: log_level: unknown key "log_level"; did you mean 'logLevel'?`),
		Entry("at the root, unlike any other", withRoot(`"gateway":1`),
			`2:1: gateway: unknown key "gateway"; want one of the keys that 'mcp-workbench help configuration' describes`),
		Entry("in a toolbox", `{"toolboxes":{"dev":{"descripton":"a","mcpServers":{"fs":{"command":"x"}}}}}`,
			`1:22: toolboxes.dev.descripton: unknown key "descripton"; did you mean 'description'?`),
		Entry("in a toolbox, in other words", `{"toolboxes":{"dev":{"servers":{}}}}`,
			`1:22: toolboxes.dev.servers: unknown key "servers"; did you mean 'mcpServers'?`),
		Entry("in a server", withServer(`{"command":"x","argss":[]}`),
			`2:16: toolboxes.dev.mcpServers.fs.argss: unknown key "argss"; did you mean 'args'?`),
		Entry("in a server, a misspelt environment for env", withServer(`{"command":"x","enviroment":{}}`),
			`2:16: toolboxes.dev.mcpServers.fs.enviroment: unknown key "enviroment"; did you mean 'env'?`),
		Entry("in a server, environment for env", withServer(`{"command":"x","environment":{}}`),
			`2:16: toolboxes.dev.mcpServers.fs.environment: unknown key "environment"; did you mean 'env'?`),
		Entry("in a server, workingDirectory for cwd", withServer(`{"command":"x","workingDirectory":"/"}`),
			`2:16: toolboxes.dev.mcpServers.fs.workingDirectory: unknown key "workingDirectory"; did you mean 'cwd'?`),
		Entry("in a server, only the case differs", withServer(`{"command":"x","INHERITENV":true}`),
			`2:16: toolboxes.dev.mcpServers.fs.INHERITENV: unknown key "INHERITENV"; did you mean 'inheritEnv'?`),
		Entry("in a server, a key of another transport", withServer(`{"type":"stdio","command":"x","headers":{}}`),
			`2:31: toolboxes.dev.mcpServers.fs.headers: unknown key "headers"; want one of the keys that 'mcp-workbench help configuration' describes`),
		Entry("in a server, never suggesting a key without effect", withServer(`{"command":"x","timeouts":1}`),
			`2:16: toolboxes.dev.mcpServers.fs.timeouts: unknown key "timeouts"; want one of the keys that 'mcp-workbench help configuration' describes`),
		Entry("in limits", withRoot(`"limits":{"connct":1}`), `2:11: limits.connct: unknown key "connct"; did you mean 'connect'?`),
		Entry("in the limits of a server", withServer(`{"command":"x","limits":{"open_reply":1}}`),
			`2:26: toolboxes.dev.mcpServers.fs.limits.open_reply: unknown key "open_reply"; did you mean 'openReply'?`),
	)

	It("that begin with _ or $ are ignored on every level, also when they occur twice", func() {
		configuration := load(`{
			"$schema": "x", "_": 1, "_": 2,
			"limits": {"_why": "slow", "call": "5s"},
			"toolboxes": {"_comment": "a", "$ref": [], "dev": {"_": "b", "mcpServers": {"_": "c", "$x": 1, "fs": {
				"_": "d", "$id": {"a": 1, "a": 2}, "url": "x", "oauth": {"_": 1, "id": "i", "$": 2}, "limits": {"$": 0}
			}}}}
		}`)

		Expect(configuration.Warnings).To(BeEmpty())
		Expect(server(configuration).Settings).To(MatchJSON(`{"url":"x","oauth":{"id":"i"}}`))
	})

	It("that begin with _ or $ are kept in env and headers, where they are data", func() {
		environment := server(load(withServer(`{"command":"x","env":{"_JAVA_OPTIONS":"-Xmx1g","$A":"b"}}`)))
		Expect(environment.Settings).To(MatchJSON(`{"command":"x","env":{"_JAVA_OPTIONS":"-Xmx1g","$A":"b"}}`))

		headers := server(load(withServer(`{"url":"x","headers":{"_h":"v"}}`)))
		Expect(headers.Settings).To(MatchJSON(`{"url":"x","headers":{"_h":"v"}}`))
	})

	It("with an object under such a name, where a toolbox or server could be, come with a warning", func() {
		Expect(warningsOf(`{"toolboxes":{"_old":{},"dev":{"mcpServers":{"$fs":{},"fs":{"command":"x"}}}}}`)).To(Equal([]string{
			`c.json:1:15: toolboxes._old: ignored, since its name begins with "_"`,
			`c.json:1:46: toolboxes.dev.mcpServers["$fs"]: ignored, since its name begins with "$"`,
		}))
	})

	It("are quoted in key paths when a path could be read in two ways", func() {
		names := []string{`a.b`, `a b`, `größe`, `a\"b`, `a[0]`, ``, "line\\nend"}
		content := `{"toolboxes":{"d":{"mcpServers":{"f":{"command":"x","env":{"` + strings.Join(names, `":1,"`) + `":1}}}}}}`

		Expect(problemsOf(content)).To(HaveExactElements(
			ContainSubstring(`.f.env["a.b"]: found`),
			ContainSubstring(`.f.env["a b"]: found`),
			ContainSubstring(`.f.env["größe"]: found`),
			ContainSubstring(`.f.env["a\"b"]: found`),
			ContainSubstring(`.f.env["a[0]"]: found`),
			ContainSubstring(`.f.env[""]: found`),
			ContainSubstring(`.f.env["line\nend"]: found`),
		))
	})
})
