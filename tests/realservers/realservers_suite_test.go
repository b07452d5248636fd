// Package realservers_test runs the workbench between programs of other
// authors: the reference servers from npm below it, and the Inspector, the
// official SDKs' clients and the conformance runner above it.
package realservers_test

import (
	"encoding/json"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

func TestRealServers(t *testing.T) { spec.Run(t, "Real servers and hosts", "npm") }

// programs are the paths of the programs that are built once for all specs.
var programs struct {
	Workbench, ScriptedServer string
}

var _ = SynchronizedBeforeSuite(func() []byte {
	requireNode()
	for name, path := range map[string]*string{
		"mcp-workbench/cmd/mcp-workbench":             &programs.Workbench,
		"mcp-workbench/tests/fixtures/scriptedserver": &programs.ScriptedServer,
	} {
		*path = spec.Build(name)
	}
	return spec.Must(json.Marshal(programs))
}, func(paths []byte) {
	requireNode()
	Expect(json.Unmarshal(paths, &programs)).To(Succeed())
})
