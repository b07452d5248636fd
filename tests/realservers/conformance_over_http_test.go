package realservers_test

import (
	"bufio"
	"io"
	"os/exec"
	"regexp"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// passedOverHTTP are the scenarios about the way between host and workbench, without the
// bridge. What they would call is in no server behind it.
var passedOverHTTP = map[string][]string{
	"2025-11-25": {
		"server-initialize", "ping", "tools-list", "server-session-lifecycle", "server-sse-multiple-streams",
		"dns-rebinding-protection",
	},
	"2026-07-28": {
		"tools-list", "http-header-validation", "server-sse-multiple-streams", "dns-rebinding-protection",
		"sep-2164-resource-not-found",
	},
}

var listeningAt = regexp.MustCompile(`listening on (http://\S+/mcp)`)

// startListening starts a workbench over the conformance server that listens, and returns
// its URL.
func startListening() string {
	GinkgoHelper()
	config := configuration(toolbox{"judged", []server{{name: "absent", Command: programs.ScriptedServer}}})
	workbench := exec.Command(programs.Workbench, "serve", "--config", config, "--http", "127.0.0.1:0")
	workbench.Env = environment()
	errors, err := workbench.StderrPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(workbench.Start()).To(Succeed())
	DeferCleanup(func() {
		Expect(workbench.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Expect(workbench.Wait()).To(Succeed())
	})
	lines := bufio.NewScanner(errors)
	for lines.Scan() {
		if found := listeningAt.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(GinkgoWriter, errors) }() // until it ends
			return found[1]
		}
	}
	Fail("the workbench ended without listening")
	return ""
}

var _ = Describe("Being judged over HTTP by the conformance runner", Label("U07"), func() {
	BeforeEach(requireNodeForJudges)

	for version, names := range passedOverHTTP {
		for _, name := range names {
			It("passes "+name+" of "+version, func(ctx SpecContext) {
				results := GinkgoT().TempDir()

				ran := runNode(ctx, ownHome(), conformanceRunner(), "server", "--url", startListening(), "--scenario", name,
					"--spec-version", version, "--output-dir", results)

				checks := readChecks(results)
				Expect(checks).To(ContainElement(HaveField("Status", "SUCCESS")))
				Expect(checks).To(HaveEach(HaveField("Status", BeElementOf("SUCCESS", "INFO"))))
				Expect(ran.code).To(Equal(0))
			}, SpecTimeout(time.Minute))
		}
	}
})
