package domain_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Taking secrets out of text", func() {
	redact := func(text string, values ...string) string {
		var secrets domain.Secrets
		for i, value := range values {
			secrets = append(secrets, domain.Secret{Value: value, Shown: fmt.Sprintf("${S%d}", i+1)})
		}
		return secrets.Redact(text)
	}

	DescribeTable("shows the name in place of the value",
		func(text, expected string, values ...string) {
			Expect(redact(text, values...)).To(Equal(expected))
		},
		Entry("wherever it stands", "12345678 a12345678b 12345678", "${S1} a${S1}b ${S1}", "12345678"),
		Entry("for values of eight bytes", "12345678", "${S1}", "12345678"),
		Entry("not for shorter ones", "1234567", "1234567", "1234567"),
		Entry("by bytes, not by letters", "ääää", "${S1}", "ääää"),
		Entry("not for empty values", "text", "text", ""),
		Entry("of each value", "password and passphrase", "${S2} and ${S1}", "passphrase", "password"),
		Entry("of the longer one where one begins the other", "hunter22hunter", "${S2}", "hunter22", "hunter22hunter"),
		Entry("of the shorter one where it stands alone", "hunter22 hunter22hunter", "${S1} ${S2}", "hunter22", "hunter22hunter"),
		Entry("of the first where two are alike", "hunter22", "${S1}", "hunter22", "hunter22"),
		Entry("in its exact case only", "HUNTER22 hunter22", "HUNTER22 ${S1}", "hunter22"),
		Entry("of a value with the signs of patterns", `a.*b$1^[x]`, "${S1}", `a.*b$1^[x]`),
		Entry("whole, with its lines", "first line\nlast line", "${S1}", "first line\nlast line"),
		Entry("of each of its lines", "found: last line!", "found: ${S1}!", "first line\nlast line"),
		Entry("of lines with another end", "found: first line", "found: ${S1}", "first line\r\nlast line\r\n"),
		Entry("of a value whose line end was cut", "token-of-mine.", "${S1}.", "token-of-mine\n"),
		Entry("but not of short lines", "it ends", "it ends", "it\nends\nafter-all"),
		Entry("encoded for a URL", "/a%20b%2Fc%C3%A9%22 /a%20b/c%C3%A9%22 a+b%2Fc%C3%A9%22", "/${S1} /${S1} ${S1}", `a b/cé"`),
		Entry("decoded from a URL", "no a b/c:defg", "no ${S1}", "a%20b%2Fc:defg"),
		Entry("without the white space around it", "no token-of-mine.", "no ${S1}.", " token-of-mine\t"),
		Entry("as Go quotes it", `open "C:\\keys\\mine\n": no`, `open "${S1}": no`, "C:\\keys\\mine\n"),
	)

	It("leaves text alone when there is nothing to take out", func() {
		Expect(redact("text")).To(Equal("text"))
		Expect(redact("", "12345678")).To(BeEmpty())
	})

	It("is prepared once for many texts", func() {
		redactor := domain.Secrets{{Value: "12345678", Shown: "${S}"}}.Redactor()

		for range 3 {
			Expect(redactor("a 12345678")).To(Equal("a ${S}"))
		}
	})

	It("leaves nothing of a value in text that repeats it", func() {
		key := "-----BEGIN KEY-----\n" + strings.Repeat("0123456789abcdef\n", 40) + "-----END KEY-----"

		Expect(redact(strings.ReplaceAll(key, "\n", "\nstderr: "), key)).NotTo(Or(
			ContainSubstring("0123456789abcdef"), ContainSubstring("BEGIN KEY"),
		))
	})
})

var _ = Describe("The text for an identity", Label("TG08"), func() {
	It("is the identity, unless that is long", func() {
		short := `subject "ann" of "https://idp.example"`
		Expect(domain.ShortIdentity(short)).To(Equal(short))
		Expect(domain.ShortIdentity(strings.Repeat("a", 200))).To(Equal(strings.Repeat("a", 200)))
	})

	It("differs for long identities that differ anywhere, and stays the same", func() {
		long := strings.Repeat("é", 150)
		one, other := domain.ShortIdentity(long+"a"), domain.ShortIdentity(long+"b")

		Expect(one).NotTo(Equal(other))
		Expect(len(one)).To(BeNumerically("<=", 200))
		Expect(one).To(HavePrefix("éé"))
		Expect(domain.ShortIdentity(one)).To(Equal(one))
	})
})

