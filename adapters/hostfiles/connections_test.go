package hostfiles_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/application/setup"
	"mcp-workbench/tests/spec"
)

const twoServers = `{
  // my servers
  "mcpServers": {
    "git": {"command": "git-mcp", "args": [1]}, // daily
    "web": {"url": "https://x"}
  },
  "theme": "dark"
}`

var _ = Describe("Connecting a host", func() {
	var (
		connections *hostfiles.Connections
		directory   string
	)
	BeforeEach(func() {
		directory = GinkgoT().TempDir()
		connections = hostfiles.NewConnections(filepath.Join(directory, "state"))
	})
	in := func(host, text string) hostfiles.File {
		f := file(host, setup.User)
		f.Path = filepath.Join(directory, "home", filepath.Base(f.Path))
		if text != "" {
			Expect(os.MkdirAll(filepath.Dir(f.Path), 0o700)).To(Succeed())
			Expect(os.WriteFile(f.Path, []byte(text), 0o644)).To(Succeed())
		}
		return f
	}
	connect := func(f hostfiles.File, replaces ...string) {
		change := spec.Must(connections.Connect(f, "workbench", entry, replaces))
		Expect(connections.Apply(change, nil)).To(Succeed())
	}
	disconnect := func(f hostfiles.File) {
		change := spec.Must(connections.Disconnect(f, "workbench"))
		Expect(connections.Apply(change, nil)).To(Succeed())
	}
	content := func(f hostfiles.File) string {
		return string(spec.Must(os.ReadFile(f.Path)))
	}
	state := func() []os.DirEntry {
		entries, _ := os.ReadDir(filepath.Join(directory, "state")) // none before the first record
		return entries
	}

	It("and disconnecting it removes a file that was created for it", func() {
		f := in("cursor", "")
		connect(f)
		Expect(content(f)).To(ContainSubstring("/opt/mcp-workbench"))
		disconnect(f)
		Expect(f.Path).NotTo(BeAnExistingFile())
	})

	It("restores servers that one of several commands at once removed", func() {
		f := in("cursor", twoServers)
		one, other := spec.Must(connections.Connect(f, "workbench", entry, []string{"git"})), spec.Must(connections.Connect(f, "workbench", entry, []string{"git"}))
		Expect(connections.Apply(one, nil)).To(Succeed())

		Expect(connections.Apply(other, nil)).To(MatchError(safefile.ErrChanged))

		disconnect(f)
		Expect(content(f)).To(Equal(twoServers))
	})

	It("removes imported servers, and restores them although the file changed meanwhile", func() {
		f := in("cursor", twoServers)
		connect(f, "git")
		Expect(content(f)).NotTo(ContainSubstring("git-mcp"))
		changed := spec.Must(textedit.SetJSON([]byte(content(f)), []string{"theme"}, json.RawMessage(`"light"`)))
		Expect(os.WriteFile(f.Path, changed, 0o644)).To(Succeed())

		disconnect(f)

		standard := spec.Must(hujson.Standardize([]byte(content(f))))
		Expect(standard).To(MatchJSON(`{"mcpServers": {"web": {"url": "https://x"}, "git": {"command": "git-mcp", "args": [1]}}, "theme": "light"}`))
		Expect(content(f)).To(ContainSubstring("// my servers"))
	})

	It("restores a server of TOML with its numbers", func() {
		f := in("codex", "[mcp_servers.git]\ncommand = \"x\"\nstartup_timeout_sec = 20\n")
		connect(f, "git")
		Expect(os.WriteFile(f.Path, []byte(content(f)+"\n[other]\na = 1\n"), 0o644)).To(Succeed())
		disconnect(f)
		Expect(content(f)).To(Equal("\n[other]\na = 1\n\n[mcp_servers.git]\ncommand = \"x\"\nstartup_timeout_sec = 20\n"))
	})

	It("keeps a server that was added again meanwhile", func() {
		f := in("cursor", twoServers)
		connect(f, "git")
		changed := spec.Must(textedit.SetJSON([]byte(content(f)), []string{"mcpServers", "git"}, json.RawMessage(`{"command":"other"}`)))
		Expect(os.WriteFile(f.Path, changed, 0o644)).To(Succeed())
		disconnect(f)
		Expect(content(f)).To(ContainSubstring(`"other"`))
		Expect(content(f)).NotTo(ContainSubstring("git-mcp"))
	})

	It("and changing the file and connecting it again never restores the entry", func() {
		f := in("cursor", twoServers)
		connect(f, "git")
		changed := spec.Must(textedit.SetJSON([]byte(content(f)), []string{"theme"}, json.RawMessage(`"light"`)))
		Expect(os.WriteFile(f.Path, changed, 0o644)).To(Succeed())
		change := spec.Must(connections.Connect(f, "workbench", hostfiles.Entry{Command: "/new/mcp-workbench"}, []string{"web"}))
		Expect(connections.Apply(change, nil)).To(Succeed())

		disconnect(f)

		standard := spec.Must(hujson.Standardize([]byte(content(f))))
		Expect(standard).To(MatchJSON(`{"mcpServers": {"git": {"command": "git-mcp", "args": [1]}, "web": {"url": "https://x"}}, "theme": "light"}`))
	})

	It("keeps another program with the name", func() {
		_, err := connections.Connect(in("cursor", `{"mcpServers":{"workbench":{"command":"/bin/bench"}}}`), "workbench", entry, nil)
		Expect(err).To(MatchError(hostfiles.ErrTaken))
		Expect(err).To(MatchError(ContainSubstring(`"bench"`)))
	})

	It("refuses a file that cannot be written", func() {
		f := in("cursor", twoServers)
		Expect(os.Chmod(f.Path, 0o400)).To(Succeed())
		_, err := connections.Connect(f, "workbench", entry, nil)
		Expect(err).To(MatchError(ContainSubstring("it is read-only")))
		_, err = connections.Disconnect(f, "workbench")
		Expect(err).To(MatchError(ContainSubstring("it is read-only")))
	})

	It("refuses a link to a missing file", func() {
		f := in("codex", "a = 1\n")
		Expect(os.Remove(f.Path)).To(Succeed())
		if err := os.Symlink(f.Path+".gone", f.Path); err != nil {
			Skip("this user may not make links: " + err.Error())
		}
		if info, err := os.Lstat(f.Path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			Skip("this system makes no links, though it reports success, as Wine does")
		}
		_, err := connections.Connect(f, "workbench", entry, nil)
		Expect(err).To(MatchError(ContainSubstring("it is a link to a file that does not exist")))
	})

	It("by the host's own command remembers the removed servers, and not the bytes", func() {
		f := in("cursor", twoServers)
		change := spec.Must(connections.Connect(f, "workbench", entry, []string{"git"}))
		Expect(connections.Apply(change, func() error { return os.WriteFile(f.Path, change.After, 0o600) })).To(Succeed())

		change = spec.Must(connections.Disconnect(f, "workbench"))
		Expect(change.Restores).To(ConsistOf(hostfiles.Removed{Name: "git", Value: json.RawMessage(`{"command":"git-mcp","args":[1]}`)}))
		Expect(string(change.After)).NotTo(Equal(twoServers))
	})

	It("that was connected by hand removes only the entry", func() {
		f := in("cursor", `{"mcpServers":{"workbench":{"command":"mcp-workbench"},"git":{}}}`)
		disconnect(f)
		Expect(content(f)).To(Equal(`{"mcpServers":{"git":{}}}`))
	})

	It("that is not connected changes nothing", func() {
		_, err := connections.Disconnect(in("cursor", twoServers), "workbench")
		Expect(err).To(MatchError(textedit.ErrNotFound))
	})

	It("writes nothing into a file that changed since it was read", func() {
		f := in("cursor", twoServers)
		change := spec.Must(connections.Connect(f, "workbench", entry, nil))
		Expect(os.WriteFile(f.Path, []byte(`{"mcpServers":{}}`), 0o644)).To(Succeed())
		Expect(connections.Apply(change, nil)).To(MatchError(safefile.ErrChanged))
		Expect(content(f)).To(Equal(`{"mcpServers":{}}`))
		Expect(state()).To(BeEmpty(), "nothing is kept of a change that was not made")
	})

	It("again keeps what was kept before if the change fails", func() {
		f := in("cursor", twoServers)
		connect(f)
		change := spec.Must(connections.Connect(f, "workbench", entry, []string{"git"}))
		Expect(connections.Apply(change, func() error { return errors.New("no") })).To(MatchError("no"))
		disconnect(f)
		Expect(content(f)).To(Equal(twoServers))
	})

	It("keeps what to restore when the host's own command failed halfway", func() {
		f := in("cursor", twoServers)
		change := spec.Must(connections.Connect(f, "workbench", entry, []string{"git"}))
		Expect(connections.Apply(change, func() error {
			Expect(os.WriteFile(f.Path, []byte(`{"mcpServers":{}}`), 0o600)).To(Succeed())
			return errors.New("no")
		})).To(MatchError("no"))
		disconnect(f)
		Expect(content(f)).To(ContainSubstring("git-mcp"))
	})

	It("reports that nothing changes if the entry is right", func() {
		f := in("cursor", twoServers)
		connect(f)
		Expect(spec.Must(connections.Connect(f, "workbench", entry, nil)).IsEmpty()).To(BeTrue())
	})

	It("keeps the old file where only the user can read it", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no modes of files")
		}
		connect(in("cursor", twoServers))
		Expect(spec.Must(state()[0].Info()).Mode().Perm()).To(BeEquivalentTo(0o600))
	})

	It("does not remove a missing server", func() {
		_, err := connections.Connect(in("cursor", twoServers), "workbench", entry, []string{"tracker"})
		Expect(err).To(MatchError(ContainSubstring(`"tracker"`)))
	})

	It("refuses a file of another kind or size", func() {
		f := in("cursor", "")
		Expect(os.MkdirAll(f.Path, 0o700)).To(Succeed())
		_, err := connections.Connect(f, "workbench", entry, nil)
		Expect(err).To(MatchError(ContainSubstring("not a regular file")))
		large := in("codex", string(make([]byte, 17<<20)))
		_, err = connections.Connect(large, "workbench", entry, nil)
		Expect(err).To(MatchError(ContainSubstring("larger than 16 MiB")))
	})
})

