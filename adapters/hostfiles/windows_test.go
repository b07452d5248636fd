package hostfiles_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Hosts on Windows", func() {
	var m hostfiles.Machine
	BeforeEach(func() {
		home := GinkgoT().TempDir()
		m = hostfiles.Machine{
			Home: home, Config: filepath.Join(home, "AppData", "Roaming"), System: "windows",
			Getenv: func(name string) string {
				return map[string]string{"LOCALAPPDATA": filepath.Join(home, "AppData", "Local")}[name]
			},
		}
	})
	host := func(id string) hostfiles.Host {
		GinkgoHelper()
		found, known := hostfiles.Find(id)
		Expect(known).To(BeTrue())
		return found
	}
	put := func(path, text string) {
		GinkgoHelper()
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	}
	// servers returns the servers in all files of a host, by their names.
	servers := func(id string) map[string]setup.Settings {
		GinkgoHelper()
		found := map[string]setup.Settings{}
		for _, file := range host(id).Files(m) {
			read := spec.Must(hostfiles.Read(file))
			for _, server := range read {
				found[server.Name] = server.Settings
			}
		}
		return found
	}

	It("have their file in the data of their package, if they are installed as one", func() {
		usual := filepath.Join(m.Config, "Claude", "claude_desktop_config.json")
		put(usual, `{"mcpServers":{"usual":{"command":"x"}}}`)
		Expect(host("claude-desktop").UserFile(m).Path).To(Equal(usual))

		packaged := filepath.Join(m.Home, "AppData", "Local", "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude")
		Expect(os.MkdirAll(packaged, 0o700)).To(Succeed())
		path := filepath.Join(packaged, "claude_desktop_config.json")
		Expect(host("claude-desktop").UserFile(m).Path).To(Equal(path))
		put(path, `{"mcpServers":{"packaged":{"command":"x"}}}`)
		Expect(servers("claude-desktop")).To(And(HaveLen(2), HaveKey("usual"), HaveKey("packaged")))
	})

	It("write the folder of a project in several ways, and all of them count", func() {
		m.Project = `C:\Users\me\shop`
		put(filepath.Join(m.Home, ".claude.json"), `{"projects":{
			"C:/Users/me/shop":{"mcpServers":{"cli":{"command":"x"},"off":{"command":"x"}},"disabledMcpServers":["off"]},
			"c:/users/me/shop":{"mcpServers":{"editor":{"command":"x"}}}, "C:/Users/me/shop2":{"mcpServers":{"other":{"command":"x"}}}}}`)
		found := servers("claude-code")
		Expect(found).To(And(HaveLen(3), HaveKey("cli"), HaveKey("editor")))
		Expect(found["off"].Disabled).To(BeTrue())

		local := host("claude-code").Files(m)[2]
		text := spec.Must(os.ReadFile(local.Path))
		text = spec.Must(hostfiles.Delete(local, text, "editor"))
		Expect(string(text)).To(And(ContainSubstring(`"cli"`), Not(ContainSubstring(`"editor"`))))
	})

	It("have no project in the home folder, however that is written", func() {
		m.Home, m.Project = `C:\Users\me`, `c:/users/ME`
		Expect(host("cursor").Files(m)).To(HaveLen(1))
	})

	DescribeTable("refer to variables in their own ways", func(id, text, want string) {
		put(host(id).UserFile(m).Path, text)
		settings := servers(id)["s"]
		Expect(append([]string{settings.Command}, settings.Args...)).To(Equal([]string{want, "x"}))
	},
		Entry("the home folder", "cursor", `{"mcpServers":{"s":{"command":"${userHome}\\bin\\s.exe","args":["x"]}}}`, `${USERPROFILE}\bin\s.exe`),
		Entry("the home folder of shells", "vscode", `{"servers":{"s":{"command":"~/bin/s.exe","args":["x"]}}}`, `${USERPROFILE}/bin/s.exe`),
		Entry("as cmd.exe does", "gemini", `{"mcpServers":{"s":{"command":"%APPDATA%\\npm\\s.cmd","args":["x"]}}}`, `${APPDATA}\npm\s.cmd`),
		Entry("with parentheses", "gemini", `{"mcpServers":{"s":{"command":"%ProgramFiles(x86)%\\s.exe","args":["x"]}}}`, `${ProgramFiles(x86)}\s.exe`),
	)
})
