package hostfiles_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain/serverconfig"
	"mcp-workbench/domain/textedit"
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
		f := file(host, serverconfig.User)
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
		text := spec.Must(os.ReadFile(f.Path))
		return string(text)
	}
	state := func() []os.DirEntry {
		entries := spec.Must(os.ReadDir(filepath.Join(directory, "state")))
		return entries
	}

	It("and disconnecting it removes a file that was created for it", func() {
		f := in("cursor", "")
		connect(f)
		Expect(content(f)).To(ContainSubstring("/opt/mcp-workbench"))
		disconnect(f)
		Expect(f.Path).NotTo(BeAnExistingFile())
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
		Expect(connections.Apply(change, nil)).To(MatchError(atomicfile.ErrChanged))
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
		change := spec.Must(connections.Connect(f, "workbench", entry, nil))
		Expect(change.IsEmpty()).To(BeTrue())
	})

	It("keeps the old file where only the user can read it", func() {
		if runtime.GOOS == "windows" {
			Skip("Windows has no modes of files")
		}
		connect(in("cursor", twoServers))
		info := spec.Must(state()[0].Info())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
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
