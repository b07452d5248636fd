package workbenchtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// ConfirmWrite is the member of a configuration with which calls of tools named write need a yes.
const ConfirmWrite = `"confirm":["write"]`

// WithRoot returns a configuration with more raw members at its root.
func WithRoot(configuration string, members ...string) string {
	return strings.Replace(configuration, "{", "{"+strings.Join(append(members, ""), ","), 1)
}

// WriteFile writes a file, and creates its folders.
func WriteFile(path, text string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(gomega.Succeed())
	gomega.Expect(os.WriteFile(path, []byte(text), 0o600)).To(gomega.Succeed())
}

// ReplaceFile replaces a file by another one, like editors.
func ReplaceFile(path, text string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(gomega.Succeed())
	WriteFile(path+".new", text)
	gomega.Expect(os.Rename(path+".new", path)).To(gomega.Succeed())
}

// programs are the paths of the programs that are built once for all specs.
var programs struct {
	Workbench, ScriptedServer string
}

// Build builds the workbench, with the race detector if the specs have it, and the
// scripted server. Every process of the suite passes its result to UsePrograms.
func Build() []byte {
	ginkgo.GinkgoHelper()
	return build(buildFlags...)
}

// BuildWithoutRaceDetector builds the same for specs about memory, since the detector needs
// memory of its own.
func BuildWithoutRaceDetector() []byte {
	ginkgo.GinkgoHelper()
	return build()
}

func build(flags ...string) []byte {
	ginkgo.GinkgoHelper()
	programs.Workbench = spec.Build("mcp-workbench/cmd/mcp-workbench", flags...)
	programs.ScriptedServer = spec.Build("mcp-workbench/tests/fixtures/scriptedserver")
	paths, err := json.Marshal(programs)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return paths
}

// UsePrograms sets the paths of the programs that Build built.
func UsePrograms(paths []byte) {
	ginkgo.GinkgoHelper()
	gomega.Expect(json.Unmarshal(paths, &programs)).To(gomega.Succeed())
}

// BuiltWorkbench returns the path of the workbench.
func BuiltWorkbench() string { return programs.Workbench }

// ScriptedServer returns the path of the program that plays a script.
func ScriptedServer() string { return programs.ScriptedServer }

// ProgramName is spec.ProgramName.
func ProgramName(name string) string { return spec.ProgramName(name) }

// WithTools returns a server that lists tools of these names and answers every
// call with "done".
func WithTools(names ...string) script.Script {
	var s script.Script
	for _, name := range names {
		s.Tools = append(s.Tools, script.Tool(name))
	}
	s.Rules = []script.Rule{script.Answer("", script.Text("done"))}
	return s
}

// Listed returns the definition of script.Tool as open_toolbox shows it.
func Listed(tool, server, toolbox string) string {
	return Shown(script.Tool(tool), server, toolbox)
}

// Shown returns a definition as open_toolbox shows it.
func Shown(definition, server, toolbox string) string {
	return definition[:len(definition)-1] +
		`,"server":` + Quote(server) + `,"toolbox":` + Quote(toolbox) + `}`
}

// InDev returns the toolbox that most specs are about.
func InDev(servers ...Server) Toolbox {
	return NewToolbox("dev", servers...)
}

// Hanging returns a server with a tool that it never answers, and one that it answers.
func Hanging() script.Script {
	s := WithTools("hang", "read")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "hang"},
		script.Answer("read", script.Text("done")),
	}
	return s
}
