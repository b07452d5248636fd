package config_test

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

var _ = Describe("Expanding variables", func() {
	environ := []string{"HOME=/home/me", "EMPTY=", "SPACED=a b  c", "lower=l", "NESTED=${HOME}", "TOKEN=token-value", "_1=u", "HOME=/second"}

	DescribeTable("in a value",
		func(value, expanded string) {
			configured := server(load(withServer(`{"command":"x","args":["`+value+`"]}`), environ...))

			Expect(configured.Unset).NotTo(HaveOccurred())
			Expect(configured.Settings).To(MatchJSON(`{"command":"x","args":["` + expanded + `"]}`))
			Expect(string(configured.Configured)).To(Equal(`{"command":"x","args":["` + value + `"]}`))
		},
		Entry("takes the value of a variable", "${HOME}", "/home/me"),
		Entry("takes it anywhere in the text", "a${HOME}b${lower}", "a/home/mebl"),
		Entry("takes one directly after another", "${HOME}${HOME}", "/home/me/home/me"),
		Entry("keeps a value with spaces as one value", "${SPACED}", "a b  c"),
		Entry("takes the empty value of a variable that is set to it", "<${EMPTY}>", "<>"),
		Entry("takes the empty value rather than the default", "<${EMPTY:-d}>", "<>"),
		Entry("takes the value rather than the default", "${HOME:-d}", "/home/me"),
		Entry("takes the default of a variable that is not set", "${NOT_SET:-d e}", "d e"),
		Entry("takes an empty default", "<${NOT_SET:-}>", "<>"),
		Entry("takes a default with any other characters", "${NOT_SET:-$a:-{b}", "$a:-{b"),
		Entry("does not expand a default", "${NOT_SET:-$HOME}", "$HOME"),
		Entry("does not expand an inserted value", "${NESTED}", "${HOME}"),
		Entry("takes names in lower case", "${lower}", "l"),
		Entry("takes names with underscores and digits", "${_1}", "u"),
		Entry("is case-sensitive, except on Windows", "${home:-d}", map[bool]string{false: "d", true: "/home/me"}[runtime.GOOS == "windows"]),
		Entry("leaves a variable without braces", "$HOME", "$HOME"),
		Entry("leaves a dollar sign before a variable", "$${HOME}", "$/home/me"),
		Entry("leaves braces without a dollar sign", "{HOME} }", "{HOME} }"),
		Entry("leaves a dollar sign at the end", "a$", "a$"),
		Entry("decodes escapes first", `\u0024{HOME}\n\"`, `/home/me\n\"`),
	)

	It("keeps characters of a value that JSON has to escape", func() {
		configured := server(load(withServer(`{"command":"${ODD}"}`), "ODD=\"\\\n\x01<&>\xff"))

		Expect(configured.Settings).To(MatchJSON(`{"command":"\"\\\n\u0001<&>\ufffd"}`))
	})

	It("happens in command, args, env, cwd, url, headers and oauth, on every level, in values only", func() {
		stdio := server(load(withServer(`{
			"command": "${HOME}/x", "args": ["${HOME}"], "env": {"${HOME}": "${HOME}"}, "cwd": "${HOME}"
		}`), environ...))
		Expect(stdio.Settings).To(MatchJSON(`{
			"command": "/home/me/x", "args": ["/home/me"], "env": {"${HOME}": "/home/me"}, "cwd": "/home/me"
		}`))

		http := server(load(withServer(`{"url": "${HOME}", "headers": {"a": "${HOME}"}, "oauth": {"scopes": ["${HOME}"]}}`), environ...))
		Expect(http.Settings).To(MatchJSON(`{"url": "/home/me", "headers": {"a": "/home/me"}, "oauth": {"scopes": ["/home/me"]}}`))
	})

	It("makes paths of tls absolute, below the folder of the file", func() {
		elsewhere := filepath.Join(GinkgoT().TempDir(), "a.pem")
		configuration := load(withServer(`{"url": "x", "tls": {"cert": "${CERT}", "key": "keys/b.pem"}}`), "CERT="+elsewhere)

		var settings struct{ TLS struct{ Cert, Key string } }
		Expect(json.Unmarshal(server(configuration).Settings, &settings)).To(Succeed())
		Expect(settings.TLS.Cert).To(Equal(elsewhere))
		Expect(settings.TLS.Key).To(Equal(filepath.Join(filepath.Dir(configuration.Path), "keys", "b.pem")))
	})

	It("lists the variables that enabled servers need, each once, in the order of the file", func() {
		configured := load(`{"toolboxes": {"dev": {"mcpServers": {
			"a": {"command": "${B}", "args": ["${A} ${B}", "${WITH:-default}", "$PLAIN"], "env": {"${KEY}": "${HOME}"}},
			"off": {"command": "${OFF}", "disabled": true}, "b": {"url": "${A}", "headers": {"x": "${C}"}}}}}}`, environ...)

		Expect(configured.Variables).To(Equal([]string{"B", "A", "HOME", "C"}))
	})

	DescribeTable("takes a variable that has only a reference to itself, as hosts pass on what is not set there, as not set",
		func(value string) {
			configured := server(load(withServer(`{"command":"x","env":{"K":"${A_KEY}","D":"${A_KEY:-default}"}}`), "A_KEY="+value))

			Expect(configured.Unset).To(HaveValue(HaveField("Variable", "A_KEY")))
			Expect(configured.Settings).To(MatchJSON(`{"command":"x","env":{"K":"${A_KEY}","D":"default"}}`))
		},
		Entry("in the form of Claude Code", "${A_KEY}"),
		Entry("in the form of Gemini CLI", "$A_KEY"),
		Entry("in the form of Cursor", "${env:A_KEY}"),
	)

	It("happens nowhere else", func() {
		configured := server(load(withServer(`{"url": "x", "toolFilters": ["${HOME}"]}`), environ...))

		Expect(configured.Settings).To(MatchJSON(`{"url": "x"}`))
		Expect(configured.Tools.Allows("${HOME}")).To(BeTrue())
	})

	DescribeTable("keeps a server from being used when a value in oauth expands to nothing",
		func(value, variable, state string) {
			configuration := load(withServer(`{"url":"x","oauth":{"clientSecret":"`+value+`"}}`), environ...)

			Expect(server(configuration).Unset).To(HaveValue(And(HaveField("Variable", variable),
				HaveField("KeyPath", "toolboxes.dev.mcpServers.fs.oauth.clientSecret"), WithTransform(domain.UnsetVariableError.State, Equal(state)))))
			Expect(configuration.Warnings).To(ContainElement(WithTransform(tree.Problem.String,
				ContainSubstring("environment variable '"+variable+"' is "+state+", so this server cannot be started"))))
		},
		Entry("since its variable is not set", "a${NOT_SET}", "NOT_SET", "not set"),
		Entry("since its variable is empty", "${EMPTY}", "EMPTY", "empty"),
		Entry("since its default is empty", "${NOT_SET:-}", "NOT_SET", "empty"),
	)

	DescribeTable("is refused",
		func(value, found string) {
			Expect(problemsOf(withServer(`{"command":"x","args":["`+value+`"]}`), environ...)).To(Equal([]string{
				`c.json:2:24: toolboxes.dev.mcpServers.fs.args[0]: found ` + found + `, want "${NAME}" or "${NAME:-default}"`,
			}))
		},
		Entry("without the closing brace", "a${HOME", `"${" without its "}"`),
		Entry("without it in a later one", "${HOME}${", `"${" without its "}"`),
		Entry("without a name", "${}", `"${…}" that does not name a variable`),
		Entry("without a name before a default", "${:-d}", `"${…}" that does not name a variable`),
		Entry("with a space in the name", "${MY HOME}", `"${…}" that does not name a variable`),
		Entry("with a name that begins with a digit", "${1}", `"${…}" that does not name a variable`),
		Entry("with a line break in the name", `${HOME\n}`, `"${…}" that does not name a variable`),
		Entry("in the form that editors use", "${env:HOME}", `"${…}" that does not name a variable`),
		Entry("in another form that shells use", "${HOME-d}", `"${…}" that does not name a variable`),
		Entry("within another", "${HOME:-${lower}}", `"${" inside of "${…}"`),
	)

	It("is refused in every value, even if the transport of the server is unknown", func() {
		Expect(problemsOf(withServer(`{"transport":"pigeon","command":"${","env":{"A":"${","B":"${}"}}`))).To(HaveExactElements(
			ContainSubstring("fs.transport: "), ContainSubstring("fs.command: "),
			ContainSubstring("fs.env.A: "), ContainSubstring("fs.env.B: "),
		))
	})

	Context("when a variable is not set and has no default", func() {
		const twoServers = `{"toolboxes":{"my.box":{"mcpServers":{
			"a": {"command": "x", "args": ["y", "${MISSING}"], "env": {"K": "${ALSO_MISSING}"}},
			"b": {"command": "x", "env": {"ODD.KEY": "${HOME} ${MISSING:-} ${ALSO_MISSING} ${MISSING}"}},
			"c": {"command": "${HOME}"}
		}}}}`

		It("disables only the servers that use it, naming the first in the file, and warns of each once", func() {
			configuration := load(twoServers, environ...)

			servers := configuration.Catalog.Toolboxes()[0].Servers
			Expect(servers).To(HaveLen(3))
			Expect(servers[0].Unset).To(Equal(&domain.UnsetVariableError{
				Variable: "MISSING", KeyPath: `toolboxes["my.box"].mcpServers.a.args[1]`,
			}))
			Expect(servers[1].Unset).To(Equal(&domain.UnsetVariableError{
				Variable: "ALSO_MISSING", KeyPath: `toolboxes["my.box"].mcpServers.b.env["ODD.KEY"]`,
			}))
			Expect(servers[2].Unset).NotTo(HaveOccurred())
			Expect(configuration.Warnings).To(HaveExactElements(
				HaveField("Message", "environment variable 'MISSING' is not set, so this server cannot be started"),
				HaveField("Message", "environment variable 'ALSO_MISSING' is not set, so this server cannot be started"),
				HaveField("Message", "environment variable 'ALSO_MISSING' is not set, so this server cannot be started"),
				HaveField("Message", "environment variable 'MISSING' is not set, so this server cannot be started"),
			))
			Expect(servers[0].AlsoUnset).To(HaveExactElements(HaveField("Variable", "ALSO_MISSING")))
		})

		It("names variables of editors and plugins as what they are", func() {
			message := load(`{"toolboxes":{"t":{"mcpServers":{"a": {"command": "x", "args": ["${workspaceFolder}"]}}}}}`).Warnings[0].Message
			Expect(message).To(HavePrefix("'workspaceFolder' is a folder that only an editor or a plugin knows; write that folder in its place"))
		})

		It("leaves the value as configured", func() {
			servers := load(twoServers, environ...).Catalog.Toolboxes()[0].Servers

			Expect(servers[0].Settings).To(MatchJSON(servers[0].Configured))
		})

		It("still reports mistakes after it", func() {
			Expect(problemsOf(withServer(`{"command":"${MISSING}${"}`))).To(HaveLen(1))
		})
	})

	Context("when a value is a secret", func() {
		secrets := func(settings string) domain.Secrets {
			GinkgoHelper()
			return server(load(withServer(settings), environ...)).Secrets
		}

		It("notes every value of a variable, shown as the variable", func() {
			Expect(secrets(`{"command":"${HOME}/x","args":["--token=${TOKEN}"]}`)).To(Equal(domain.Secrets{
				{Value: "/home/me", Shown: "${HOME}"}, {Value: "token-value", Shown: "${TOKEN}"},
			}))
		})

		It("notes every value in env and headers, whole", func() {
			Expect(secrets(`{"command":"x","env":{"A":"literal","B":"${NOT_SET:-default}","C":"Bearer ${TOKEN}"}}`)).To(Equal(domain.Secrets{
				{Value: "token-value", Shown: "${TOKEN}"},
				{Value: "literal", Shown: "***"},
				{Value: "default", Shown: "***"},
				{Value: "Bearer token-value", Shown: "***"},
			}))
			Expect(secrets(`{"url":"x","headers":{"A":"literal"}}`)).To(Equal(domain.Secrets{{Value: "literal", Shown: "***"}}))
		})

		It("notes the secrets in oauth, and no other value there", func() {
			Expect(secrets(`{"url":"x","oauth":{"clientId":"me","clientSecret":"mine","privateKey":"key","account":"work"}}`)).To(Equal(domain.Secrets{
				{Value: "mine", Shown: "***"}, {Value: "key", Shown: "***"},
			}))
		})

		It("notes each value once, as the variable that it came from", func() {
			Expect(secrets(`{"command":"x","env":{"L":"token-value","A":"${TOKEN}","B":"${TOKEN}"}}`)).To(Equal(domain.Secrets{
				{Value: "token-value", Shown: "${TOKEN}"},
			}))
		})

		It("notes a value as the transport receives it", func() {
			configured := server(load(withServer(`{"command":"${ODD}"}`), "ODD=not-\xff-utf8"))

			Expect(configured.Secrets).To(Equal(domain.Secrets{{Value: "not-\ufffd-utf8", Shown: "${ODD}"}}))
		})

		It("notes no empty value, no default outside env and headers, and none that is not set", func() {
			Expect(secrets(`{"command":"${EMPTY}","args":["${NOT_SET:-default}"],"env":{"A":"","B":"${EMPTY}","C":"${NOT_SET}"}}`)).To(BeEmpty())
		})

		It("shows it in no problem and no warning", func() {
			content := `{"logLevel": 1, "toolboxes": {"dev": {"mcpServers": {"fs": {
				"command": "${TOKEN}", "args": [1, "${TOKEN}${"], "timeout": "${TOKEN}", "disabledTools": ["literal-secret"],
				"env": {"A": "literal-secret${", "B": "${TOKEN} ${}", "C": 7, "A": "literal-secret"},
				"cwd": {"a": 1}, "environment": {"D": "literal-secret"}, "type": "stdio"
			}, "_x": {"env": {"A": "literal-secret"}}}}}}`

			_, err := attempt(content, environ...)

			failure := invalid(err)
			Expect(failure.Problems).To(HaveLen(9))
			Expect(failure.Warnings).To(HaveLen(3))
			shown := failure.Error() + strings.Join(texts(failure.Warnings), "\n")
			Expect(shown).NotTo(ContainSubstring("token-value"))
			Expect(shown).NotTo(ContainSubstring("literal-secret"))
		})
	})
})
