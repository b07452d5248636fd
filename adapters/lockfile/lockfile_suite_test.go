package lockfile_test

import (
	"encoding/json"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/domain"
)

func TestLockfile(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "The lock file")
}

var _ = BeforeEach(func() {
	before := gleak.Goroutines()
	DeferCleanup(func() { Eventually(gleak.Goroutines).WithTimeout(10 * time.Second).ShouldNot(gleak.HaveLeaked(before)) })
})

// pin returns the pin of a tool whose definition is that text.
func pin(name, definition string) domain.Pin {
	return lockfile.NewDefinitions().Pin(domain.ToolInfo{Name: name, Definition: json.RawMessage(definition)})
}

// locked returns a server of a lock with tools of these names.
func locked(toolbox domain.ToolboxName, server domain.ServerName, tools ...string) domain.LockedServer {
	entry := domain.LockedServer{ID: domain.ServerID{Toolbox: toolbox, Server: server}}
	for _, tool := range tools {
		quoted, err := json.Marshal(tool)
		if err != nil {
			panic(err)
		}
		entry.Tools = append(entry.Tools, pin(tool, `{"name":`+string(quoted)+`,"inputSchema":{"type":"object"}}`))
	}
	return entry
}
