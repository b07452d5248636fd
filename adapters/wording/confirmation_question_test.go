package wording_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// questionAbout returns the lines of the question about a call with these arguments.
func questionAbout(arguments string) []string {
	question := domain.ConfirmationQuestion{
		Tool:      domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "delete"},
		Arguments: json.RawMessage(arguments),
	}
	lines := strings.Split(wording.ConfirmationQuestion(question), "\n")
	Expect(lines[0]).To(Equal("MCP Workbench asks:"))
	return lines[1:]
}

var _ = Describe("The question before a call", func() {
	It("names the tool, its server and every argument", func() {
		Expect(questionAbout(`{"path":"/tmp/a b","deep":{"list":[1,2.50,true,null,{}],"n":12345678901234567890},"none":[]}`)).To(Equal([]string{
			"A call needs your approval. The tool is called only if you allow it.",
			`Tool: "delete"`,
			`Server: "files" in the toolbox "dev"`,
			"Arguments:",
			`  "path": "/tmp/a b"`,
			`  "deep": {"list": [1, 2.50, true, null, {}], "n": 12345678901234567890}`,
			`  "none": []`,
		}))
	})

	It("says that it is not known which page calls", func() {
		question := domain.ConfirmationQuestion{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "delete"}, OfUnknownPage: true}

		Expect(wording.ConfirmationQuestion(question)).To(ContainSubstring(
			"only if you allow it.\nA page calls it. Pages of several servers are shown, and the host does not say which of them calls.\nTool: \"delete\"\n"))
	})

	It("says that there are no arguments", func() {
		Expect(questionAbout(` { } `)).To(HaveExactElements(HavePrefix("A call"), HavePrefix("Tool"), HavePrefix("Server"), Equal("Arguments: none")))
	})

	It("shows a repeated member each time", func() {
		Expect(questionAbout(`{"a":1,"a":2}`)[4:]).To(Equal([]string{`  "a": 1`, `  "a": 2`}))
	})

	DescribeTable("shows deceptive characters as escapes", func(written, shown string) {
		Expect(questionAbout(`{"a":` + written + `}`)[4:]).To(Equal([]string{`  "a": ` + shown}))
		name := questionAbout(`{` + written + `:1}`)[4:]
		Expect(name).To(Equal([]string{"  " + shown + ": 1"}))
	},
		Entry("a line of its own", `"x\nTool: \"read\""`, `"x\nTool: \"read\""`),
		Entry("other line ends", `"a\r\u0085\u2028\u2029\u000b\f"`, `"a\r\u0085\u2028\u2029\u000b\u000c"`),
		Entry("a tab", `"a\tb"`, `"a\tb"`),
		Entry("a backslash", `"\\n"`, `"\\n"`),
		Entry("a letter that hides behind an escape", `"\u002fetc"`, `"/etc"`),
		Entry("a terminal's control sequence", `"\u001b[2J\u009b2J\u007f"`, `"\u001b[2J\u009b2J\u007f"`),
		Entry("what reverses text", "\"a\u202eb\u2066c\u200fd\u061c\"", `"a\u202eb\u2066c\u200fd\u061c"`),
		Entry("what cannot be seen", "\"a\u200bb\ufeffc\u00add\u2060\ufe0f\u3164\u2800\u00a0\"", `"a\u200bb\ufeffc\u00add\u2060\ufe0f\u3164\u2800\u00a0"`),
		Entry("tag characters", "\"a\U000e0041\"", `"a\U000e0041"`),
		Entry("no letters of any language", `"Ünïcödé 日本語 😀"`, `"Ünïcödé 日本語 😀"`),
	)

	It("shows names of tools and servers in the same way", func() {
		question := domain.ConfirmationQuestion{
			Tool:      domain.ToolIdentifier{Toolbox: "d\nv", Server: "f\u202es", Tool: "x\"\nArguments: none" + strings.Repeat("y", 300)},
			Arguments: json.RawMessage(`{}`),
		}

		Expect(strings.Split(wording.ConfirmationQuestion(question), "\n")[2:]).To(Equal([]string{
			`Tool: "x\"\nArguments: none` + strings.Repeat("y", 179) + `" … 121 more characters`,
			`Server: "f\u202es" in the toolbox "d\nv"`,
			"Arguments: none",
		}))
	})

	It("says how many characters of an argument it hides, and shows the other arguments", func() {
		long := strings.Repeat("é", 10_000)

		lines := questionAbout(`{"content":"` + long + `","list":[` + strings.Repeat(`"ab",`, 200) + `"c"],"path":"/etc"}`)[4:]

		Expect(lines).To(HaveLen(3))
		Expect(lines[0]).To(Equal(`  "content": "` + strings.Repeat("é", 488) + `" … 9512 more characters`))
		Expect(lines[1]).To(MatchRegexp(`^  "list": \["ab", .*, … \d+ more characters$`))
		Expect(lines[2]).To(Equal(`  "path": "/etc"`))
	})

	It("says how many arguments it hides", func() {
		var members []string
		for i := range 1000 {
			members = append(members, fmt.Sprintf(`"a%03d":%q`, i, strings.Repeat("x", 90)))
		}

		lines := questionAbout("{" + strings.Join(members, ",") + "}")[4:]

		Expect(lines).To(HaveLen(30 + 1))
		Expect(lines[29]).To(HavePrefix(`  "a029": "x`))
		Expect(lines[30]).To(Equal("  … 970 more arguments with 97000 characters"))
	})

	It("is composed without recursion, however deep the nesting", func() {
		deep := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)

		Expect(questionAbout(`{"a":` + deep + `}`)[4:]).To(HaveExactElements(HaveSuffix("[ … 17505 more characters")))
	})

	It("shows unreadable arguments verbatim", func() {
		Expect(questionAbout("{\"a\":\n1")[4:]).To(Equal([]string{`  "{\"a\":\n1"`}))
	})
})
