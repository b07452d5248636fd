package hosts_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
	"mcp-workbench/tests/spec"
)

// teamToken is the token of the workbench that listens. Hosts find it in the variable TEAM_TOKEN.
const teamToken = "token-of-the-whole-team"

var listeningAt = regexp.MustCompile(`listening on (http://\S+/mcp)`)

// listening returns the account with a workbench that listens and requires a token, and a function that ends
// the workbench, at the latest with the spec.
func (d account) listening() (listening account, end func()) {
	GinkgoHelper()
	return d.listeningTo(map[string]string{"team": teamToken})
}

// listeningTo does the same with these tokens, by name.
func (d account) listeningTo(tokens map[string]string) (listening account, end func()) {
	GinkgoHelper()
	var configuration map[string]any
	Expect(json.Unmarshal([]byte(d.read("workbench-config.json")), &configuration)).To(Succeed())
	accepted := map[string]any{}
	for name, token := range tokens {
		accepted[name] = map[string]any{"value": token, "toolboxes": []string{"*"}}
	}
	configuration["http"] = map[string]any{"tokens": accepted}
	text := spec.Must(json.Marshal(configuration))
	d.write("workbench-config.json", string(text))
	workbench := exec.Command(d.workbench, "serve", "--config", d.path("workbench-config.json"), "--http", "127.0.0.1:0")
	workbench.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.directory, "TMPDIR=" + d.directory}
	stderr := spec.Must(workbench.StderrPipe())
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
	for _, h := range []host{claudeCode, codex, geminiCLI, openCode, copilot, qwenCode, continueCLI} {
		It("is opened and used by "+h.name, func(ctx SpecContext) {
			d, end := accountWith(seven).listening()

			c := h.converse(ctx, d, []model.Call{open("memory"), use("memory", "echo")})
			end()

			Expect(c.read).To(ContainSubstring("open_toolbox"))
			Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring("It says: hello")))
			Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
		}, SpecTimeout(2*time.Minute))
	}
})

var _ = Describe("The entry that connect writes for an address", Label("M09"), func() {
	DescribeTable("is a server that the host's own list shows as connected", func(ctx SpecContext, h host, id, folder, shown string) {
		d, end := accountWith(seven).listening()
		Expect(os.MkdirAll(d.path(folder), 0o700)).To(Succeed())

		d.command(ctx, []host{claudeCode}, "connect", id, "--url", d.url, "--token-env", "TEAM_TOKEN", "--yes")
		listed := d.ask(ctx, h, "mcp", "list")
		Expect(listed).To(MatchRegexp(shown))
		Expect(listed).NotTo(ContainSubstring(teamToken))

		d.command(ctx, []host{claudeCode}, "disconnect", id, "--yes")
		Expect(d.ask(ctx, h, "mcp", "list")).NotTo(ContainSubstring("workbench"))
		end()
	},
		Entry("Claude Code", claudeCode, "claude-code", "work", `workbench: http://\S+ \(HTTP\) - ✔ Connected`),
		Entry("Gemini CLI", geminiCLI, "gemini", ".gemini", `✓ workbench: http://\S+ \(http\) - Connected`),
		Entry("opencode", openCode, "opencode", ".config/opencode", `✓ workbench .*connected`),
		Entry("GitHub Copilot CLI", copilot, "copilot", ".copilot", `workbench \(http\)`),
		Entry("Qwen Code", qwenCode, "qwen", ".qwen", `✓\S* workbench: http://\S+ \(http\) - Connected`),
	)

	It("is a server that Codex uses", func(ctx SpecContext) {
		d, end := accountWith(seven).listening()
		c := converseWithCodex(ctx, d, []model.Call{open("memory"), use("memory", "echo")}, func() {
			d.command(ctx, nil, "connect", "codex", "--url", d.url, "--token-env", "TEAM_TOKEN", "--yes")
			Expect(d.ask(ctx, codex, "mcp", "list")).To(MatchRegexp(`workbench +http://\S+ +TEAM_TOKEN +enabled`))
		})
		end()

		Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring("It says: hello")))
	})

	It("equals the entry that Claude Code's own command writes", func(ctx SpecContext) {
		d := accountWith(seven)
		d.write(".claude.json", "{}")
		d.command(ctx, nil, "connect", "claude-code", "--url", "https://mcp.example.com/mcp", "--token-env", "TEAM_TOKEN", "--yes")
		written := d.entry(".claude.json", "mcpServers", "workbench")
		other := accountWith(seven)
		other.url = "https://mcp.example.com/mcp"
		_, line, _ := strings.Cut(strings.TrimSpace(other.lines("Claude Code")), " ")
		other.ask(ctx, claudeCode, words(line)...)

		Expect(other.entry(".claude.json", "mcpServers", "workbench")).To(Equal(written))
	})
})
