package skills_test

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The skill of a toolbox", func() {
	// parts returns the fields and the body of a skill.
	parts := func(toolbox skills.Toolbox, command string) (fields map[string]string, body string) {
		GinkgoHelper()
		skill := spec.Must(toolbox.Skill(command))
		Expect(skill.Files).To(HaveLen(1))
		Expect(skill.Files[0].Path).To(Equal("SKILL.md"))
		front, body, found := strings.Cut(strings.TrimPrefix(string(skill.Files[0].Text), "---\n"), "---\n")
		Expect(found).To(BeTrue())
		Expect(yaml.Unmarshal([]byte(front), &fields)).To(Succeed())
		Expect(fields).To(HaveKeyWithValue("name", skill.Name))
		return fields, body
	}

	It("has the description of the user, the servers that it does not name, and when to use it", func() {
		fields, body := parts(skills.Toolbox{Name: "code", Description: "Our repositories: git.", Servers: []string{"git", "issues"}}, "mcp-workbench")

		Expect(fields).To(HaveKeyWithValue("description",
			"Our repositories: git (issues). Use when a task needs these tools, which are called in the shell."))
		for _, line := range []string{
			"`mcp-workbench list code`", "`mcp-workbench list code/SERVER/TOOL`", "`mcp-workbench call code/SERVER/TOOL ", "--select", "mcp-workbench allow ID",
		} {
			Expect(body).To(ContainSubstring(line))
		}
		Expect(body).NotTo(ContainSubstring("TOOLBOX"))
	})

	It("names the servers of a toolbox without a description", func() {
		fields, _ := parts(skills.Toolbox{Name: "code", Servers: []string{"git", "issues"}}, "mcp-workbench")

		Expect(fields["description"]).To(HavePrefix("Tools of git, issues. Use when "))
	})

	It("stays within the limits of the format, whatever the description is", func() {
		long := strings.Repeat("word: \"quoted\" 'single' #hash\n---\n\u202e\x1b[2J", 200)
		fields, body := parts(skills.Toolbox{Name: strings.Repeat("n", 54), Description: long, Servers: []string{strings.Repeat("s", 500)}}, "mcp-workbench")

		Expect(utf8.RuneCountInString(fields["description"])).To(BeNumerically("<=", 1024))
		Expect(fields["description"]).NotTo(ContainAny("\n", "\x1b", "\u202e"))
		Expect(len(body)).To(BeNumerically("<=", 1200))
	})

	It("says once which command runs another program or configuration", func() {
		_, body := parts(skills.Toolbox{Name: "code", Servers: []string{"git"}}, "/opt/workbench/mcp-workbench --config '/home/me/my file.json'")

		Expect(body).To(ContainSubstring("stands for this command:\n\n    /opt/workbench/mcp-workbench --config '/home/me/my file.json'\n"))
		_, err := skills.Toolbox{Name: "code", Servers: []string{"git"}}.Skill("/" + strings.Repeat("long/", 100) + "mcp-workbench")
		Expect(err).To(MatchError(ContainSubstring("too long")))
	})

	DescribeTable("is refused for a toolbox whose name no skill can have",
		func(name string) {
			_, err := skills.Toolbox{Name: name, Servers: []string{"git"}}.Skill("mcp-workbench")
			Expect(err).To(MatchError(And(ContainSubstring("workbench-"+name), ContainSubstring("lower-case letters, digits and single hyphens"))))
		},
		Entry(nil, "My Tools"), Entry(nil, "my_tools"), Entry(nil, "Code"), Entry(nil, "é"), Entry(nil, "a--b"), Entry(nil, "a-"),
		Entry(nil, "../../evil"), Entry(nil, strings.Repeat("n", 55)),
	)
})

// ContainAny matches a text with one of these texts.
func ContainAny(texts ...string) OmegaMatcher {
	var matchers []OmegaMatcher
	for _, text := range texts {
		matchers = append(matchers, ContainSubstring(text))
	}
	return Or(matchers...)
}
