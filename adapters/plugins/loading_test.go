package plugins_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/tests/spec"
)

const (
	manifestSchema = `"$schema":"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"`
	serversSchema  = `"$schema":"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"`
	manifest       = `{` + manifestSchema + `,"name":"tools"}`
)

// folder is the folder of a plugin in a spec.
type folder string

// newFolder returns the folder of a plugin with a manifest and a state folder of its own.
func newFolder() folder {
	GinkgoHelper()
	state := GinkgoT().TempDir()
	GinkgoT().Setenv("XDG_STATE_HOME", state)
	GinkgoT().Setenv("HOME", state)
	GinkgoT().Setenv("LocalAppData", state)
	f := folder(safefile.Followed(GinkgoT().TempDir()))
	f.file("plugin.json", manifest)
	return f
}

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

func (f folder) file(name, text string) {
	GinkgoHelper()
	Expect(os.MkdirAll(filepath.Dir(f.path(name)), 0o700)).To(Succeed())
	Expect(os.WriteFile(f.path(name), []byte(text), 0o600)).To(Succeed())
}

// link makes a link, which Windows allows to few users only.
func (f folder) link(target, name string) {
	GinkgoHelper()
	if runtime.GOOS == "windows" {
		Skip("links need a right on Windows")
	}
	Expect(os.MkdirAll(filepath.Dir(f.path(name)), 0o700)).To(Succeed())
	Expect(os.Symlink(target, f.path(name))).To(Succeed())
}

func (f folder) servers(entries string) {
	GinkgoHelper()
	f.file("mcp.json", `{`+serversSchema+`,"mcpServers":{`+entries+`}}`)
}

func (f folder) loaded() *plugins.Plugin {
	GinkgoHelper()
	return spec.Must(plugins.Load(string(f)))
}

// reports returns the reports of the plugin, without the name of the specification.
func (f folder) reports() []string {
	GinkgoHelper()
	var lines []string
	for _, report := range f.loaded().Reports {
		lines = append(lines, strings.ReplaceAll(report.String(), "Agent Plugins 1.0.0, section ", ""))
	}
	return lines
}

// settings returns what the only server of the plugin has.
func (f folder) settings() map[string]any {
	GinkgoHelper()
	loaded := f.loaded()
	Expect(loaded.Reports).To(BeEmpty())
	Expect(loaded.Servers).To(HaveLen(1))
	var settings map[string]any
	Expect(json.Unmarshal(loaded.Servers[0].Settings, &settings)).To(Succeed())
	return settings
}