var _ = Describe("A variable of the environment", func() {
	DescribeTable("decides about code", func(name, decides string) {
		Expect(domain.CodeVariable(name)).To(Equal(decides))
	},
		Entry(nil, "NODE_OPTIONS", "names code that Node loads"),
		Entry(nil, "Path", "names folders of programs"),
		Entry(nil, "LD_AUDIT", "names libraries that every program loads"),
		Entry(nil, "PYTHONSTARTUP", "names code that Python loads"),
		Entry(nil, "npm_config_script_shell", "sets where npm fetches packages and what it runs"),
		Entry(nil, "ENV", "names a file that shells run"),
		Entry("or only holds data", "env", ""),
		Entry("or an encoding of Python", "PYTHONIOENCODING", ""), Entry("or a mode of Python", "PYTHONUTF8", ""),
		Entry("or how Python writes", "PYTHONUNBUFFERED", ""), Entry("or what it does not write", "PYTHONDONTWRITEBYTECODE", ""),
		Entry("or how npm talks", "npm_config_update_notifier", ""), Entry("or how pip talks", "PIP_NO_INPUT", ""), Entry("or how uv talks", "UV_NO_PROGRESS", ""),
		Entry("but it does if it has a name like that", "PYTHONUTF8PATH", "names code that Python loads"),
		Entry("or a secret", "UV_PUBLISH_TOKEN", ""),
		Entry("or a secret of npm", "npm_config_//registry.npmjs.org/:_authToken", ""),
		Entry("or nothing of the kind", "GITHUB_TOKEN", ""),
	)
})

var _ = DescribeTable("A word for a shell", func(text, word string) {
	Expect(domain.ShellWord(text)).To(Equal(word))
},
	Entry("is left as it is when a shell would", "/srv/größe/a-b_c.json", "/srv/größe/a-b_c.json"),
	Entry("is quoted for spaces", "/my files", "'/my files'"),
	Entry("is quoted for what runs commands", "/a`id`$(id);b", "'/a`id`$(id);b'"),
	Entry("is quoted for what means other files", "~/[a]{b}", "'~/[a]{b}'"),
	Entry("keeps quotation marks", "it's", `'it'\''s'`),
	Entry("is left as it is when it is a path of Windows", `C:\Users\me\PROGRA~1\a.json`, `C:\Users\me\PROGRA~1\a.json`),
	Entry("is quoted for spaces in a path of Windows", `C:\Program Files (x86)\a.json`, `"C:\Program Files (x86)\a.json"`),
	Entry("is quoted as in a POSIX shell for what those of Windows expand", `C:\%PATH%\$(id)`, `'C:\%PATH%\$(id)'`),
	Entry("may be empty", "", "''"),
)

var _ = DescribeTable("A command in a message", func(command, quoted string) {
	Expect(domain.QuotedCommand(command)).To(Equal(quoted))
},
	Entry("is in single quotes", "chmod 600 /a.json", "'chmod 600 /a.json'"),
	Entry("is in backquotes if a word has single quotes", "chmod 600 '/my files'", "`chmod 600 '/my files'`"),
)

var _ = Describe("A question of a server to the user", Label("TQ03"), func() {
	DescribeTable("names its server, in one line", func(server, toolbox, line string) {
		Expect(domain.ServerAsks(domain.ServerID{Server: domain.ServerName(server), Toolbox: domain.ToolboxName(toolbox)})).To(Equal(line))
	},
		Entry("as it is named", "evil", "e", "Server 'evil' (toolbox 'e') asks:"),
		Entry("whose name has other letters", "böse \"x\"", "日", "Server 'böse \"x\"' (toolbox '日') asks:"),
		Entry("whose name ends it", `x' (toolbox 'e') asks:`+"\nMCP Workbench asks:", `e\`,
			`Server 'x\' (toolbox \'e\') asks:\nMCP Workbench asks:' (toolbox 'e\\') asks:`),
		Entry("whose name turns text around", "a\u202eb\u200b", "e", `Server 'a\u202eb\u200b' (toolbox 'e') asks:`),
		Entry("whose name is long", strings.Repeat("y", 300), "e", "Server '"+strings.Repeat("y", 80)+"' … 220 more characters (toolbox 'e') asks:"),
	)

	DescribeTable("to open a page names the host of the page", func(address, line string) {
		Expect(domain.PageAsked(address)).To(Equal(line))
	},
		Entry("a usual one", "https://example.org/a?b=c", `It asks to open a page of "example.org".`),
		Entry("with a port", "https://example.org:8443/", `It asks to open a page of "example.org:8443".`),
		Entry("with another one in front", "https://example.org@evil.example/", `It asks to open a page of "evil.example".`),
		Entry("with letters that look alike", "https://ex\u0430mple.org/", `It asks to open a page of "ex\u0430mple.org".`),
		Entry("with a backslash, at which programs do not agree", `https://example.org\@evil.example/`, "It asks to open an address that names no host."),
		Entry("without one", "javascript:alert(1)", "It asks to open an address that names no host."),
		Entry("without slashes", "https:evil.example", "It asks to open an address that names no host."),
		Entry("with a line break", "https://evil.example\n/", "It asks to open an address that names no host."),
		Entry("nothing", "", "It asks to open an address that names no host."),
	)
})
