package realservers_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	. "mcp-workbench/tests/workbenchtest"
)

// home is the machine of a user, as the environment of every program on it.
type home []string

func newHome() home {
	GinkgoHelper()
	directory := GinkgoT().TempDir()
	return home{
		"HOME=" + directory, "XDG_STATE_HOME=" + filepath.Join(directory, "state"), "LocalAppData=" + directory,
		"BROWSER=" + ScriptedServer() + " -visit " + filepath.Join(directory, "page.html"), "PATH=" + os.Getenv("PATH"), "MCP_INSPECTOR_SECRET_STORE=memory", "NO_COLOR=1",
	}
}

func (h home) workbench(ctx context.Context, args ...string) string {
	GinkgoHelper()
	command := exec.CommandContext(ctx, BuiltWorkbench(), args...)
	command.Env = h
	output, err := command.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(output))
	return string(output)
}

// inspect runs the Inspector once with a workbench on this machine.
func (h home) inspect(ctx context.Context, config string, args ...string) finished {
	GinkgoHelper()
	env := map[string]string{}
	for _, variable := range h {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	hostConfig, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"workbench": map[string]any{
		"type": "stdio", "command": BuiltWorkbench(), "args": []string{"--config", config}, "env": env,
	}}})
	Expect(err).NotTo(HaveOccurred())
	path := filepath.Join(GinkgoT().TempDir(), "mcp.json")
	Expect(os.WriteFile(path, hostConfig, 0o600)).To(Succeed())
	options := []string{"--cli", "--quiet", "--format", "json", "--config", path, "--server", "workbench", "--protocol-era", "auto"}
	return runNode(ctx, h, npmFile("@modelcontextprotocol/inspector/clients/launcher/build/index.js"), append(options, args...)...)
}

var _ = Describe("A published server behind an authorization server", func() {
	BeforeEach(requireNodeForJudges)

	It("is opened from the Inspector's command line after one login, and renewed without another", func(ctx SpecContext) {
		login := authserver.Start(authserver.Behaviour{Rotates: true, RevokesOnReuse: true, Revokes: true})
		DeferCleanup(login.Close)
		far := startElsewhere(ctx, "streamableHttp", freePort())
		resource := login.Protect(far.server("").URL, authserver.Protection{Scopes: []string{"mcp"}})
		config := configuration(toolbox{"real", []server{{name: "everything", URL: resource.URL()}}})
		h := newHome()
		inspect := func() finished {
			GinkgoHelper()
			return h.inspect(ctx, config, "--method", "tools/call", "--tool-name", "open_toolbox", "--tool-arg", "toolbox=real")
		}
		open := func() Opened {
			GinkgoHelper()
			ran := inspect()
			Expect(ran.code).To(Equal(0))
			return inspectorAnswer(ran).Opened()
		}

		Expect(inspectorAnswer(inspect()).Text()).To(ContainSubstring("mcp-workbench login real/everything"))

		Expect(h.workbench(ctx, "--config", config, "login", "real/everything")).To(ContainSubstring("Logged in to real/everything at " + login.Issuer()))

		for range 2 {
			after := open()
			Expect(after.Connected).To(Equal(1))
			Expect(len(after.Tools)).To(BeNumerically(">", 12))
			login.Expire()
		}
		Expect(login.Asked("authorize")).To(HaveLen(1))
		Expect(login.Asked("token")).To(HaveLen(2), "the code, and one refresh")
		for _, header := range resource.Passed() {
			Expect(header.Get("Authorization")).To(HavePrefix("Bearer access-"))
		}
		Expect(h.workbench(ctx, "--config", config, "logout", "real/everything")).To(ContainSubstring("Logged out of real/everything at " + login.Issuer()))
		Expect(inspectorAnswer(inspect()).Text()).To(ContainSubstring("mcp-workbench login real/everything"))
	}, SpecTimeout(2*time.Minute))
})
