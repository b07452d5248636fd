package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal"
	plans "mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// contributed is the kind "unix" of a contributor, as CONTRIBUTING.md says how to add one: nothing else names it or its keys.
type contributed struct{ ports.Transport }

func (contributed) Settings() any {
	return struct {
		Socket string `json:"socket" is:"shown expanded address" required:"the path of a socket" form:"any"`
		Pass   string `json:"pass" is:"secret expanded" form:"any"`
		Tries  int    `json:"tries" is:"harmless" from:"1" to:"9"`
	}{}
}

func (contributed) Check(json.RawMessage) error { return nil }

func (contributed) Traits(raw json.RawMessage) domain.Traits {
	return domain.Traits{Address: rawjson.Text(rawjson.Member(raw, "socket"))}
}

var _ = Describe("A transport of a contributor", func() {
	var kinds setup.Kinds
	var path string
	BeforeEach(func() {
		kinds = checkingTransports()
		kinds["unix"] = contributed{}
		path = filepath.Join(GinkgoT().TempDir(), config.FileName)
	})
	// added returns what is printed when a server is added.
	added := func(server plans.Server, isPasted bool) string {
		GinkgoHelper()
		out := spec.Must(os.Create(filepath.Join(GinkgoT().TempDir(), "out")))
		defer func() { Expect(out.Close()).To(Succeed()) }()
		editor := &setup.Editor{AsJSON: true, IsPasted: isPasted}
		editor.Open(setup.Program{
			Console: terminal.NewConsole(os.Stdin, out, out), Colour: "never", CommandLine: func(string) string { return "" },
			Sources: config.Options{Path: path, Origin: config.FromFlag, Trusts: func(string, []byte) (bool, string) { return true, "" }}, Transports: kinds,
			Trust: func(string, []byte) error { return nil }, State: func() (string, error) { return filepath.Dir(path), nil },
		})
		Expect(setup.Add(editor, server, "t", "", "")).To(Succeed())
		return string(spec.Must(os.ReadFile(out.Name())))
	}

	It("can be added by its keys, or as JSON, with its secrets masked", func() {
		described := setup.DescribedServer{Kinds: kinds, Transport: "unix", Set: []string{"socket=/run/a", "tries=3", "pass=${PASS}"}}
		shown := added(spec.Must(described.Server([]string{"one"}, -1)), false)
		Expect(shown).To(And(ContainSubstring(`/run/a`), ContainSubstring("${PASS}")))

		shown = added(spec.Must(kinds.ParseServer("two", []byte(`{"transport": "unix", "socket": "/run/b", "pass": "hunter2"}`))), true)
		Expect(shown).To(And(ContainSubstring(`/run/b`), ContainSubstring("•••"), Not(ContainSubstring("hunter2"))))

		Expect(os.ReadFile(path)).To(And(ContainSubstring(`"tries": 3`), ContainSubstring("hunter2")))
	})

	DescribeTable("is checked by its keys", func(set, reason string) {
		described := setup.DescribedServer{Kinds: kinds, Transport: "unix", Set: []string{set}}
		_, err := described.Server([]string{"one"}, -1)
		Expect(err).To(MatchError(ContainSubstring(reason)))
	},
		Entry("which other kinds do not have", "url=x", "--set url: servers of the kind unix have no such key; they have socket, pass, tries"),
		Entry("of which a secret is in no command line", "pass=hunter2", "--set pass: other users can read command lines"),
		Entry("which have a value", "socket", "--set needs KEY=VALUE"),
	)

	It("is reviewed, and described in the schema", func() {
		text := []byte(`{"toolboxes": {"t": {"mcpServers": {"one": {"transport": "unix", "socket": "/run/a", "pass": "hunter2"}}}}}`)
		configuration := spec.Must(config.Check(config.Options{Reviewed: true}, path, text, kinds))
		Expect(trust.Review(configuration, kinds, path)).To(HaveExactElements("t/one: /run/a", `t/one: pass is "•••"`))

		schema := string(spec.Must(config.Schema(kinds, func(config.DescribedKey) string { return "" })))
		Expect(schema).To(And(ContainSubstring(`"unix"`), ContainSubstring(`"socket"`), ContainSubstring(`"tries"`)))
	})
})
