package workbenchtest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

// PinnedFiles is a configuration in a separate folder, with a lock beside it and
// one scripted server named files, in a toolbox named dev.
type PinnedFiles struct{ Config, Lock, Script string }

// NewPinnedFiles writes the configuration, with these raw members at its root, but no lock.
func NewPinnedFiles(s script.Script, settings ...string) PinnedFiles {
	ginkgo.GinkgoHelper()
	folder := ginkgo.GinkgoT().TempDir()
	p := PinnedFiles{
		Config: filepath.Join(folder, "c.json"), Lock: filepath.Join(folder, "workbench.lock.json"), Script: filepath.Join(folder, "script"),
	}
	p.ServerIs(s)
	p.Configure(settings...)
	return p
}

// Configure writes the configuration again, with these raw members at its root.
func (p PinnedFiles) Configure(settings ...string) {
	ginkgo.GinkgoHelper()
	p.ConfigureWith(nil, settings...)
}

// ConfigureWith writes the configuration again, with these servers after the first one.
func (p PinnedFiles) ConfigureWith(servers []Server, settings ...string) {
	ginkgo.GinkgoHelper()
	files := Program("files", ScriptedServer(), `"args":["-script",`+Quote(p.Script)+`]`)
	root := strings.Join(append(settings, ""), ",")
	WriteFile(p.Config, strings.Replace(Configuration(InDev(append([]Server{files}, servers...)...)), "{", "{"+root, 1))
}

// ServerIs sets the script of the server from its next start.
func (p PinnedFiles) ServerIs(s script.Script) {
	ginkgo.GinkgoHelper()
	gomega.Expect(s.Save(p.Script)).To(gomega.Succeed())
}

// Run runs the program with the configuration.
func (p PinnedFiles) Run(args ...string) Outcome {
	ginkgo.GinkgoHelper()
	return Run(Launch{Args: append([]string{"--config", p.Config}, args...), Env: p.Env()})
}

// Env returns the variables of every program that uses the configuration: they share a state folder.
func (p PinnedFiles) Env() []string {
	state := filepath.Join(filepath.Dir(p.Config), "state")
	return []string{"HOME=" + state, "XDG_STATE_HOME=" + state, "LocalAppData=" + state}
}

// Approve accepts every change of these servers in a terminal.
func (p PinnedFiles) Approve(servers ...string) Outcome {
	ginkgo.GinkgoHelper()
	return RunInTerminal(Launch{Args: append([]string{"--config", p.Config, "lock", "--update"}, servers...), Env: p.Env()})
}

// Locked returns the text of the lock.
func (p PinnedFiles) Locked() string {
	ginkgo.GinkgoHelper()
	text, err := os.ReadFile(p.Lock)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return string(text)
}

// WriteOldLock replaces the lock by one of version 1, which has the name, the description and the
// input schema of a tool: the given ones, and {"type":"object"}.
func (p PinnedFiles) WriteOldLock(name, description string) {
	ginkgo.GinkgoHelper()
	definition := `{"description":` + Quote(description) + `,"inputSchema":{"type":"object"},"name":` + Quote(name) + `}`
	digest := sha256.Sum256([]byte(definition))
	WriteFile(p.Lock, fmt.Sprintf(`{"lockVersion": 1, "toolboxes": {"dev": {"files": {%q: {"sha256": "%x", "definition": %s}}}}}`, name, digest, definition))
}

// Connect starts a workbench with that configuration and a host of the era.
func (p PinnedFiles) Connect(ofHost Era) Host {
	ginkgo.GinkgoHelper()
	return Connect(Start(Launch{Args: []string{"--config", p.Config}, Env: p.Env()}), ofHost.Modern, `{}`)
}