// randomFile returns the text of a host's file in a layout that a user might choose, and
// the names of its servers.
func randomFile(r *rand.Rand) (text string, servers []string) {
	pick := func(choices ...string) string { return choices[r.Intn(len(choices))] }
	end := pick("\n", "\r\n", "")
	indent := pick("  ", "    ", "\t", "")
	gap := func(depth int) string { return end + strings.Repeat(indent, depth) }
	comment := func() string {
		if end == "" {
			return pick("", "/* c */")
		}
		return pick("", "", " // a \"comment\": {", " /* more, */")
	}
	var members []string
	for i := range r.Intn(4) {
		name := fmt.Sprintf("s%d%s", i, pick("", " ", "é", `\"`, "/"))
		servers = append(servers, strings.ReplaceAll(name, `\"`, `"`))
		members = append(members, fmt.Sprintf(`"%s":%s{"command":%s"c%d", "args": ["--a", "b%s"]}`, name, pick("", " "), pick("", " "), i, pick("", "}", ",")))
	}
	trailing := ""
	if len(members) > 0 {
		trailing = pick("", ",")
	}
	text = pick("", "\ufeff") + "{" + comment() + gap(1) + `"mcpServers":` + pick("", " ") + "{"
	for i, member := range members {
		text += comment() + gap(2) + member
		if i < len(members)-1 {
			text += ","
		}
	}
	text += trailing + comment() + gap(1) + "}"
	if r.Intn(2) == 0 {
		text += "," + gap(1) + `"other": [1, {"mcpServers": 2}]` + comment()
	}
	return text + end + "}" + pick("", end), servers
}