var _ = Describe("The manifest of a plugin", func() {
	It("gives the name, the version and the description", func() {
		f := newFolder()
		f.file("plugin.json", `{`+manifestSchema+`,"name":"acme.tools","version":"any","description":"d","author":{"name":"a","email":"e","url":"u"},
			"homepage":"h","repository":"r","license":"l","keywords":["k"],"extensions":{"com.example":{"x":[null]}}}`)

		loaded := f.loaded()
		Expect([]string{loaded.Name, loaded.Version, loaded.Description}).To(Equal([]string{"acme.tools", "any", "d"}))
		Expect(loaded.Root).To(Equal(string(f)))
		Expect(loaded.Reports).To(BeEmpty())
		Expect(loaded.Servers).To(BeEmpty())
	})

	DescribeTable("takes the whole plugin away if it breaks a rule", func(text, problem string) {
		f := newFolder()
		f.file("plugin.json", text)
		f.servers(`"s":{"type":"stdio","command":"x"}`)

		_, err := plugins.Load(string(f))
		rejected := new(plugins.RejectedError)
		Expect(err).To(BeAssignableToTypeOf(rejected))
		Expect(err).To(MatchError(f.path("plugin.json") + ": " + strings.ReplaceAll(problem, "§", "Agent Plugins 1.0.0, section ")))
	},
		Entry("5.2: it is no JSON", `{`, "it is not valid JSON (§5.2)"),
		Entry("5.2: it has a comment", "{} // no", "it is not valid JSON (§5.2)"),
		Entry("5.2: it is not UTF-8", "{\"name\":\"\xff\"}", "it is not valid JSON (§5.2)"),
		Entry("5.2: it is no object", `[]`, "it is no object (§5.2)"),
		Entry("5.2: a field occurs twice", `{"name":"a","name":"b"}`, "it has 'name' twice (§5.2)"),
		Entry("5.3: no schema", `{"name":"a"}`, `"$schema" is missing (§5.3)`),
		Entry("5.3: no name", `{`+manifestSchema+`}`, `"name" is missing (§5.3)`),
		Entry("5.2: another version", `{"$schema":"https://agent-plugins.org/schemas/2.0.0/plugin.schema.json","name":"a"}`,
			`"$schema" is not https://agent-plugins.org/schemas/1.0.0/plugin.schema.json, the only version that is supported (§5.2)`),
		Entry("5.2: a schema that is no string", `{"$schema":1,"name":"a"}`,
			`"$schema" is not https://agent-plugins.org/schemas/1.0.0/plugin.schema.json, the only version that is supported (§5.2)`),
		Entry("5.4: a version that is no string", `{`+manifestSchema+`,"name":"a","version":1}`, `"version" is not a string (§5.4)`),
		Entry("5.4: a description that is null", `{`+manifestSchema+`,"name":"a","description":null}`, `"description" is not a string (§5.4)`),
		Entry("5.4: a homepage that is no string", `{`+manifestSchema+`,"name":"a","homepage":{}}`, `"homepage" is not a string (§5.4)`),
		Entry("5.4: a repository that is no string", `{`+manifestSchema+`,"name":"a","repository":{}}`, `"repository" is not a string (§5.4)`),
		Entry("5.4: a license that is no string", `{`+manifestSchema+`,"name":"a","license":[]}`, `"license" is not a string (§5.4)`),
		Entry("5.4: an author that is a string", `{`+manifestSchema+`,"name":"a","author":"me"}`, `"author" is no object (§5.4)`),
		Entry("5.4: an unknown field of the author", `{`+manifestSchema+`,"name":"a","author":{"x":"y"}}`, `"author" has the unknown field 'x' (§5.4)`),
		Entry("5.4: a field of the author that is no string", `{`+manifestSchema+`,"name":"a","author":{"name":1}}`,
			`"author" has the field 'name', which is not a string (§5.4)`),
		Entry("5.4: keywords that are no list", `{`+manifestSchema+`,"name":"a","keywords":"x"}`, `"keywords" is not a list of strings (§5.4)`),
		Entry("5.4: a keyword that is no string", `{`+manifestSchema+`,"name":"a","keywords":["x",1]}`, `"keywords" is not a list of strings (§5.4)`),
		Entry("8.1: an extension that is no object", `{`+manifestSchema+`,"name":"a","extensions":{"com.x":1}}`,
			`"extensions" has 'com.x', which is no object (§8.1)`),
	)

	DescribeTable("has a name of the form that section 5.5 wants", func(name string, isLegal bool) {
		f := newFolder()
		f.file("plugin.json", `{`+manifestSchema+`,"name":"`+name+`"}`)

		_, err := plugins.Load(string(f))
		if isLegal {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(ContainSubstring("section 5.5")))
		}
	},
		Entry("words", "my-plugin", true), Entry("periods", "acme.tools", true), Entry("a digit", "lint3r", true), Entry("one letter", "a", true),
		Entry("64 characters", strings.Repeat("a", 64), true), Entry("65 characters", strings.Repeat("a", 65), false),
		Entry("upper case", "My-Plugin", false), Entry("a hyphen at the start", "-start", false), Entry("a period at the end", "end.", false),
		Entry("two hyphens", "has--double", false), Entry("two periods", "too..many", false), Entry("nothing", "", false), Entry("others", "größe", false),
		Entry("a line end", `a\n`, false),
	)

	It("may have unknown fields and extensions that are no object, which are reported and ignored", func() {
		f := newFolder()
		f.file("plugin.json", `{`+manifestSchema+`,"name":"a","mcpServers":{},"extensions":[]}`)

		Expect(f.reports()).To(Equal([]string{
			"plugin.json has the unknown field 'mcpServers', which is ignored (5.2)", `plugin.json has "extensions" that are no object, which are ignored (8.1)`,
		}))
	})

	It("must be a file in the folder", func() {
		f := newFolder()
		Expect(os.Rename(f.path("plugin.json"), f.path("other.json"))).To(Succeed())
		_, err := plugins.Load(string(f))
		Expect(err).To(MatchError(ContainSubstring("it does not exist (Agent Plugins 1.0.0, section 5.1)")))
		Expect(plugins.IsIn(string(f))).To(BeFalse())

		f.link("other.json", "plugin.json")
		Expect(f.loaded().Name).To(Equal("tools"))
	})

	It("must not be a link that leads out of the folder", func() {
		f := newFolder()
		outside := folder(GinkgoT().TempDir())
		outside.file("plugin.json", manifest)
		Expect(os.Remove(f.path("plugin.json"))).To(Succeed())
		f.link(outside.path("plugin.json"), "plugin.json")

		_, err := plugins.Load(string(f))
		Expect(err).To(MatchError(ContainSubstring("it leads out of the folder of the plugin (Agent Plugins 1.0.0, section 4.1)")))
	})

	It("is not looked for in a file, nor elsewhere", func() {
		f := newFolder()
		_, err := plugins.Load(f.path("plugin.json"))
		Expect(err).To(MatchError(And(ContainSubstring(f.path("plugin.json")+" is no folder"), Not(ContainSubstring("plugin.json: ")))))
		_, err = plugins.Load(f.path("none"))
		Expect(err).To(MatchError(os.ErrNotExist))
	})
})

