package config_test

import (
	"os"
	"path/filepath"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
)

var _ = Describe("Secrets outside of the file", func() {
	// using returns a configuration with members at its root whose server has settings.
	using := func(members, settings string) string {
		return `{` + members + `,"toolboxes":{"dev":{"mcpServers":{"fs":` + settings + `}}}}`
	}
	const command = `"secrets":{"TOKEN":{"command":["op","read"]}}`
	written := func(text string) string {
		GinkgoHelper()
		path := filepath.Join(GinkgoT().TempDir(), "file")
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		return path
	}

	DescribeTable("are refused", func(members, problem string) {
		Expect(problemsOf(using(members, `{"command":"x"}`))).To(ContainElement(ContainSubstring(problem)))
	},
		Entry("as a text", `"secrets":"x"`, "secrets: found a string, want an object of secrets by name"),
		Entry("with a name that no variable has", `"secrets":{"a-b":{"file":"x"}}`, `want the name of a variable`),
		Entry("with a command and a file", `"secrets":{"A":{"file":"x","command":["y"]}}`, "found both a command and a file"),
		Entry("with neither", `"secrets":{"A":{}}`, "found neither a command nor a file"),
		Entry("with another key", `"secrets":{"A":{"cmd":["x"]}}`, `unknown key "cmd"`),
		Entry("with a command line for a shell", `"secrets":{"A":{"command":"op read x"}}`, "want a list of a program and its arguments"),
		Entry("with no program", `"secrets":{"A":{"command":[]}}`, "found no program"),
		Entry("with a word that is no text", `"secrets":{"A":{"command":["op",1]}}`, "want a string"),
		Entry("with a variable in a command", `"secrets":{"A":{"command":["op","${B}"]}}`, "no variables are expanded"),
		Entry("with a variable in a path", `"secrets":{"A":{"file":"${HOME}/x"}}`, "without variables and ~"),
		Entry("with a home in a path", `"envFile":"~/.env"`, "without variables and ~"),
		Entry("with an empty path", `"envFile":""`, "want the path of a file"),
	)

	It("are compared without their values, and with their commands", func() {
		path := written("")
		read := func(members string) domain.Server {
			configuration, err := config.Check(config.Options{}, path, []byte(using(members, `{"command":"x","env":{"A":"${TOKEN}"}}`)), transports())
			Expect(err).NotTo(HaveOccurred())
			return server(configuration)
		}
		first, again, other := read(command), read(command), read(`"secrets":{"TOKEN":{"command":["op","other"]}}`)

		Expect(first.Equal(again)).To(BeTrue())
		Expect(first.Equal(other)).To(BeFalse())
		Expect(first.SecretCommands).To(HaveExactElements(HaveField("Program.Args", []string{"read"})))
		Expect(string(first.Configured)).To(ContainSubstring("${TOKEN}"))
	})

	It("are not needed by servers that use none", func() {
		Expect(server(load(using(command, `{"command":"x"}`))).SecretCommands).To(BeEmpty())
	})

	It("are not expected in the environment of hosts", func() {
		configuration := load(using(command, `{"command":"x","env":{"A":"${TOKEN}","B":"${OTHER}"}}`))
		Expect(configuration.Variables).To(HaveExactElements("OTHER"))
		Expect(configuration.Secrets).To(HaveExactElements(HaveField("Variable", "TOKEN")))
	})

	It("come from the environment if it sets them, even to nothing", func() {
		got := server(load(using(command, `{"command":"x","env":{"A":"${TOKEN}"}}`), "TOKEN="))
		Expect(got.SecretCommands).To(BeEmpty())
		Expect(string(got.Settings)).To(ContainSubstring(`"A":""`))
	})

	It("come from the file of variables rather than from a command", func() {
		members := command + `,"envFile":` + strconv.Quote(filepath.ToSlash(written("TOKEN=from-the-file")))
		got := server(load(using(members, `{"command":"x","env":{"A":"${TOKEN}"}}`)))
		Expect(got.SecretCommands).To(BeEmpty())
		Expect(string(got.Settings)).To(ContainSubstring(`"A":"from-the-file"`))
	})

	It("cannot be tokens of callers if a command prints them", func() {
		Expect(problemsOf(using(command+`,"http":{"tokens":{"ci":{"value":"${TOKEN}","toolboxes":["*"]}}}`, `{"command":"x"}`))).To(ContainElement(
			ContainSubstring(`found "${TOKEN}", which a command prints when a server starts`)))
	})

	It("cannot be a program or folder if they come from a file", func() {
		members := `"envFile":` + strconv.Quote(filepath.ToSlash(written("EVIL=rm")))
		for _, settings := range []string{`{"command":"${EVIL}"}`, `{"command":"x","cwd":"/${EVIL}"}`} {
			Expect(problemsOf(using(members, settings))).To(ContainElement(ContainSubstring(`found "${EVIL}" with a value from a file`)))
		}
		Expect(server(load(using(members, `{"command":"${EVIL}"}`), "EVIL=own")).Traits.Program.Command).To(Equal("own"))
	})

	It("are unset if their file cannot be used, even if there is a default", func() {
		got := server(load(using(`"secrets":{"A":{"file":"/no/such/file"}}`, `{"command":"x","env":{"A":"${A:-default}"}}`)))
		Expect(got.Unset).To(HaveField("Unread", ContainSubstring("no file")))
	})

	DescribeTable("of a file with a wrong line are unset where that line may have them, and the line is named without its text", func(text string, unset bool) {
		configuration := load(using(`"envFile":`+strconv.Quote(filepath.ToSlash(written(text))), `{"command":"x","env":{"A":"${A:-default}"}}`))
		Expect(configuration.Warnings).To(ContainElement(And(HaveField("KeyPath", "envFile"), HaveField("Message", And(ContainSubstring("line 2"), Not(ContainSubstring("hunter2")))))))
		got := server(configuration)
		Expect(got.Unset != nil).To(Equal(unset))
		if unset {
			Expect(got.Unset).To(HaveField("Unread", ContainSubstring("line 2")))
		}
	},
		Entry("the lines before and after it count", "\nhunter2 hunter2\nA=b\n", false),
		Entry("a variable of no line has no default", "B=b\nhunter2 hunter2\n", true),
		Entry("what follows a quote without an end does not count", "B=b\nC='hunter2\nA=b\n", true),
	)

	It("cause a warning if there is no file of variables", func() {
		configuration := load(using(`"envFile":"no-such-file"`, `{"command":"x"}`))
		Expect(configuration.Warnings).To(HaveExactElements(HaveField("KeyPath", "envFile")))
		Expect(filepath.IsAbs(configuration.EnvFile)).To(BeTrue())
	})

	It("are refused in a file of variables that is too large", func() {
		path := written(string(make([]byte, 1<<20+1)))
		configuration := load(using(`"envFile":`+strconv.Quote(filepath.ToSlash(path)), `{"command":"x","args":["${A}"]}`))
		Expect(server(configuration).Unset).To(HaveField("Unread", ContainSubstring("more than 1 MiB")))
	})

	It("are hidden in messages", func() {
		got := server(load(using(`"envFile":`+strconv.Quote(filepath.ToSlash(written("A=hunter2-hunter2"))), `{"command":"x","args":["${A}"]}`)))
		Expect(got.Redact("it is hunter2-hunter2")).To(Equal("it is ${A}"))
	})
})
