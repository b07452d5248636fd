package configuration_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Refusing a configuration", func() {
	var directory, path string
	BeforeEach(func() {
		resolved := spec.Must(filepath.EvalSymlinks(GinkgoT().TempDir()))
		directory = resolved
		path = filepath.Join(directory, "c.json")
	})
	run := func(args ...string) Outcome {
		GinkgoHelper()
		return Run(Launch{Args: args, Dir: directory})
	}
	// inServer returns a configuration whose only server has these members.
	inServer := func(members string) string {
		return `{"toolboxes": {"dev": {"mcpServers": {"s": {` + members + `}}}}}`
	}

	DescribeTable("prints one message with the place of the problem", func(text, problem string) {
		WriteFile(path, text)

		outcome := run("--strict", "--config", path)

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(Equal("mcp-workbench: the configuration cannot be used:\n" + path + problem + "\n"))
	},
		Entry("an empty file", Label("G01"), "", `:1:1: found an empty file, want an object with "toolboxes"`),
		Entry("an incomplete object", Label("G01"), "{\"toolboxes\": {\n\n", `:3:1: found the end of the file, want a key or a value`),
		Entry("an unknown key, with the nearest known one", Label("G02"), inServer(`"command": "c", "environment": {}`),
			`:1:61: toolboxes.dev.mcpServers.s.environment: unknown key "environment"; did you mean 'env'?`),
	)

	Describe("with validate", func() {
		It("says that the configuration can be used", func() {
			WriteFile(path, onlyToolbox("dev"))

			Expect(run("validate", "--config", path)).To(Equal(Outcome{
				Stdout: path + ": ok (toolboxes: 1, servers: 1)\n",
			}))
		})

		It("starts nothing", func() {
			server := Scripted("files", WithTools("read"))
			WriteFile(path, Configuration(InDev(server)))

			Expect(run("validate", "--config", path).Code).To(Equal(0))
			Expect(server.Received()).To(BeEmpty())
		})

		It("prints the problems and ends with 3", func() {
			WriteFile(path, inServer(`"command": 7`))

			Expect(run("validate", "--config", path)).To(Equal(Outcome{
				Code:   3,
				Stdout: path + ":1:56: toolboxes.dev.mcpServers.s.command: found a number, want the program to start, a string\n",
			}))
		})

		DescribeTable("names what is wrong in the settings of a server with an address", func(settings, problem string) {
			WriteFile(path, inServer(settings))

			outcome := run("validate", "--config", path)

			Expect(outcome.Code).To(Equal(3))
			Expect(outcome.Stdout).To(HaveSuffix(": toolboxes.dev.mcpServers.s." + problem + "\n"))
		},
			Entry("no address", `"type": "http"`, `url: found nothing, want the server's address, such as "https://example.com/mcp"`),
			Entry("an empty address", `"url": ""`, `url: found "", want the server's address, such as "https://example.com/mcp"`),
			Entry("a header that is no string", `"url": "https://a.example", "headers": {"A": 1}`, "headers.A: found a number, want a string"),
			Entry("a text as tls", `"url": "https://a.example", "tls": "x"`, `tls: found a string, want an object with "cert" and "key"`),
			Entry("tls without a certificate", `"url": "https://a.example", "tls": {}`, "tls.cert: found nothing, want the path of a file in PEM with the certificate"),
			Entry("a misspelt key of tls", `"url": "https://a.example", "tls": {"cert": "/c", "kye": "x"}`, `tls.kye: unknown key "kye"; did you mean 'key'?`),
		)

		It("prints warnings and ends with 0", func() {
			WriteFile(path, inServer(`"command": "/c", "env": {"T": "${WB_ABSENT}"}`))

			Expect(run("validate", "--config", path)).To(Equal(Outcome{
				Stdout: "warning: " + path + ":1:75: toolboxes.dev.mcpServers.s.env.T: " +
					"environment variable 'WB_ABSENT' is not set, so this server cannot be started\n" +
					path + ": ok (toolboxes: 1, servers: 1)\n",
			}))
		})

		It("says that a file that was asked for is absent", func() {
			Expect(run("validate", "--config", path)).To(Equal(Outcome{
				Code:   3,
				Stdout: path + ": found no file, want a configuration file (given by --config)\n",
			}))
		})

		It("says where it looked when there is no configuration", func() {
			outcome := run("validate")

			Expect(outcome.Code).To(Equal(0))
			Expect(outcome.Stdout).To(HavePrefix("no configuration found (looked for " + filepath.Join(directory, "workbench-config.json")))
		})

		It("warns about commands that are not in the PATH here or that of desktop programs", func() {
			if runtime.GOOS == "windows" {
				Skip("all programs have the same PATH on Windows")
			}
			tool := filepath.Join(directory, "wb-tool")
			Expect(os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
			WriteFile(path, inServer(`"command": "nppx"}, "t": {"command": "wb-tool"}, "u": {"command": "wb-tool", "env": {"PATH": "/x"}`))

			outcome := Run(Launch{Args: []string{"validate", "--config", path}, Env: []string{"PATH=" + directory}})

			Expect(outcome.Code).To(Equal(0))
			Expect(strings.Split(outcome.Stdout, "\n")).To(HaveExactElements(
				"warning: "+path+": toolboxes.dev.mcpServers.s.command: command 'nppx' is not in the PATH here; did you mean 'npx'?",
				And(HavePrefix("warning: "+path+": toolboxes.dev.mcpServers.t.command: command 'wb-tool' is not in the PATH of programs "+
					"that are started from a desktop ("), HaveSuffix("); write "+tool)),
				"warning: "+path+": toolboxes.dev.mcpServers.u.command: command 'wb-tool' is not in the PATH of its \"env\"",
				HavePrefix(path+": ok"), ""))
		})

		It("says once what holds for several servers", func() {
			WriteFile(path, inServer(`"command": "nppx"}, "t": {"command": "nppx"}, "u": {"command": "nppx"`))

			outcome := Run(Launch{Args: []string{"validate", "--config", path}, Env: []string{"PATH=" + directory}})

			Expect(outcome.Stdout).To(HavePrefix("warning: " + path + ": toolboxes.dev.mcpServers.s.command: command 'nppx' is not in the PATH here; did you mean 'npx'?" +
				"; the same holds for toolboxes.dev.mcpServers.t.command, toolboxes.dev.mcpServers.u.command\n" + path + ": ok"))
		})

		It("says nothing about hosts that are not connected, whatever they pass on", func() {
			var toolboxes []Toolbox
			for i := range 40 {
				toolboxes = append(toolboxes, Toolbox{
					Name: fmt.Sprintf("toolbox-%d", i), Description: strings.Repeat("What it does. ", 8),
					Servers: []Server{Program("s", "/x")},
				})
			}
			WriteFile(path, Configuration(toolboxes...))

			outcome := run("validate", "--config", path)

			Expect(outcome.Code).To(Equal(0))
			Expect(outcome.Stdout).To(And(ContainSubstring(": ok"), Not(ContainSubstring("passes on"))))
		})

		DescribeTable("reports one JSON object with --json", func(text string, code int, report string) {
			WriteFile(path, text)

			outcome := run("validate", "--json", "--config", path)

			Expect(outcome.Code).To(Equal(code))
			Expect(outcome.Stderr).To(BeEmpty())
			Expect(strings.Count(outcome.Stdout, "\n")).To(Equal(1))
			file := spec.Must(json.Marshal(path))
			Expect(outcome.Stdout).To(MatchJSON(strings.ReplaceAll(report, "FILE", string(file))))
		},
			Entry("for a configuration that can be used", onlyToolbox("dev"), 0,
				`{"valid":true,"file":FILE,"toolboxes":1,"servers":1,"problems":[],"warnings":[]}`),
			Entry("for one with warnings", inServer(`"command": "/bin/sh", "timeout": 1`), 0,
				`{"valid":true,"file":FILE,"toolboxes":1,"servers":1,"problems":[],"warnings":[{"file":FILE,"line":1,"column":67,`+
					`"keyPath":"toolboxes.dev.mcpServers.s.timeout","message":"has no effect here; \"limits\" has the workbench's own"}]}`),
			Entry("for one with problems", inServer(`"command": 7`), 3,
				`{"valid":false,"toolboxes":0,"servers":0,"warnings":[],"problems":[{"file":FILE,"line":1,"column":56,`+
					`"keyPath":"toolboxes.dev.mcpServers.s.command","found":"a number","wanted":"the program to start, a string"}]}`),
		)
	})

	DescribeTable("distinguishes wrong usage from a wrong configuration", func(code int, args ...string) {
		outcome := run(args...)

		Expect(outcome.Code).To(Equal(code))
		if code == 2 {
			Expect(outcome.Stdout).To(BeEmpty())
			Expect(outcome.Stderr).To(MatchRegexp("\nSee 'mcp-workbench( validate)? --help'.\n$"))
		}
	},
		Entry("an unknown flag", 2, "--nope"),
		Entry("an unknown flag of a command", 2, "validate", "--nope"),
		Entry("an unknown command", 2, "nope"),
		Entry("an argument too many", 2, "validate", "c.json", "d.json"),
		Entry("a flag without its value", 2, "--config"),
		Entry("a setting with a wrong value", 3, "--strict", "--log-level", "loud"),
		Entry("help", 0, "--help"),
		Entry("the version", 0, "--version"),
		Entry("no configuration at all", 0),
	)
})