var _ = Describe("What of a plugin is ignored or skipped", func() {
	It("is reported at most fifty times, and then once more for the rest", func() {
		f := newFolder()
		var unknown strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&unknown, `,"x%d":1`, i)
		}
		f.file("plugin.json", strings.TrimSuffix(manifest, "}")+unknown.String()+"}")
		reports := f.reports()
		Expect(reports).To(HaveLen(51))
		Expect(reports[50]).To(Equal("more is ignored or skipped (5.2)"))
	})
})

var _ = Describe("The skills of a plugin", func() {
	skill := func(fields string) string { return "---\n" + fields + "\n---\nText\n" }

	It("are the folders in skills with a SKILL.md, and not those below", func() {
		f := newFolder()
		f.file("skills/deploy/SKILL.md", skill("name: deploy\ndescription: Deploys"))
		f.file("skills/test/SKILL.md", skill("name: test\ndescription: |\n  Tests\nlicense: MIT\ncompatibility: x\nmetadata: {a: b}\nallowed-tools: Bash"))
		f.file("skills/group/inner/SKILL.md", skill("name: inner\ndescription: x"))
		f.file("skills/lower/skill.md", skill("name: lower\ndescription: x"))
		f.file("skills/README.md", "")

		Expect(f.loaded().Reports).To(BeEmpty())
		Expect(f.loaded().Skills).To(HaveExactElements(
			plugins.Skill{Name: "deploy", Description: "Deploys", Folder: f.path("skills/deploy")},
			plugins.Skill{Name: "test", Description: "Tests\n", Folder: f.path("skills/test")},
		))
	})

	DescribeTable("are skipped by themselves if they break the format", func(text, problem string) {
		f := newFolder()
		f.file("skills/s/SKILL.md", text)
		f.file("skills/t/SKILL.md", skill("name: t\ndescription: x"))

		Expect(f.reports()).To(Equal([]string{"skill 's' " + problem + "; so it is skipped (7.1)"}))
		Expect(f.loaded().Skills).To(HaveLen(1))
	},
		Entry("no fields", "Text", `has no fields between two lines of "---"`),
		Entry("fields that do not end", "---\nname: s\n", `has no fields between two lines of "---"`),
		Entry("no YAML", skill("name: [s"), "has fields that are not valid YAML"),
		Entry("long fields", skill("name: s\ndescription: x\nmetadata: {"+strings.Repeat("a, ", 3000)+"}"), "has fields of more than 8192 bytes"),
		Entry("no name", skill("description: x"), `has no "name" of 1 to 64 characters of a-z, 0-9 and single "-" between them`),
		Entry("an illegal name", skill("name: S\ndescription: x"), `has no "name" of 1 to 64 characters of a-z, 0-9 and single "-" between them`),
		Entry("another name", skill("name: u\ndescription: x"), `has another "name" than its folder`),
		Entry("no description", skill("name: s"), `has no "description" of 1 to 1024 characters`),
		Entry("a long description", skill("name: s\ndescription: "+strings.Repeat("x", 1025)), `has no "description" of 1 to 1024 characters`),
		Entry("a license that is no string", skill("name: s\ndescription: x\nlicense: [a]"), `has a "license" that is not a string`),
		Entry("compatibility that is too long", skill("name: s\ndescription: x\ncompatibility: "+strings.Repeat("x", 501)),
			`has a "compatibility" that is not 1 to 500 characters`),
		Entry("metadata that are no object", skill("name: s\ndescription: x\nmetadata: y"), `has "metadata" that are no object`),
	)

	It("are in a folder, or else there is none of them", func() {
		f := newFolder()
		f.file("skills", "")
		Expect(f.reports()).To(Equal([]string{"skills is no folder that can be read; so no skill is used (6.2)"}))
	})

	It("stay in the folder of the plugin", func() {
		f := newFolder()
		outside := folder(GinkgoT().TempDir())
		outside.file("s/SKILL.md", skill("name: s\ndescription: x"))
		f.link(outside.path("s"), "skills/s")
		Expect(f.reports()).To(Equal([]string{"skill 's' cannot be used: it leads out of the folder of the plugin; so it is skipped (4.1)"}))

		Expect(os.RemoveAll(f.path("skills"))).To(Succeed())
		f.link(string(outside), "skills")
		Expect(f.reports()).To(Equal([]string{"skills cannot be used: it leads out of the folder of the plugin (4.1)"}))
	})
})
