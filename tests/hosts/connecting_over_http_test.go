package hosts_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

// linesOverHTTP are what a person writes for a host of a workbench that listens, with URL
// for its address.
var linesOverHTTP = map[string]string{
	"Claude Code": `claude mcp add --scope user --transport http workbench URL`,
	"Codex":       "[mcp_servers.workbench]\nurl = \"URL\"\n",
	"Gemini CLI":  `{"mcpServers": {"workbench": {"httpUrl": "URL"}}}`,
	"opencode":    `{"mcp": {"workbench": {"type": "remote", "url": "URL", "enabled": true}}}`,
}

var listeningAt = regexp.MustCompile(`listening on (http://\S+/mcp)`)

// listening returns the desk with a workbench that listens, and what ends it. It is ended
// with the spec at the latest.
func (d desk) listening() (listening desk, end func()) {
	GinkgoHelper()
	workbench := exec.Command(d.workbench, "serve", "--config", d.path("workbench-config.json"), "--http", "127.0.0.1:0")
	workbench.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.directory}
	stderr, err := workbench.StderrPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(workbench.Start()).To(Succeed())
	end = sync.OnceFunc(func() {
		GinkgoHelper()
		Expect(workbench.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Expect(workbench.Wait()).To(Succeed())
	})
	DeferCleanup(end)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if found := listeningAt.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(GinkgoWriter, stderr) }() // until it ends
			d.url = found[1]
			return d, end
		}
	}
	Fail("the workbench ended without listening")
	return d, end
}

var _ = Describe("A workbench that listens on HTTP", Label("M09"), func() {
	for _, h := range []host{claudeCode, codex, geminiCLI, openCode} {
		It("is opened and used by "+h.name, func(ctx SpecContext) {
			d, end := deskWith(seven).listening()

			c := h.converse(ctx, d, []model.Call{open("memory"), use("memory", "echo")})
			end()

			Expect(c.read).To(ContainSubstring("open_toolbox"))
			Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring("It says: hello")))
			Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
		}, SpecTimeout(2*time.Minute))
	}
})