var _ = Describe("Serving the correct part of a configuration", func() {
	const secret = "hunter2-is-my-password"
	var path string
	BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "c.json") })

	instructions := func(w *Workbench, host string) string {
		GinkgoHelper()
		var result struct{ Instructions string }
		w.Request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":`+Quote(host)+`,"version":"1"}}`).
			Decode(&result)
		return result.Instructions
	}
	start := func(text string, env ...string) *Workbench {
		GinkgoHelper()
		WriteFile(path, text)
		return Start(Launch{Args: []string{"--config", path}, Env: env})
	}
	open := func(w *Workbench, toolbox string) Message {
		return w.Call("open_toolbox", `{"toolbox":`+Quote(toolbox)+`}`)
	}
	// with returns a configuration with a correct toolbox, one with a correct and a wrong server, and
	// one with a wrong server.
	with := func(wrong string) string {
		right := Scripted("files", WithTools("read"))
		broken := Server{Name: "broken", Settings: []string{wrong}}
		return Configuration(NewToolbox("right", right), NewToolbox("mixed", right, broken), NewToolbox("wrong", broken))
	}

	It("says after the listing what is left out, and counts the servers that exist", func() {
		w := start(with(`"comand": "` + secret + `"`))

		text := instructions(w, "some-host")

		Expect(text).To(HavePrefix("## Available Toolboxes\n\n- **right** (1 server): No description provided\n"))
		Expect(text).To(ContainSubstring("- **mixed** (1 server): No description provided\n"))
		Expect(text).NotTo(ContainSubstring("**wrong**"))
		_, problems, found := strings.Cut(text, "2. Inspect the returned tools array for available operations\n\n")
		Expect(found).To(BeTrue())
		Expect(problems).To(HavePrefix("Problems in the configuration, for the user to correct:\n- " + path + ":"))
		Expect(problems).To(ContainSubstring(`: toolboxes.mixed.mcpServers.broken.comand: want "command"`))
		Expect(problems).To(ContainSubstring(`: toolboxes.wrong.mcpServers.broken.comand: want "command"`))
		Expect(text).NotTo(ContainSubstring(secret))
	})

	DescribeTable("says it before the listing to hosts that cut", func(host, beginning string) {
		text := instructions(start(with(`"command": 7`)), host)

		Expect(text).To(HavePrefix(beginning))
		Expect(text).To(ContainSubstring("toolboxes.mixed.mcpServers.broken.command: want the program to start, a string"))
	},
		Entry(nil, "claude-code", "Problems in the configuration, for the user to correct:\n- "),
		Entry(nil, "codex-mcp-client", "The configuration has problems (2). Toolboxes: right, mixed. Open one with open_toolbox.\n\n"),
	)

	DescribeTable("does not show a model a key that may be a secret in the wrong place", func(settings, place string) {
		w := start(with(settings))

		texts := instructions(w, "some-host") + open(w, "wrong").Failure() + open(w, "mixed").Text()

		Expect(texts).To(ContainSubstring("toolboxes.wrong.mcpServers.broken" + place))
		Expect(texts).NotTo(ContainSubstring("4f9s8d7f6g5h4j3k"))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("4f9s8d7f6g5h4j3k"))
	},
		Entry("the name of a header", `"url": "https://example.com", "headers": {"Bearer sk-4f9s8d7f6g5h4j3k": "Authorization"}`,
			`.headers["•••"]: want letters, digits and dashes`),
		Entry("the name of a variable", `"command": "x", "env": {"ghp_4f9s8d7f6g5h4j3k": true}`, `.env["•••"]: want a string`),
		Entry("an unknown key", `"command": "x", "ghp_4f9s8d7f6g5h4j3k": ""`, `["•••"]: want one of the keys`),
	)

	It("opens the correct part of a toolbox, and names what is left out", func() {
		w := start(with(`"command": "x", "args": "` + secret + `"`))

		Expect(w.Open("right").Names()).To(Equal([]string{"read"}))
		answer := open(w, "mixed").Text()
		Expect(answer).To(ContainSubstring(`"servers_connected":1`))
		Expect(answer).To(ContainSubstring(`"_errors":["Server 'broken' in toolbox 'mixed' is left out, since its configuration has a problem, ` +
			`for the user to correct: ` + strings.Trim(Quote(path), `"`) + `:`))
		Expect(answer).To(ContainSubstring(`toolboxes.mixed.mcpServers.broken.args: want a list of strings`))
		Expect(answer).NotTo(ContainSubstring(secret))
	})

	It("says in a second line why a toolbox does not exist", func() {
		w := start(with(`"toolFilters": "` + secret + `", "command": "x"`))

		lines := strings.Split(open(w, "wrong").Failure(), "\n")

		Expect(lines).To(HaveLen(2))
		Expect(lines[0]).To(Equal("Error: Toolbox 'wrong' not found. Available toolboxes: right, mixed"))
		Expect(lines[1]).To(And(
			HavePrefix("The configuration of the toolbox has a problem, for the user to correct: "+path+":"),
			HaveSuffix(": toolboxes.wrong.mcpServers.broken.toolFilters: want a list of strings")))
		Expect(open(w, "nowhere").Failure()).To(Equal("Error: Toolbox 'nowhere' not found. Available toolboxes: right, mixed"))
	})

	DescribeTable("serves no toolboxes if a mistake may concern all of them", func(before, after, place string, env ...string) {
		text := strings.Replace(with(`"command": "x"`), "{\n", "{\n"+before, 1)
		text = text[:len(text)-len(after)] + after
		w := start(text, env...)

		texts := instructions(w, "some-host")
		Expect(texts).To(HavePrefix("No toolboxes configured.\n"))
		Expect(texts).To(ContainSubstring("\n- " + strings.ReplaceAll(place, "FILE", path)))
		Expect(texts).NotTo(ContainSubstring(secret))
		Expect(open(w, "right").Failure()).To(HavePrefix("Error: Toolbox 'right' not found. Available toolboxes: none\n" +
			"The configuration of the workbench has a problem, for the user to correct: " + strings.ReplaceAll(place, "FILE", path)))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(ContainSubstring("mcp-workbench: the configuration has problems; the parts with problems are left out:\n"))
	},
		Entry("an unknown key", `"pining": "`+secret+`",`, "", `FILE:2: pining: want "pinning"`),
		Entry("a variable of the workbench", "", "", `WORKBENCH_PINNING: want "off", "warn" or "block"`, "WORKBENCH_PINNING="+secret),
	)

	It("serves no toolboxes without the file that it was given", func() {
		w := Start(Launch{Args: []string{"--config", path}})

		Expect(instructions(w, "some-host")).To(ContainSubstring("\n- " + path + ": want a configuration file (given by --config)"))
		Expect(instructions(w, "codex-mcp-client")).To(HavePrefix("The configuration has problems (1). No toolboxes; open_toolbox says why."))
	})

	It("leaves out both of two toolboxes with one name, and no other", func() {
		text := Configuration(NewToolbox("one", Program("s", "x")), NewToolbox("twice", Program("s", "x")), NewToolbox("twice", Program("s", "y")))

		Expect(open(start(text), "twice").Failure()).To(HavePrefix("Error: Toolbox 'twice' not found. Available toolboxes: one\n"))
	})

	DescribeTable("refuses the configuration when it is strict", func(setting string, env []string, args ...string) {
		WriteFile(path, strings.Replace(with(`"command": 7`), "{\n", "{\n"+setting, 1))

		outcome := Run(Launch{Args: append(args, "--config", path), Env: env})

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(HavePrefix("mcp-workbench: the configuration cannot be used:\n" + path + ":"))
	},
		Entry("by a flag", "", nil, "--strict"),
		Entry("by a variable", "", []string{"WORKBENCH_STRICT=1"}),
		Entry("by the file", `"strict": true,`, nil),
	)

	DescribeTable("is the same for commands, which name the problems once", func(code int, printed string, args ...string) {
		WriteFile(path, with(`"command": 7`))

		outcome := Run(Launch{Args: append(args, "--config", path)})

		Expect(outcome.Code).To(Equal(code), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring(printed))
		Expect(strings.Count(outcome.Stdout+outcome.Stderr, path+":")).To(Equal(2))
	},
		Entry(nil, 3, "\nmixed\t", "list"), Entry(nil, 3, "read", "list", "right"), Entry(nil, 3, "", "list", "wrong"),
		Entry(nil, 3, "", "list", "--find", "read"), Entry(nil, 0, "done\n", "call", "mixed/files/read"),
		Entry(nil, 3, "", "call", "wrong/broken/x"), Entry(nil, 0, "", "describe", "right"),
		Entry(nil, 1, "D001", "doctor"), Entry(nil, 1, "D001", "doctor", "--offline"),
		Entry(nil, 3, "", "validate"), Entry(nil, 3, "", "lock"),
	)

	It("says how to create a file that does not exist", func() {
		outcome := Run(Launch{Args: []string{"list", "--config", path}})

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(HaveSuffix("\n'mcp-workbench init --config " + path + "' creates it\n"))
	})
})
