package acceptance_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// describing returns the definition of a tool with a description.
func describing(name, description string) string {
	return `{"name":` + Quote(name) + `,"description":` + Quote(description) + `,"inputSchema":{"type":"object"}}`
}

// pinnedFiles is a configuration in a folder of its own, with a lock beside it and
// one server named files, in a toolbox named dev.
type pinnedFiles struct{ config, lock, script string }

func newPinnedFiles(s script.Script, settings ...string) pinnedFiles {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	p := pinnedFiles{
		config: filepath.Join(folder, "c.json"), lock: filepath.Join(folder, "workbench.lock.json"), script: filepath.Join(folder, "script"),
	}
	p.serverIs(s)
	p.configure(settings...)
	return p
}

// configure writes the configuration again, with these raw members at its root.
func (p pinnedFiles) configure(settings ...string) {
	GinkgoHelper()
	files := Program("files", ScriptedServer(), `"args":["-script",`+Quote(p.script)+`]`)
	root := strings.Join(append(settings, ""), ",")
	write(p.config, strings.Replace(Configuration(InDev(files)), "{", "{"+root, 1))
}

// serverIs says what the server does from its next start on.
func (p pinnedFiles) serverIs(s script.Script) {
	GinkgoHelper()
	Expect(s.Save(p.script)).To(Succeed())
}

func (p pinnedFiles) run(args ...string) Outcome {
	GinkgoHelper()
	return Run(Launch{Args: append([]string{"--config", p.config}, args...), Env: p.env()})
}

// env are the variables of every program over the configuration: they have one state folder.
func (p pinnedFiles) env() []string {
	state := filepath.Join(filepath.Dir(p.config), "state")
	return []string{"HOME=" + state, "XDG_STATE_HOME=" + state, "LocalAppData=" + state}
}

// approve accepts every change in a terminal.
func (p pinnedFiles) approve(servers ...string) Outcome {
	GinkgoHelper()
	return RunInTerminal(Launch{Args: append([]string{"--config", p.config, "lock", "--update"}, servers...), Env: p.env()})
}

func (p pinnedFiles) locked() string {
	GinkgoHelper()
	text, err := os.ReadFile(p.lock)
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}

// isLockedAsBefore replaces the lock by one of version 1, which holds of a tool its name,
// description and input schema: these, with an input schema of {"type":"object"}.
func (p pinnedFiles) isLockedAsBefore(name, description string) {
	GinkgoHelper()
	definition := `{"description":` + Quote(description) + `,"inputSchema":{"type":"object"},"name":` + Quote(name) + `}`
	digest := sha256.Sum256([]byte(definition))
	write(p.lock, fmt.Sprintf(`{"lockVersion": 1, "toolboxes": {"dev": {"files": {%q: {"sha256": "%x", "definition": %s}}}}}`, name, digest, definition))
}

// connect starts a workbench with that configuration and a host of the era.
func (p pinnedFiles) connect(ofHost Era) Host {
	GinkgoHelper()
	return Connect(Start(Launch{Args: []string{"--config", p.config}, Env: p.env()}), ofHost.Modern, `{}`)
}

// tools returns a server with these definitions that answers every call with "done".
func tools(definitions ...string) script.Script {
	return script.Script{Tools: definitions, Rules: []script.Rule{script.Answer("", script.Text("done"))}}
}
