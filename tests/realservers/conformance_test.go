package realservers_test

import (
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/relay"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// offeredIn returns the names of the scenarios in a list that the runner printed.
func offeredIn(list string) []string {
	var names []string
	for _, line := range regexp.MustCompile(`(?m)^  - (\S+)`).FindAllStringSubmatch(list, -1) {
		names = append(names, line[1])
	}
	return names
}

func conformanceRunner() string { return npmFile("@modelcontextprotocol/conformance/dist/index.js") }

// judgedConfiguration writes a configuration with the conformance server and returns its path.
func judgedConfiguration() string { return configurationOf(conformanceServer()) }

// configurationOf does the same with another server. Names of the toolbox and of the server are short, since
// long names of prompts are cut.
func configurationOf(judged script.Script) string {
	GinkgoHelper()
	tools := filepath.Join(GinkgoT().TempDir(), "script.json")
	Expect(judged.Save(tools)).To(Succeed())
	return configuration(toolbox{"j", []server{
		{name: "c", Command: programs.ScriptedServer, Args: []string{"-script", tools}},
	}})
}

// relayTo returns the URL of a relay that shows the tools of server c in toolbox j as those of the workbench at the URL.
func relayTo(workbench string) string {
	GinkgoHelper()
	to := spec.Must(url.Parse(workbench))
	server := httptest.NewServer(relay.New("j", "c", to))
	DeferCleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + "/mcp"
}

// check is a check of the runner.
type check struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Error  string `json:"errorMessage"`
}

func readChecks(directory string) []check {
	GinkgoHelper()
	var files []string
	err := filepath.WalkDir(directory, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == "checks.json" {
			files = append(files, path)
		}
		return err
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(files).To(HaveLen(1))
	data := spec.Must(os.ReadFile(files[0]))
	var checks []check
	Expect(json.Unmarshal(data, &checks)).To(Succeed())
	return checks
}