var _ = Describe("Any file", func() {
	It("is the same after connecting and disconnecting, even when entries were removed from it", Label("large"), func() {
		seed := GinkgoRandomSeed()
		r := rand.New(rand.NewSource(seed))
		directory := GinkgoT().TempDir()
		connections := hostfiles.NewConnections(filepath.Join(directory, "state"))
		f := file("cursor", setup.User)
		f.Path = filepath.Join(directory, "mcp.json")
		for round := range 300 {
			text, servers := randomFile(r)
			situation := fmt.Sprintf("round %d of the seed %d:\n%s", round, seed, text)
			Expect(os.WriteFile(f.Path, []byte(text), 0o600)).To(Succeed())
			replaces := servers[:r.Intn(len(servers)+1)]

			change, err := connections.Connect(f, "workbench", entry, replaces)
			Expect(err).NotTo(HaveOccurred(), situation)
			Expect(connections.Apply(change, nil)).To(Succeed())
			left, err := hostfiles.Parse(f, change.After)
			Expect(err).NotTo(HaveOccurred(), situation)
			Expect(left).To(HaveLen(len(servers)-len(replaces)+1), situation)

			// Something else is written behind the end: the entry goes, what was taken out comes back.
			Expect(os.WriteFile(f.Path, append(change.After, "\n\n"...), 0o600)).To(Succeed())
			apart, err := connections.Disconnect(f, "workbench")
			Expect(err).NotTo(HaveOccurred(), situation)
			back, err := hostfiles.Parse(f, apart.After)
			Expect(err).NotTo(HaveOccurred(), situation)
			var names []string
			for _, server := range back {
				names = append(names, server.Name)
			}
			Expect(names).To(ConsistOf(servers), situation)

			// Nothing else was: every byte comes back.
			Expect(os.WriteFile(f.Path, change.After, 0o600)).To(Succeed())
			whole, err := connections.Disconnect(f, "workbench")
			Expect(err).NotTo(HaveOccurred(), situation)
			Expect(string(whole.After)).To(Equal(text), situation)
			Expect(connections.Apply(whole, nil)).To(Succeed())
		}
	})
})

var entry = hostfiles.Entry{Command: "/opt/mcp-workbench", Args: []string{"--config", "/no/home/w.json"}, Variables: []string{"TOKEN"}}

