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
		Entry("an unknown key, with the nearest known one", Label("G04"), inServer(`"command": "c", "environment": {}`),
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

		It("warns, with numbers, about toolboxes of which a host passes on only a part", func() {
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
			Expect(outcome.Stdout).To(MatchRegexp(
				`note: .*: toolboxes: Claude Code passes on 2048 characters: descriptions of toolboxes are cut after \d+ characters\n`))
			Expect(outcome.Stdout).To(MatchRegexp(
				`warning: .*: toolboxes: Codex passes on 250 characters: the names of \d+ of 40 toolboxes do not fit\n`))
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
