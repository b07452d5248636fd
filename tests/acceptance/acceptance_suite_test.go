// Package acceptance_test holds the features: what a host sees of the workbench,
// over real pipes and with servers that do what a script says.
package acceptance_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestAcceptance(t *testing.T) {
	spec.Run(t, "The workbench")
}

var _ = SynchronizedBeforeSuite(Build, UsePrograms)

var _ = SynchronizedAfterSuite(func() {}, RemovePrograms)

// withTools returns a server that lists tools of these names and answers every
// call with "done".
func withTools(names ...string) script.Script {
	var s script.Script
	for _, name := range names {
		s.Tools = append(s.Tools, script.Tool(name))
	}
	s.Rules = []script.Rule{script.Answer("", script.Text("done"))}
	return s
}

// listed returns the definition of script.Tool as open_toolbox shows it.
func listed(tool, server, toolbox string) string {
	return shown(script.Tool(tool), server, toolbox)
}

// shown returns a definition as open_toolbox shows it.
func shown(definition, server, toolbox string) string {
	return definition[:len(definition)-1] +
		`,"server":` + Quote(server) + `,"toolbox":` + Quote(toolbox) + `}`
}

// inDev returns the toolbox that most specs are about.
func inDev(servers ...Server) Toolbox {
	return NewToolbox("dev", servers...)
}
