package workbenchtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// HomeFolder is the path of a temporary home folder.
type HomeFolder string

// NewHomeFolder creates a home folder with a folder work in it. It skips the spec on Windows.
func NewHomeFolder() HomeFolder {
	ginkgo.GinkgoHelper()
	if runtime.GOOS == "windows" {
		ginkgo.Skip("unit specs cover the folders of Windows")
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
		Program: h.ownProgram(), Args: args, Dir: h.Path("work"),
		Env: []string{"HOME=" + string(h), "XDG_CONFIG_HOME=" + h.Path(".config"), "PATH=" + h.Path("bin"), "TERM=xterm"},
	}
}

// ownProgram returns the path of the program outside git work trees, since in one the program would ask a
// question: "" for the built one.
func (h HomeFolder) ownProgram() string {
	ginkgo.GinkgoHelper()
	for folder := filepath.Dir(programs.Workbench); ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			return h.PlaceProgram("opt/" + ProgramName("mcp-workbench"))
		}
		if folder == filepath.Dir(folder) {
			return ""
		}
	}
}

// PlaceProgram makes the built program available at a path in the home folder, and returns the path.
func (h HomeFolder) PlaceProgram(name string) string {
	ginkgo.GinkgoHelper()
	path := h.Path(name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	gomega.Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(gomega.Succeed())
	if os.Link(programs.Workbench, path) == nil {
		return path
	}
	program, err := os.ReadFile(programs.Workbench) // it is on another disk
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	gomega.Expect(os.WriteFile(path, program, 0o700)).To(gomega.Succeed())
	return path
}

// Run runs the program with this home folder.
func (h HomeFolder) Run(args ...string) Outcome {
	ginkgo.GinkgoHelper()
	return Run(h.Launch(args...))
}

// OwnConfiguration is the path of the user's configuration in a home folder.
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

// Examined returns the findings of doctor in a home folder, without starting a server.
func (h HomeFolder) Examined(args ...string) []Finding {
	ginkgo.GinkgoHelper()
	return h.ExaminedBy(h.Launch(append([]string{"doctor", "--offline", "--json"}, args...)...))
}

// ExaminedBy returns the findings of a run of doctor with --json.
func (h HomeFolder) ExaminedBy(l Launch) []Finding {
	ginkgo.GinkgoHelper()
	outcome := Run(l)
	var result struct{ Findings []Finding }
	gomega.Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(gomega.Succeed(), outcome.Stderr)
	faults := slices.DeleteFunc(slices.Clone(result.Findings), func(f Finding) bool { return f.Code == "D025" || f.Code == "D026" || f.Code == "D030" })
	gomega.Expect(outcome.Code).To(gomega.Equal(min(len(faults), 1)))
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
