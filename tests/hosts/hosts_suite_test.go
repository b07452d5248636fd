// Package hosts_test runs published hosts with the built program. No host has an
// account or a network: the model that they talk to is a stand-in of package model.
package hosts_test

import (
	"encoding/json"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

func TestHosts(t *testing.T) { spec.Run(t, "Hosts", "npm") }

// programs are the paths of the programs that are built once for all specs.
var programs struct {
	Workbench, Recorder, ScriptedServer string
}

var _ = SynchronizedBeforeSuite(func() []byte {
	requirePackages()
	for name, path := range map[string]*string{
		"mcp-workbench/cmd/mcp-workbench":             &programs.Workbench,
		"mcp-workbench/tests/hosts/recorder":          &programs.Recorder,
		"mcp-workbench/tests/fixtures/scriptedserver": &programs.ScriptedServer,
	} {
		*path = spec.Build(name)
	}
	return spec.Must(json.Marshal(programs))
}, func(paths []byte) {
	requirePackages()
	Expect(json.Unmarshal(paths, &programs)).To(Succeed())
})
