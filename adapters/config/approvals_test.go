package config_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// locked loads content beside a lock.
func locked(content string) (*config.Configuration, error) {
	GinkgoHelper()
	path := write("c.json", content)
	Expect(os.WriteFile(filepath.Join(filepath.Dir(path), domain.LockName), nil, 0o600)).To(Succeed())
	return config.Load(config.Options{Path: path}, transports())
}

// approvalsOf returns the approvals of the only server, beside a lock.
func approvalsOf(content string) domain.Approvals {
	GinkgoHelper()
	return server(spec.Must(locked(content))).Approvals
}

// onLevels returns a configuration with members at the root, in its toolbox and in its
// server, on the lines 1 to 3. Each begins with a comma, or is empty.
func onLevels(root, toolbox, server string) string {
	return `{"logLevel":"warn"` + root + `,"toolboxes":{"dev":{"description":""` + "\n" + toolbox +
		`,"mcpServers":{"fs":{"command":"x"` + "\n" + server + `}}}}}`
}

var _ = Describe("Approvals", func() {
	pattern := func(text string, level domain.PatternLevel) domain.ToolPattern {
		return domain.ToolPattern{Text: text, Level: level}
	}

	It("are empty by default", func() {
		Expect(approvalsOf(onLevels("", "", ""))).To(BeZero())
		Expect(load(onLevels("", "", "")).Definitions.ReadTool).To(BeFalse())
	})

	It("add up over the levels", func() {
		configuration := spec.Must(locked(onLevels(`,"confirm":["a","b/c"],"readOnly":["r"]`, `,"confirm":"destructive"`, `,"confirm":["d/e"],"readOnly":[]`)))
		Expect(server(configuration).Approvals).To(Equal(domain.Approvals{
			Confirm:            domain.ToolPatterns{pattern("a", domain.RootPattern), pattern("b/c", domain.RootPattern), pattern("d/e", domain.ServerPattern)},
			ConfirmDestructive: true,
			ReadOnly:           domain.ToolPatterns{pattern("r", domain.RootPattern)},
		}))
		Expect(configuration.Approvals.ConfirmDestructive).To(BeFalse())
		Expect(configuration.Approvals.Confirm).To(HaveLen(2))
	})

	It("of one server do not reach another one", func() {
		configuration := load(`{"confirm":["r"],"toolboxes":{
			"a":{"mcpServers":{"x":{"command":"x","confirm":["1"]},"y":{"command":"x","confirm":["2"]}},"confirm":["t"]},
			"b":{"mcpServers":{"x":{"command":"x","confirm":["3"]}}}}}`)

		var texts [][]string
		for _, toolbox := range configuration.Catalog.Toolboxes() {
			for _, server := range toolbox.Servers {
				var names []string
				for _, pattern := range server.Approvals.Confirm {
					names = append(names, pattern.Text)
				}
				texts = append(texts, names)
			}
		}
		Expect(texts).To(Equal([][]string{{"r", "t", "1"}, {"r", "t", "2"}, {"r", "3"}}))
	})

	It(`can have "destructive" among patterns, where it is also the name of a tool`, func() {
		approvals := approvalsOf(onLevels(`,"confirm":["a","destructive"]`, "", ""))

		Expect(approvals.ConfirmDestructive).To(BeTrue())
		Expect(approvals.Confirm).To(ContainElement(pattern("destructive", domain.RootPattern)))
	})

	DescribeTable("trust annotations as the nearest level sets it",
		func(root, toolbox, server string, trusts bool) {
			Expect(approvalsOf(onLevels(root, toolbox, server)).TrustAnnotations).To(Equal(trusts))
		},
		Entry("the root", `,"trustAnnotations":true`, "", "", true),
		Entry("the toolbox", "", `,"trustAnnotations":true`, "", true),
		Entry("the server", "", "", `,"trustAnnotations":true`, true),
		Entry("not the server", `,"trustAnnotations":true`, "", `,"trustAnnotations":false`, false),
		Entry("not the toolbox", `,"trustAnnotations":true`, `,"trustAnnotations":false`, "", false),
	)

	DescribeTable("that depend on the lock need one",
		func(member, found string) {
			want := ", want the file workbench.lock.json beside the configuration, which 'mcp-workbench lock' makes and which decides which tools it applies to"
			Expect(problemsOf(onLevels(member, "", ""))).To(ConsistOf(HaveSuffix(": found " + found + " without a lock" + want)))
			Expect(problemsOf(onLevels("", member, ""))).To(ConsistOf(HavePrefix("c.json:2:")))
			Expect(problemsOf(onLevels("", "", member))).To(ConsistOf(HavePrefix("c.json:3:")))
			Expect(approvalsOf(onLevels(member, "", ""))).NotTo(BeZero())

			_, err := locked(onLevels(member+`,"pinning":"off"`, "", ""))
			Expect(err).To(MatchError(ContainSubstring(": found " + found + ` with "pinning": "off", want "pinning": "warn" or "block"`)))
		},
		Entry(`"destructive"`, `,"confirm":"destructive"`, `"destructive"`),
		Entry(`"destructive" in a list`, `,"confirm":["a","destructive"]`, `"destructive"`),
		Entry("annotations", `,"trustAnnotations":true`, "true"),
	)

	It("that depend on the lock need none when it is about to be made", func() {
		path := write("c.json", onLevels(`,"confirm":"destructive"`, `,"trustAnnotations":true`, ""))

		Expect(config.Load(config.Options{Path: path, MakesLock: true}, transports())).Error().NotTo(HaveOccurred())
	})

	DescribeTable("that are wrong leave nothing unprotected",
		func(root, toolbox, server string, left ...string) {
			path := write("c.json", `{"logLevel":"warn"`+root+`,"toolboxes":{
				"dev":{"description":""`+toolbox+`,"mcpServers":{"fs":{"command":"x"`+server+`},"db":{"command":"x"}}},
				"ops":{"mcpServers":{"ci":{"command":"x"}}}}}`)

			configuration := spec.Must(config.Load(config.Options{Path: path, Lenient: true}, transports()))
			var servers []string
			for _, toolbox := range configuration.Catalog.Toolboxes() {
				servers = append(servers, toolbox.ServerNames()...)
			}
			Expect(servers).To(HaveExactElements(left))
		},
		Entry("at the root", `,"confirm":"destructve"`, "", ""),
		Entry("at the root, without a lock", `,"confirm":"destructive"`, "", ""),
		Entry("at the root, misspelt", `,"confrm":["a"]`, "", ""),
		Entry("at the root, a key of servers", `,"toolFilters":["a"]`, "", ""),
		Entry("at the root, in other words", `,"requireApproval":true`, "", ""),
		Entry("at the root, a limit", `,"limits":{"cal":1}`, "", ""),
		Entry("at the root, where it protects nothing", `,"findTool":"yes"`, "", "", "fs", "db", "ci"),
		Entry("at the root, misspelt, where it protects nothing", `,"findTol":true`, "", "", "fs", "db", "ci"),
		Entry("at the root, unlike any key", `,"timeoutt":3`, "", "", "fs", "db", "ci"),
		Entry("in a toolbox", "", `,"confirm":[1]`, "", "ci"),
		Entry("in a toolbox, without a lock", "", `,"trustAnnotations":true`, "", "ci"),
		Entry("in a server", "", "", `,"readOnly":"read"`, "db", "ci"),
		Entry("in a server, misspelt", "", "", `,"confirms":["a"]`, "db", "ci"),
	)

	DescribeTable("that are wrong are named with their place and what to write",
		func(content, problem string) {
			Expect(problemsOf(content)).To(ConsistOf(problem))
		},
		Entry("another word", withRoot(`"confirm":"all"`), `c.json:2:11: confirm: found "all", want a list of tools such as ["delete_*"], or "destructive"`),
		Entry(`"destructive" in another case`, withRoot(`"confirm":["Destructive"]`), `c.json:2:12: confirm[0]: found "Destructive", want "destructive"`),
		Entry("another kind", withRoot(`"confirm":true`), `c.json:2:11: confirm: found true, want a list of tools such as ["delete_*"], or "destructive"`),
		Entry("a word for readOnly", withRoot(`"readOnly":"read"`), `c.json:2:12: readOnly: found a string, want a list of tools such as ["read_*"]`),
		Entry("no text", withRoot(`"readOnly":["a",1]`), `c.json:2:17: readOnly[1]: found a number, want "tool", "server/tool" or "toolbox/server/tool"`),
		Entry("an empty part", withRoot(`"confirm":["git/"]`), `c.json:2:12: confirm[0]: found "git/", want "tool", "server/tool" or "toolbox/server/tool"`),
		Entry("nothing", withServer(`{"command":"x","confirm":[""]}`), `c.json:2:27: toolboxes.dev.mcpServers.fs.confirm[0]: found "", want the name of a tool`),
		Entry("an exception", withServer(`{"command":"x","confirm":["*","!read"]}`),
			`c.json:2:31: toolboxes.dev.mcpServers.fs.confirm[1]: found "!read", want a tool without "!": a list only adds to what the levels above it name`),
		Entry("trust of another kind", withServer(`{"command":"x","trustAnnotations":"yes"}`),
			`c.json:2:35: toolboxes.dev.mcpServers.fs.trustAnnotations: found a string, want true or false`),
		Entry("a misspelt key", withRoot(`"readonly":["a"]`), `c.json:2:1: readonly: unknown key "readonly"; did you mean 'readOnly'?`),
		Entry("a key of the root in a server", withServer(`{"command":"x","confirmed":["a"]}`),
			`c.json:2:16: toolboxes.dev.mcpServers.fs.confirmed: unknown key "confirmed"; did you mean 'confirm'?`),
		Entry("readTool of another kind", withRoot(`"readTool":1`), `c.json:2:12: readTool: found a number, want true or false`),
	)

	DescribeTable("without effect are warned of",
		func(content string, warnings ...string) {
			Expect(warningsOf(content)).To(HaveExactElements(warnings))
		},
		Entry("keys of read_tool without read_tool, once", withRoot(`"readOnly":["a"],`+"\n"+`"trustAnnotations":false`),
			`c.json:2:1: readOnly: has no effect without "readTool": true at the root`),
		Entry("the same of a server", withServer(`{"command":"x","readOnly":["a"]}`),
			`c.json:2:16: toolboxes.dev.mcpServers.fs.readOnly: has no effect without "readTool": true at the root`),
		Entry("read_tool where tools are registered", withRoot(`"toolMode":"dynamic","readOnly":["a"],"readTool":true`),
			`c.json:2:39: readTool: has no effect with the tool mode "dynamic", in which tools have names and annotations of their own`),
		Entry("nothing else", withRoot(`"readOnly":["a"],"readTool":true`)),
	)

	It("leave no read_tool where tools are registered", func() {
		Expect(load(withRoot(`"toolMode":"dynamic","readTool":true`)).Definitions.ReadTool).To(BeFalse())
	})

	DescribeTable("whose patterns name no server are warned of, with the nearest",
		func(patterns string, warnings ...string) {
			Expect(warningsOf(`{"confirm":` + patterns + `,"toolboxes":{
				"dev":{"mcpServers":{"git":{"command":"x"},"svn":{"disabled":true}}},"old":{"mcpServers":{"cvs":{"disabled":true}}}}}`)).To(
				HaveExactElements(append([]string{"c.json:2:94: toolboxes.old: left out, since all its servers are disabled"}, warnings...)))
		},
		Entry("a misspelt server", `["gti/push"]`, `c.json: confirm: "confirm" names 'gti/push', which matches no tool; did you mean 'git/push'?`),
		Entry("a misspelt toolbox", `["dve/git/push"]`, `c.json: confirm: "confirm" names 'dve/git/push', which matches no tool; did you mean 'dev/git/push'?`),
		Entry("not servers that are there, or disabled", `["git/push","svn/*","old/cvs/*","*","dev/git/a/b"]`),
	)
})
