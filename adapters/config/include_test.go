package config_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Files that a configuration includes", func() {
	var (
		folder  string
		options config.Options
	)
	BeforeEach(func() {
		folder = GinkgoT().TempDir()
		options = config.Options{Path: filepath.Join(folder, "main.json"), WorkDir: folder, UserConfigDir: filepath.Join(folder, "users")}
	})
	// written writes a file with members of its root and toolboxes of one server each.
	written := func(name, members string, toolboxes ...string) {
		GinkgoHelper()
		var entries []string
		for _, toolbox := range toolboxes {
			entries = append(entries, fmt.Sprintf(`%q:{"mcpServers":{"s":{"command":"x","env":{"A":"${TOKEN:-none}"}}}}`, toolbox))
		}
		path := filepath.Join(folder, name)
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(`{`+members+`"toolboxes":{`+strings.Join(entries, ",")+`}}`), 0o600)).To(Succeed())
	}
	loaded := func() *config.Configuration {
		GinkgoHelper()
		return spec.Must(config.Load(options, transports()))
	}
	problems := func() []string {
		GinkgoHelper()
		_, err := config.Load(options, transports())
		return texts(invalid(err).Problems)
	}
	const users = "users/mcp-workbench/workbench-config.json"

	It("add their toolboxes after the file's own, each followed by those that it includes itself", func() {
		written("main.json", `"include":["sub/more.json","user"],`, "a")
		written("sub/more.json", `"include":["../last.json"],`, "b")
		written("last.json", "", "c")
		written(users, "", "d")
		Expect(toolboxNames(loaded())).To(Equal([]string{"a", "b", "c", "d"}))
		Expect(loaded().Included).To(Equal([]string{
			filepath.Join(folder, "sub", "more.json"), filepath.Join(folder, "last.json"), filepath.Join(folder, users),
		}))
	})

	It("lose a toolbox whose name is taken, with a warning", func() {
		written("main.json", `"include":["more.json"],`, "a")
		written("more.json", "", "a", "b")
		configuration := loaded()
		Expect(toolboxNames(configuration)).To(Equal([]string{"a", "b"}))
		Expect(texts(configuration.Warnings)).To(HaveExactElements(
			"more.json: its toolbox 'a' is left out, since " + options.Path + " has one of that name"))
	})

	It("are read once, and the user's own need not exist", func() {
		written("main.json", `"include":["b.json","c.json","user","./b.json"],`, "a")
		written("b.json", `"include":["c.json"],`, "b")
		written("c.json", "", "c")
		Expect(toolboxNames(loaded())).To(Equal([]string{"a", "b", "c"}))
		Expect(loaded().Warnings).To(BeEmpty())
	})

	It("keep their secrets and approvals to themselves, and have the other settings of the file", func() {
		written("main.json", `"include":["more.json"],"limits":{"connect":"7s"},"confirm":["mine"],"secrets":{"TOKEN":{"file":"main.txt"}},`, "a")
		written("more.json", `"limits":{"connect":"9s"},"logLevel":"debug","confirm":["theirs"],"secrets":{"TOKEN":{"file":"more.txt"}},`, "b")
		for name, value := range map[string]string{"main.txt": "of-main", "more.txt": "of-more"} {
			Expect(os.WriteFile(filepath.Join(folder, name), []byte(value), 0o600)).To(Succeed())
		}
		toolboxes := loaded().Catalog.Toolboxes()
		for i, want := range []string{"of-main", "of-more"} {
			Expect(string(toolboxes[i].Servers[0].Settings)).To(ContainSubstring(want))
			Expect(toolboxes[i].Servers[0].Limits.Connect.String()).To(Equal("7s"))
		}
		Expect(toolboxes[0].Servers[0].Approvals).NotTo(Equal(toolboxes[1].Servers[0].Approvals))
		Expect(fmt.Sprint(toolboxes[1].Servers[0].Approvals)).To(And(ContainSubstring("theirs"), Not(ContainSubstring("mine"))))
		Expect(slices.Collect(maps.Keys(loaded().OtherFiles))).To(ConsistOf(
			filepath.Join(folder, "more.json"), filepath.Join(folder, "main.txt"), filepath.Join(folder, "more.txt")))
	})

	It("may have toolboxes that tokens of the file name", func() {
		written("main.json", `"include":["more.json"],"http":{"tokens":{"ci":{"value":"x","toolboxes":["b"]}}},`, "a")
		written("more.json", "", "b")
		Expect(loaded().HTTP.Tokens[0].Toolboxes).To(Equal([]string{"b"}))
	})

	It("lose only their own toolboxes by a mistake", func() {
		written("main.json", `"include":["more.json"],`, "a")
		Expect(os.WriteFile(filepath.Join(folder, "more.json"), []byte(`{"toolboxes":`), 0o600)).To(Succeed())
		Expect(problems()).To(HaveExactElements(HavePrefix("more.json:1:")))
		options.Lenient = true
		Expect(toolboxNames(loaded())).To(Equal([]string{"a"}))
		Expect(loaded().Catalog.Problems()).To(HaveExactElements(HaveField("Text", ContainSubstring("more.json"))))
	})

	DescribeTable("are refused", func(include, problem string) {
		written("main.json", `"include":`+include+`,`, "a")
		written("circle.json", `"include":["main.json"],`, "b")
		for i := range 12 {
			written(fmt.Sprintf("deep%d.json", i), fmt.Sprintf(`"include":["deep%d.json"],`, i+1), fmt.Sprint("d", i))
		}
		written("deep12.json", "", "d12")
		Expect(problems()).To(HaveExactElements(ContainSubstring(problem)))
	},
		Entry("in a cycle", `["circle.json"]`, "want files that do not include each other"),
		Entry("by themselves", `["main.json"]`, "want files that do not include each other"),
		Entry("in a chain of more than eight", `["deep0.json"]`, "a chain of more than 8 included files"),
		Entry("when they do not exist", `["none.json"]`, `include[0]: found no file: `),
		Entry("as a folder", `["."]`, "found a directory"),
		Entry("as a text", `"more.json"`, "want a list of configuration files"),
		Entry("as a number", `[1]`, "want the path of a file"),
		Entry("with a variable", `["${HOME}/x.json"]`, "without variables and ~"),
		Entry("with a home", `["~/x.json"]`, "without variables and ~"),
	)

	Context("where the file may come from others", func() {
		var trusted map[string]bool
		BeforeEach(func() {
			trusted = map[string]bool{"workbench-config.json": true}
			options.Path = ""
			options.Trusts = func(path string, _ []byte) (bool, string) { return trusted[filepath.Base(path)], "" }
			written("workbench-config.json", `"include":["more.json","user"],`, "a")
			written("more.json", "", "b")
			written(users, "", "c")
		})

		It("count once the user trusts each of them, except for the user's own, which always counts", func() {
			configuration := loaded()
			Expect(toolboxNames(configuration)).To(Equal([]string{"a", "c"}))
			Expect(configuration.Catalog.Problems()).To(HaveExactElements(And(
				HaveField("Untrusted", true), HaveField("Text", ContainSubstring(filepath.Join(folder, "more.json")+" is not trusted")))))
			Expect(strings.Join(configuration.Announcement(false), "\n")).To(ContainSubstring("more.json is not trusted"))

			trusted["more.json"] = true
			Expect(toolboxNames(loaded())).To(Equal([]string{"a", "b", "c"}))
		})

		It("cannot take the place of the user's own toolboxes without that", func() {
			written("more.json", "", "c")
			Expect(spec.Must(loaded().Catalog.Toolbox("c")).Name).To(Equal(domain.ToolboxName("c")))
			Expect(loaded().Warnings).To(BeEmpty())
		})
	})
})
