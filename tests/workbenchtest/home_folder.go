package workbenchtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// HomeFolder is a throw-away home folder.
type HomeFolder string

// NewHomeFolder makes a home folder with a folder work in it. It skips the spec on Windows.
func NewHomeFolder() HomeFolder {
	ginkgo.GinkgoHelper()
	if runtime.GOOS == "windows" {
		ginkgo.Skip("the places of Windows are a matter of unit specs")
	}
	directory, err := filepath.EvalSymlinks(ginkgo.GinkgoT().TempDir())
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	gomega.Expect(os.MkdirAll(filepath.Join(directory, "work"), 0o700)).To(gomega.Succeed())
	return HomeFolder(directory)
}

// Path returns the path of a file in it.
func (h HomeFolder) Path(name string) string { return filepath.Join(string(h), name) }

// File writes a file in it and returns its path.
func (h HomeFolder) File(name, text string) string {
	ginkgo.GinkgoHelper()
	WriteFile(h.Path(name), text)
	return h.Path(name)
}

// Content returns the text of a file in it.
func (h HomeFolder) Content(name string) string {
	ginkgo.GinkgoHelper()
	text, err := os.ReadFile(h.Path(name))
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return string(text)
}

// Launch returns a run of the program that sees this home folder and nothing else on this machine.
func (h HomeFolder) Launch(args ...string) Launch {
	return Launch{
		Args: args, Dir: h.Path("work"),
		Env: []string{"HOME=" + string(h), "XDG_CONFIG_HOME=" + h.Path(".config"), "PATH=" + h.Path("bin"), "TERM=xterm"},
	}
}

// Run runs the program with this home folder.
func (h HomeFolder) Run(args ...string) Outcome {
	ginkgo.GinkgoHelper()
	return Run(h.Launch(args...))
}

// OwnConfiguration is where the program keeps its configuration in a home folder.
const OwnConfiguration = ".config/mcp-workbench/workbench-config.json"

// Configured writes a configuration with these servers where the program finds it.
func (h HomeFolder) Configured(servers string) {
	ginkgo.GinkgoHelper()
	h.File(OwnConfiguration, `{"toolboxes": {"code": {"mcpServers": `+servers+`}}}`)
}

// CursorFile is a configuration of Cursor, with comments and secrets.
const CursorFile = `{
  // what I use
  "mcpServers": {
    "git": {"command": "git-mcp", "args": ["--stdio"], "env": {"GIT_TOKEN": "secret-of-git"}}, // daily
    "web": {"url": "https://host/mcp"},
  },
  "account": "secret-of-cursor"
}`

// Finding is a finding of doctor, as --json prints it.
type Finding struct{ Code, About, Found, Fix string }

// Examined returns what the doctor finds in a home folder without starting a server.
func (h HomeFolder) Examined(args ...string) []Finding {
	ginkgo.GinkgoHelper()
	outcome := h.Run(append([]string{"doctor", "--offline", "--json"}, args...)...)
	var result struct{ Findings []Finding }
	gomega.Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(gomega.Succeed(), outcome.Stderr)
	gomega.Expect(outcome.Code).To(gomega.Equal(min(len(result.Findings), 1)))
	return result.Findings
}

// Program puts a program into the only folder of the PATH, and returns its path.
func (h HomeFolder) Program(name, text string) string {
	ginkgo.GinkgoHelper()
	gomega.Expect(os.MkdirAll(h.Path("bin"), 0o700)).To(gomega.Succeed())
	path := h.File("bin/"+name, text)
	gomega.Expect(os.Chmod(path, 0o700)).To(gomega.Succeed())
	return path
}
