package config_test

import (
	"encoding/json"
	"errors"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Servers", func() {
	DescribeTable("are reached over the transport",
		func(settings, kind string) {
			Expect(server(load(withServer(settings))).Transport).To(Equal(kind))
		},
		Entry("that transport names", `{"transport":"stdio","command":"x"}`, "stdio"),
		Entry("that type names", `{"type":"http","url":"x"}`, "http"),
		Entry("that type names as hosts write it", `{"type":"streamable-http","url":"x"}`, "http"),
		Entry("that type names as other hosts write it", `{"type":"streamableHttp","url":"x"}`, "http"),
		Entry("that transport and type both name", `{"transport":"http","url":"x","type":"streamable-http"}`, "http"),
		Entry("http, when there is only a url", `{"url":"x"}`, "http"),
		Entry("stdio, when nothing says otherwise", `{"command":"x"}`, "stdio"),
	)

	DescribeTable("are refused, with their place,",
		func(settings, problem string) {
			Expect(problemsOf(withServer(settings))).To(Equal([]string{"c.json:" + problem}))
		},
		Entry("when the transport is unknown", `{"transport":"carrier-pigeon","args":"y"}`,
			`2:14: toolboxes.dev.mcpServers.fs.transport: found "carrier-pigeon", want a transport that is known here: "http" or "stdio"`),
		Entry("when the type is unknown", `{"type":"sse","url":"x","colour":"red"}`,
			`2:9: toolboxes.dev.mcpServers.fs.type: found "sse", want a transport that is known here: "http" or "stdio"`),
		Entry("when the transport is written otherwise", `{"transport":"STDIO","command":"x"}`,
			`2:14: toolboxes.dev.mcpServers.fs.transport: found "STDIO", want a transport that is known here: "http" or "stdio"`),
		Entry("when the transport is a number", `{"transport":1,"command":"x"}`,
			`2:14: toolboxes.dev.mcpServers.fs.transport: found a number, want a transport: "http" or "stdio"`),
		Entry("when transport and type differ", `{"transport":"stdio","type":"http","command":"x"}`,
			`2:29: toolboxes.dev.mcpServers.fs.type: found "http", want "stdio", as "transport" says`),
		Entry("when the server is a string", `"npx fs"`,
			`2:1: toolboxes.dev.mcpServers.fs: found a string, want an object with the settings of a server`),
		Entry("when disabled is a string", `{"command":"x","disabled":"yes"}`,
			`2:27: toolboxes.dev.mcpServers.fs.disabled: found a string, want true or false`),
		Entry("when toolFilters is a string", `{"command":"x","toolFilters":"*"}`,
			`2:30: toolboxes.dev.mcpServers.fs.toolFilters: found a string, want a list of strings`),
		Entry("when toolFilters is null", `{"command":"x","toolFilters":null}`,
			`2:30: toolboxes.dev.mcpServers.fs.toolFilters: found null, want a list of strings`),
		Entry("when a tool is excluded without a star", `{"command":"x","toolFilters":["a","!b"]}`,
			`2:35: toolboxes.dev.mcpServers.fs.toolFilters[1]: found "!b" without "*", want "*" in the same list, from which "!" excludes tools`),
		Entry("when a tool filter is a number", `{"command":"x","toolFilters":["a",1]}`,
			`2:35: toolboxes.dev.mcpServers.fs.toolFilters[1]: found a number, want a string`),
		Entry("when nothing is to be started", `{"args":[]}`,
			`2:1: toolboxes.dev.mcpServers.fs.command: found nothing, want the program to start, a string`),
		Entry("when the command is a list", `{"command":["x"]}`,
			`2:12: toolboxes.dev.mcpServers.fs.command: found a list, want the program to start, a string`),
		Entry("when the command is empty", `{"command":""}`,
			`2:12: toolboxes.dev.mcpServers.fs.command: found "", want the program to start, a string`),
		Entry("when a text is a list", `{"command":"x","args":"secret"}`,
			`2:23: toolboxes.dev.mcpServers.fs.args: found a string, want a list of strings`),
		Entry("when null is in a list", `{"command":"x","args":["${GONE}",null]}`,
			`2:34: toolboxes.dev.mcpServers.fs.args[1]: found null, want a string`),
		Entry("when an object is a list", `{"command":"x","env":["A=1"]}`,
			`2:22: toolboxes.dev.mcpServers.fs.env: found a list, want an object of strings`),
		Entry("when a value of an object is a boolean", `{"command":"x","env":{"A":"a","B":true}}`,
			`2:35: toolboxes.dev.mcpServers.fs.env.B: found true, want a string`),
		Entry("when a text is null", `{"command":"x","cwd":null}`,
			`2:22: toolboxes.dev.mcpServers.fs.cwd: found null, want a string`),
		Entry("when a boolean is a text", `{"command":"x","installScripts":"yes"}`,
			`2:33: toolboxes.dev.mcpServers.fs.installScripts: found a string, want true or false`),
		Entry("when an object is a text", `{"url":"x","tls":"secret"}`,
			`2:18: toolboxes.dev.mcpServers.fs.tls: found a string, want an object with "cert" and "key"`),
		Entry("when a key of an object is missing", `{"url":"x","tls":{"key":"/k"}}`,
			`2:18: toolboxes.dev.mcpServers.fs.tls.cert: found nothing, want a certificate`),
		Entry("when a text in an object is empty", `{"url":"x","tls":{"cert":"/c","key":""}}`,
			`2:37: toolboxes.dev.mcpServers.fs.tls.key: found "", want a key`),
		Entry("when it has a command and a url", `{"command":"c","url":"https://x"}`,
			`2:2: toolboxes.dev.mcpServers.fs.command: found "command" together with "url", want one of them: `+
				`"command" for a program on this machine, "url" for a server elsewhere`),
		Entry("when it has both, and a transport", `{"command":"c","url":"https://x","transport":"stdio"}`,
			`2:2: toolboxes.dev.mcpServers.fs.command: found "command" together with "url", want one of them: `+
				`"command" for a program on this machine, "url" for a server elsewhere`),
		Entry("when it has both, and keys of one of them", `{"command":"c","args":["a"],"url":"https://x"}`,
			`2:2: toolboxes.dev.mcpServers.fs.command: found "command" together with "url", want one of them: `+
				`"command" for a program on this machine, "url" for a server elsewhere`),
		Entry("when it has a command and the kind of an address", `{"type":"http","command":"c","args":["a"]}`,
			`2:9: toolboxes.dev.mcpServers.fs.type: found "http" together with "command", want "stdio" for a program on this machine, `+
				`or "url" instead of "command" for a server elsewhere`),
		Entry("when it has a url and the kind of a program", `{"transport":"stdio","url":"https://x","headers":{}}`,
			`2:14: toolboxes.dev.mcpServers.fs.transport: found "stdio" together with "url", want "http" for a server elsewhere, `+
				`or "command" instead of "url" for a program on this machine`),
	)

	Context("when the binary does not have the transport that follows", func() {
		loadWith := func(content string, kinds map[string]ports.Transport) []string {
			_, err := config.Load(config.Options{Path: write("c.json", content)}, kinds)
			return texts(invalid(err).Problems)
		}

		It("says that url needs http", func() {
			Expect(loadWith(withServer(`{"url":"https://x","headers":{"A":"b"}}`), map[string]ports.Transport{"stdio": stdio()})).To(Equal([]string{
				`c.json:2:8: toolboxes.dev.mcpServers.fs.url: found "url", which needs the transport "http", ` +
					`want a transport that is known here: "stdio"`,
			}))
		})

		It("says that none given means stdio", func() {
			Expect(loadWith(withServer(`{"command":"x"}`), map[string]ports.Transport{"http": http()})).To(Equal([]string{
				`c.json:2:1: toolboxes.dev.mcpServers.fs: found no transport, which means "stdio", ` +
					`want a transport that is known here: "http"`,
			}))
		})
	})

	DescribeTable("show the tools that toolFilters selects",
		func(filters string, allowed, hidden []string) {
			filter := server(load(withServer(`{"command":"x"` + filters + `}`))).Tools
			for _, tool := range allowed {
				Expect(filter.Allows(tool)).To(BeTrue(), tool)
			}
			for _, tool := range hidden {
				Expect(filter.Allows(tool)).To(BeFalse(), tool)
			}
		},
		Entry("all when absent", ``, []string{"a", "b"}, nil),
		Entry("all for a star", `,"toolFilters":["*"]`, []string{"a", "b"}, nil),
		Entry("those listed", `,"toolFilters":["a"]`, []string{"a"}, []string{"b", "A"}),
		Entry("none for an empty list", `,"toolFilters":[]`, nil, []string{"a", "b"}),
	)

	Context("of a disabled toolbox", func() {
		It("are left out without a warning, whatever is in it", func() {
			configuration := load(`{"confirm":["off/a/x"],"toolboxes":{
				"off":{"disabled":true,"mcpServers":{"a":{"transport":"carrier-pigeon","args":["${"]}},"x":1},
				"bare":{"disabled":true}, "odd__":{"disabled":true,"mcpServers":7},
				"on":{"disabled":false,"mcpServers":{"b":{"command":"x"}}}}}`)

			Expect(toolboxNames(configuration)).To(Equal([]string{"on"}))
			Expect(configuration.Warnings).To(BeEmpty())
		})

		It("are checked if its key disabled is not a boolean", func() {
			Expect(problemsOf(`{"toolboxes":{"dev":{"disabled":1,"mcpServers":{"a":{"command":"x"}}}}}`)).To(ConsistOf(
				ContainSubstring("toolboxes.dev.disabled: found a number, want true or false")))
		})
	})

	Context("when disabled", func() {
		It("are left out, even with other mistakes", func() {
			configuration := load(`{"toolboxes":{"dev":{"mcpServers":{
				"a": {"disabled": true, "transport": "carrier-pigeon", "args": ["${"], "x": 1},
				"b": {"disabled": false, "command": "x"}
			}}}}`)

			Expect(configuration.Catalog.Toolboxes()[0].ServerNames()).To(Equal([]string{"b"}))
			Expect(configuration.Warnings).To(BeEmpty())
		})

		It("leave out their toolbox, too, if it has no other, with a warning", func() {
			configuration := load(`{"toolboxes":{"dev":{"mcpServers":{"a":{"disabled":true}}},"ops":{"mcpServers":{"a":{"command":"x"}}}}}`)

			Expect(toolboxNames(configuration)).To(Equal([]string{"ops"}))
			Expect(texts(configuration.Warnings)).To(Equal([]string{
				"c.json:1:35: toolboxes.dev: left out, since all its servers are disabled",
			}))
		})
	})

	It("can have keys of hosts that have no effect here, with a warning each", func() {
		configuration := load(withServer(`{"command":"x","autoApprove":["a"],"alwaysAllow":true,"timeout":60,"disabledTools":["b"]}`))

		Expect(texts(configuration.Warnings)).To(Equal([]string{
			`c.json:2:16: toolboxes.dev.mcpServers.fs.autoApprove: has no effect here`,
			`c.json:2:36: toolboxes.dev.mcpServers.fs.alwaysAllow: has no effect here`,
			`c.json:2:55: toolboxes.dev.mcpServers.fs.timeout: has no effect here; "limits" has the workbench's own`,
			`c.json:2:68: toolboxes.dev.mcpServers.fs.disabledTools: has no effect here; "toolFilters" says which tools exist`,
		}))
		Expect(server(configuration).Settings).To(MatchJSON(`{"command":"x"}`))
	})

	It("can have placeholders of a page as values of secrets, with a warning each that says what to write", func() {
		content := withServer(`{"command":"x","args":["-y","<folder>","--api-key","YOUR_API_KEY"],"env":{"GH_TOKEN":"<your-token>","MODE":"replace-all","OPENAI_API_KEY":"sk-xxxx","PAT":"ghp_0123456789abcdef","PASSWORD":"changeme"}}`)
		Expect(warningsOf(content)).To(Equal([]string{
			`c.json:2:52: toolboxes.dev.mcpServers.fs.args[3]: is a placeholder: write "${API_KEY}", and set API_KEY where hosts are started`,
			`c.json:2:86: toolboxes.dev.mcpServers.fs.env.GH_TOKEN: is a placeholder: write "${GH_TOKEN}", and set GH_TOKEN where hosts are started`,
			`c.json:2:139: toolboxes.dev.mcpServers.fs.env.OPENAI_API_KEY: is a placeholder: write "${OPENAI_API_KEY}", and set OPENAI_API_KEY where hosts are started`,
		}))
		Expect(warningsOf(withServer(`{"url":"https://h.example","headers":{"Authorization":"Bearer YOUR_TOKEN","X-Project":"<id>"}}`))).To(Equal([]string{
			`c.json:2:55: toolboxes.dev.mcpServers.fs.headers.Authorization: is a placeholder: write "Bearer ${FS_AUTHORIZATION}", and set FS_AUTHORIZATION where hosts are started`,
		}))
	})

	It("leave a key to a transport that has it", func() {
		slow := fakeTransport{settings: struct {
			Command string `json:"command"`
			Timeout string `json:"timeout"`
		}{}}
		path := write("c.json", withServer(`{"command":"x","timeout":"5"}`))

		configuration := spec.Must(config.Load(config.Options{Path: path}, map[string]ports.Transport{"stdio": slow}))
		Expect(configuration.Warnings).To(BeEmpty())
		Expect(server(configuration).Settings).To(MatchJSON(`{"command":"x","timeout":"5"}`))
	})

	It("have the settings of the file as standard JSON, in its order and its bytes", func() {
		configured := server(load(withServer(`{ // c
			"env": {"Z": "1", "A": "\u00e4<>&", }, "transport": "stdio",
			"args": [ "-y", /* d */ "b", ], "disabled": false, "command": "x", "toolFilters": [],
		}`)))

		Expect(string(configured.Settings)).To(Equal(`{"env":{"Z":"1","A":"\u00e4<>&"},"args":["-y","b"],"command":"x"}`))
		Expect(configured.Configured).To(Equal(configured.Settings))
	})

	It("keep numbers as they are written", func() {
		lenient := fakeTransport{settings: struct {
			OAuth any `json:"oauth"`
		}{}, check: func(json.RawMessage) error { return nil }}
		path := write("c.json", withServer(`{"type":"http","oauth":{"n":[1e400,9007199254740993,-0.10]}}`))

		configuration := spec.Must(config.Load(config.Options{Path: path}, map[string]ports.Transport{"http": lenient}))
		Expect(string(server(configuration).Settings)).To(Equal(`{"oauth":{"n":[1e400,9007199254740993,-0.10]}}`))
	})

	Describe("inheritEnv at the root", func() {
		settings := func(inherit, own string) string {
			GinkgoHelper()
			return string(server(load(`{"inheritEnv":` + inherit + `,"toolboxes":{"dev":{"mcpServers":{"fs":{` + own + `}}}}}`)).Settings)
		}

		It("applies to servers without a setting of their own", func() {
			Expect(settings(`[ "A", ]`, `"command":"x"`)).To(Equal(`{"command":"x","inheritEnv":["A"]}`))
			Expect(settings(`"all"`, `"command":"x"`)).To(Equal(`{"command":"x","inheritEnv":"all"}`))
			Expect(settings(`true`, `"command":"x","inheritEnv":false`)).To(Equal(`{"command":"x","inheritEnv":false}`))
		})

		It("does not apply to servers whose transport does not know it", func() {
			Expect(settings(`true`, `"url":"x"`)).To(Equal(`{"url":"x"}`))
		})

		DescribeTable("is refused",
			func(value, problem string) {
				Expect(problemsOf(withRoot(`"inheritEnv":` + value))).To(Equal([]string{problem}))
			},
			Entry("as a number", `1`, `c.json:2:14: inheritEnv: found 1, want true, false or a list of variable names`),
			Entry("as a word", `"some"`, `c.json:2:14: inheritEnv: found "some", want true, false or a list of variable names`),
			Entry("as an object", `{}`, `c.json:2:14: inheritEnv: found an object, want true, false or a list of variable names`),
			Entry("as null", `null`, `c.json:2:14: inheritEnv: found null, want true, false or a list of variable names`),
			Entry("as a list of other things", `["A",1]`, `c.json:2:19: inheritEnv[1]: found a number, want a variable name`),
		)
	})

	Describe("checked by their transport", func() {
		failing := func(settings string, failure error) ([]string, json.RawMessage) {
			GinkgoHelper()
			var seen json.RawMessage
			strict := fakeTransport{settings: stdio().settings, check: func(settings json.RawMessage) error {
				seen = settings
				return failure
			}}
			options := config.Options{Path: write("c.json", withServer(settings)), Environ: []string{"A=expanded-value"}}
			_, err := config.Load(options, map[string]ports.Transport{"stdio": strict})
			return texts(invalid(err).Problems), seen
		}
		wrong := func(key ...string) error {
			return &domain.SettingError{Key: key, Found: "this", Wanted: "that"}
		}

		It("have each problem placed where the value is, on every level of what was joined", func() {
			problems, _ := failing(`{"command":"x","args":["a","b"],"env":{"A":"b"}}`, fmt.Errorf("check: %w",
				errors.Join(errors.Join(wrong("env", "A"), nil), fmt.Errorf("more: %w", wrong("args", "1")), wrong("command"))))

			Expect(problems).To(Equal([]string{
				`c.json:2:12: toolboxes.dev.mcpServers.fs.command: found this, want that`,
				`c.json:2:28: toolboxes.dev.mcpServers.fs.args[1]: found this, want that`,
				`c.json:2:44: toolboxes.dev.mcpServers.fs.env.A: found this, want that`,
			}))
		})

		It("have problems with missing members placed at the value around them", func() {
			problems, _ := failing(`{"args":["a"],"env":{},"command":"x"}`, errors.Join(
				wrong("cwd"), wrong("args", "7"), wrong("env", "A", "deeper"), wrong(), wrong("args", "x")))

			Expect(problems).To(Equal([]string{
				`c.json:2:1: toolboxes.dev.mcpServers.fs.cwd: found this, want that`,
				`c.json:2:1: toolboxes.dev.mcpServers.fs: found this, want that`,
				`c.json:2:9: toolboxes.dev.mcpServers.fs.args[7]: found this, want that`,
				`c.json:2:9: toolboxes.dev.mcpServers.fs.args.x: found this, want that`,
				`c.json:2:21: toolboxes.dev.mcpServers.fs.env.A.deeper: found this, want that`,
			}))
		})

		It("have a problem with the first of two values under one key placed there", func() {
			Expect(problemsOf(withServer("{\"command\":\"x\",\"env\":{\"A\":1,\n\"A\":\"b\"}}"))).To(HaveExactElements(
				`c.json:2:27: toolboxes.dev.mcpServers.fs.env.A: found a number, want a string`,
				HavePrefix(`c.json:3:1: toolboxes.dev.mcpServers.fs.env.A: found "A" a second time`),
			))
		})

		It("are seen as configured, not as expanded", func() {
			_, seen := failing(`{"command":"${A}"}`, wrong())

			Expect(string(seen)).To(Equal(`{"command":"${A}"}`))
		})

		It("have other failures reported verbatim, without secrets", func() {
			problems, _ := failing(`{"command":"x","env":{"K":"hidden-literal"}}`, errors.New("bad hidden-literal"))

			Expect(problems).To(Equal([]string{`c.json:2:1: toolboxes.dev.mcpServers.fs: bad ***`}))
		})
	})
})
