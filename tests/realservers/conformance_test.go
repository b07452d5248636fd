package realservers_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
)

var _ = Describe("Being judged by the conformance runner", Label("U07"), func() {
	BeforeEach(requireNodeForJudges)

	var entries []TableEntry
	for _, s := range passed {
		name := s.name
		if s.lists == openedTools {
			name += ", with the tools of a toolbox in the list"
		}
		entries = append(entries, Entry(name, SpecTimeout(time.Minute), s))
	}

	DescribeTable("it passes", func(ctx SpecContext, s scenario) {
		url := startBridge(ctx, s.lists)
		results := GinkgoT().TempDir()

		ran := runNode(ctx, ownHome(), conformanceRunner(), "server", "--url", url, "--scenario", s.name,
			"--spec-version", bridged, "--output-dir", results)

		checks := readChecks(results)
		Expect(checks).To(ContainElement(HaveField("Status", "SUCCESS")))
		Expect(checks).To(HaveEach(HaveField("Status", BeElementOf("SUCCESS", "INFO"))))
		Expect(ran.code).To(Equal(0))
	}, entries)

	It("leaves no scenario out without a reason", func(ctx SpecContext) {
		offered := runNode(ctx, ownHome(), conformanceRunner(), "list", "--server", "--spec-version", bridged)

		known := map[string]bool{}
		for _, s := range slices.Concat(passed, foreign) {
			known[s.name] = true
		}
		Expect(offeredIn(offered.stdout)).To(ConsistOf(slices.Collect(maps.Keys(known))))
	}, SpecTimeout(time.Minute))
})

// offeredIn returns the names of the scenarios in a list that the runner printed.
func offeredIn(list string) []string {
	var names []string
	for _, line := range regexp.MustCompile(`(?m)^  - (\S+)`).FindAllStringSubmatch(list, -1) {
		names = append(names, line[1])
	}
	return names
}

// bridged is the protocol version in which the workbench is judged through the bridge.
const bridged = "2025-11-25"

func conformanceRunner() string { return npmFile("@modelcontextprotocol/conformance/dist/index.js") }

// startBridge puts a workbench with the conformance server behind HTTP and
// returns its URL.
func startBridge(ctx context.Context, lists listing) string {
	GinkgoHelper()
	options := []string{"--", programs.Workbench, "--config", judgedConfiguration()}
	if lists == openedTools {
		options = append([]string{"-list-opened"}, options...)
	}
	return bridge(ctx, options...)
}

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

// bridge starts the bridge to the conformance server and returns its URL.
func bridge(ctx context.Context, options ...string) string {
	GinkgoHelper()
	bridge := exec.Command(programs.Bridge, append([]string{"-toolbox", "j", "-server", "c"}, options...)...)
	bridge.Env = environment()
	bridge.Stderr = GinkgoWriter
	in, err := bridge.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	out, err := bridge.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(bridge.Start()).To(Succeed())
	DeferCleanup(func() {
		Expect(in.Close()).To(Succeed())
		Expect(bridge.Wait()).To(Succeed())
	})
	stop := context.AfterFunc(ctx, func() { _ = bridge.Process.Kill() }) // which ends the read
	defer stop()
	url, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	return strings.TrimSpace(url)
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
	data, err := os.ReadFile(files[0])
	Expect(err).NotTo(HaveOccurred())
	var checks []check
	Expect(json.Unmarshal(data, &checks)).To(Succeed())
	return checks
}
