package workbenchtest

import (
	"encoding/json"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

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
