package hostfiles_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/tests/spec"
)

// encodings are what editors and systems make of a text.
var encodings = map[string]func(string) string{
	"as it is":                 func(text string) string { return text },
	"with a byte order mark":   func(text string) string { return "\ufeff" + text },
	"with mixed line ends":     mixedCase,
	"with CR LF, not at last":  func(text string) string { return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\r\n") },
	"with CR LF":               func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	"as Windows has it":        func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") },
	"without an end of line":   func(text string) string { return strings.TrimRight(text, "\n") },
	"with empty lines at last": func(text string) string { return text + "\n\n" },
	"with tabs":                func(text string) string { return strings.ReplaceAll(text, "  ", "\t") },
}

// mixedCase ends every second line with CR LF.
func mixedCase(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i := 1; i < len(lines); i += 2 {
		lines[i] = strings.Replace(lines[i], "\n", "\r\n", 1)
	}
	return strings.Join(lines, "")
}

// broken are texts that no command may touch.
var broken = map[string]func(string) string{
	"in UTF-16": func(text string) string {
		var bytes strings.Builder
		bytes.WriteString("\xff\xfe")
		for _, unit := range utf16.Encode([]rune(text)) {
			bytes.WriteByte(byte(unit))
			bytes.WriteByte(byte(unit >> 8))
		}
		return bytes.String()
	},
	"cut off": func(text string) string {
		at := strings.Index(text, `"secret-of-git"`)
		return text[:at+5]
	},
	"with bytes that are no text": func(text string) string { return strings.Replace(text, "git-mcp", "git-\xff\xfe", 1) },
}

// placed returns the file of a host in a home folder of a system, with a text.
func placed(host hostfiles.Host, system, text string) hostfiles.File {
	GinkgoHelper()
	home := GinkgoT().TempDir()
	m := hostfiles.Machine{Home: home, System: system, Getenv: func(string) string { return "" }}
	m.Config = filepath.Join(home, map[string]string{
		"linux": ".config", "darwin": "Library/Application Support", "windows": "AppData/Roaming",
	}[system])
	path := host.UserFile(m).Path
	Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	Expect(host.IsPresent(m)).To(BeTrue())
	return host.UserFile(m)
}

var _ = Describe("The file of every host", func() {
	text := func(file hostfiles.File) string {
		GinkgoHelper()
		return string(spec.Must(os.ReadFile(file.Path)))
	}

	for _, host := range hostfiles.Hosts() {
		names := slices.Sorted(maps.Keys(encodings))
		if filepath.Ext(host.UserFile(machine("linux")).Path) == ".yaml" { // YAML has no tabs
			names = slices.DeleteFunc(names, func(name string) bool { return name == "with tabs" })
		}
		for _, system := range []string{"linux", "darwin", "windows"} {
			for _, name := range names {
				if system != "linux" && name != "as it is" { // only the place of the file differs
					continue
				}
				encode := encodings[name]
				It("is read, changed and restored: "+host.ID+", "+system+", "+name, func() {
					before := encode(usual(host))
					file := placed(host, system, before)
					servers := spec.Must(hostfiles.Read(file))
					Expect(servers).To(HaveLen(1))
					Expect(servers[0].Settings.Command).To(Equal("git-mcp"))
					Expect(servers[0].Settings.Args).To(Equal([]string{"--stdio"}))
					Expect(servers[0].Settings.Env).To(Equal(map[string]string{"TOKEN": "secret-of-git"}))
					Expect(string(hostfiles.Masked(file, []byte(before)))).To(And(Not(BeEmpty()), Not(ContainSubstring("secret-of"))))

					connections := hostfiles.NewConnections(GinkgoT().TempDir())
					change := spec.Must(connections.Connect(file, "workbench", entry, []string{"git"}))
					Expect(connections.Apply(change, nil)).To(Succeed())
					Expect(text(file)).NotTo(ContainSubstring("git-mcp"))
					Expect(spec.Must(hostfiles.Read(file))).To(HaveExactElements(HaveField("Settings.Command", entry.Command)))

					change = spec.Must(connections.Disconnect(file, "workbench"))
					Expect(connections.Apply(change, nil)).To(Succeed())
					Expect(text(file)).To(Equal(before))
				})
			}
		}
		for _, name := range names {
			encode := encodings[name]
			It("does not change when it is connected again: "+host.ID+", "+name, func() {
				before := encode(usual(host))
				file := placed(host, "linux", before)
				connections := hostfiles.NewConnections(GinkgoT().TempDir())
				Expect(connections.Apply(spec.Must(connections.Connect(file, "workbench", entry, nil)), nil)).To(Succeed())
				connected := text(file)

				Expect(spec.Must(connections.Connect(file, "workbench", entry, nil)).IsEmpty()).To(BeTrue())
				// Without a record the entry is removed and written again.
				again := spec.Must(hostfiles.Delete(file, []byte(connected), "workbench"))
				again = spec.Must(hostfiles.Set(file, again, "workbench", hostfiles.EntryJSON(file, entry)))
				Expect(string(again)).To(Equal(connected))
				Expect(string(spec.Must(connections.Disconnect(file, "workbench")).After)).To(Equal(before))
			})
		}
		for _, name := range slices.Sorted(maps.Keys(broken)) {
			spoil := broken[name]
			It("stays as it is when it is broken: "+host.ID+", "+name, func() {
				before := spoil(usual(host))
				file := placed(host, "linux", before)

				_, err := hostfiles.NewConnections(GinkgoT().TempDir()).Connect(file, "workbench", entry, nil)

				Expect(err).To(HaveOccurred())
				Expect(err.Error()).To(ContainSubstring(file.Path))
				Expect(strings.ReplaceAll(err.Error(), "${{ secrets.TOKEN }}", "")).NotTo(ContainSubstring("secr"))
				Expect(text(file)).To(Equal(before))
			})
		}
	}
})