var _ = Describe("The workbench's entry", func() {
	DescribeTable("is written as the host writes servers", func(host, before, after string) {
		edited := spec.Must(hostfiles.Set(file(host, setup.User), []byte(before), "workbench", hostfiles.EntryJSON(file(host, setup.User), entry)))
		Expect(string(edited)).To(Equal(after))
		servers := spec.Must(hostfiles.Parse(file(host, setup.User), edited))
		Expect(servers[len(servers)-1].Settings.Command).To(Equal(entry.Command))
		Expect(servers[len(servers)-1].Settings.Args).To(Equal(entry.Args))

		Expect(string(spec.Must(hostfiles.Delete(file(host, setup.User), edited, "workbench")))).To(Equal(before))
	},
		Entry(nil, "claude-desktop", `{"mcpServers":{}}`, `{"mcpServers":{"workbench":{"command":"/opt/mcp-workbench","args":["--config","/no/home/w.json"]}}}`),
		Entry(nil, "claude-code", `{"n":1,"mcpServers":{}}`,
			`{"n":1,"mcpServers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/no/home/w.json"],"env":{"TOKEN":"${TOKEN}"}}}}`),
		Entry(nil, "cursor", `{"mcpServers":{}}`,
			`{"mcpServers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/no/home/w.json"],"env":{"TOKEN":"${env:TOKEN}"}}}}`),
		Entry(nil, "vscode", `{"servers":{},"inputs":[]}`,
			`{"servers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/no/home/w.json"],"env":{"TOKEN":"${env:TOKEN}"}}},"inputs":[]}`),
		Entry(nil, "windsurf", `{"mcpServers":{}}`,
			`{"mcpServers":{"workbench":{"type":"stdio","command":"/opt/mcp-workbench","args":["--config","/no/home/w.json"],"env":{"TOKEN":"${env:TOKEN}"}}}}`),
		Entry(nil, "gemini", `{"mcpServers":{}}`,
			`{"mcpServers":{"workbench":{"command":"/opt/mcp-workbench","args":["--config","/no/home/w.json"],"env":{"TOKEN":"$TOKEN"}}}}`),
		Entry(nil, "opencode", `{"mcp":{}}`,
			`{"mcp":{"workbench":{"type":"local","command":["/opt/mcp-workbench","--config","/no/home/w.json"],"environment":{"TOKEN":"{env:TOKEN}"}}}}`),
		Entry("of opencode, with a server whose name opencode 2 uses otherwise", "opencode", `{"mcp":{"servers":{"type":"local","command":["x"]}}}`,
			`{"mcp":{"servers":{"type":"local","command":["x"]},"workbench":{"type":"local","command":["/opt/mcp-workbench","--config","/no/home/w.json"],"environment":{"TOKEN":"{env:TOKEN}"}}}}`),
		Entry("of opencode 2", "opencode", `{"mcp":{"servers":{}}}`,
			`{"mcp":{"servers":{"workbench":{"type":"local","command":["/opt/mcp-workbench","--config","/no/home/w.json"],"environment":{"TOKEN":"{env:TOKEN}"}}}}}`),
		Entry(nil, "codex", "model = \"x\"\n",
			"model = \"x\"\n\n[mcp_servers.workbench]\nargs = [\"--config\", \"/no/home/w.json\"]\ncommand = \"/opt/mcp-workbench\"\nenv_vars = [\"TOKEN\"]\n"),
	)

	It("creates a missing file", func() {
		edited := spec.Must(hostfiles.Set(file("claude-desktop", setup.User), nil, "workbench", json.RawMessage(`{"command":"/w"}`)))
		Expect(string(edited)).To(Equal("{\n  \"mcpServers\": {\n    \"workbench\": {\n      \"command\": \"/w\"\n    }\n  }\n}\n"))
	})

	It("is not written into a broken file, which is named", func() {
		_, err := hostfiles.Set(file("cursor", setup.User), []byte(`{"a": secret}`), "workbench", json.RawMessage(`{}`))
		Expect(err).To(MatchError(textedit.ErrSyntax))
		Expect(err).To(MatchError(ContainSubstring(filepath.Join(".cursor", "mcp.json"))))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	})

	It("is not removed from a file that does not have it", func() {
		_, err := hostfiles.Delete(file("codex", setup.User), []byte("a = 1\n"), "workbench")
		Expect(err).To(MatchError(textedit.ErrNotFound))
	})
})

var _ = Describe("A server whose name a file has twice", func() {
	It("is removed with the other, which would come into force", func() {
		cursor := file("cursor", setup.User)
		edited := spec.Must(hostfiles.Delete(cursor, []byte(`{"mcpServers":{"a":{"command":"old"},"b":{"command":"b"},"a":{"command":"new"}}}`), "a"))
		Expect(string(edited)).To(Equal(`{"mcpServers":{"b":{"command":"b"}}}`))
	})
})
