package hosts_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Servers that import cannot keep whole", Label("FP01"), func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	type member struct {
		Command  string
		Args     []string
		URL      string
		Headers  map[string]string
		Disabled bool
	}
	configured := func() map[string]member {
		GinkgoHelper()
		var configuration struct {
			Toolboxes map[string]struct {
				Servers map[string]member `json:"mcpServers"`
			}
		}
		Expect(json.Unmarshal([]byte(home.Content(OwnConfiguration)), &configuration)).To(Succeed())
		servers := map[string]member{}
		for _, toolbox := range configuration.Toolboxes {
			for name, server := range toolbox.Servers {
				servers[name] = server
			}
		}
		return servers
	}

	It("are disabled and stay in the host, and the others are replaced", func() {
		home.File(".cursor/mcp.json", `{"mcpServers": {
			"headers": {"url": "https://one.example.com/mcp", "headers": {"Accept": "application/json", "X-Team": "blue"}},
			"number": {"command": "npx", "args": ["-y", "two-mcp", "--port", 8080]},
			"lost": {"command": "npx", "args": ["-y", "three-mcp", {"port": 1}]},
			"refused": {"url": "ws://four.example.com/mcp"},
			"unknown": {"command": "npx", "args": ["-y", "five-mcp"], "sandbox": true}}}`)

		outcome := home.Run("import", "cursor", "--yes")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		servers := configured()
		Expect(servers["headers"]).To(Equal(member{URL: "https://one.example.com/mcp", Headers: map[string]string{"X-Team": "blue"}}))
		Expect(servers["number"].Args).To(Equal([]string{"-y", "two-mcp", "--port", "8080"}))
		Expect(servers["lost"].Disabled).To(BeTrue())
		Expect(servers["refused"].Disabled).To(BeTrue())

		outcome = home.Run("connect", "cursor", "--replace", "--yes")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(And(
			ContainSubstring(`"lost" of Cursor stays`), ContainSubstring(`"refused" of Cursor stays`), ContainSubstring(`"unknown" of Cursor stays`),
		))
		var host struct {
			Servers map[string]json.RawMessage `json:"mcpServers"`
		}
		Expect(json.Unmarshal([]byte(home.Content(".cursor/mcp.json")), &host)).To(Succeed())
		Expect(host.Servers).To(And(HaveLen(4), HaveKey("lost"), HaveKey("refused"), HaveKey("unknown"), HaveKey("workbench")))
	})

	It("are not added from a command line, and headers of the workbench are left out with a note", func() {
		outcome := home.Run("add-json", "number", `{"command": "node", "args": ["b.js", {"port": 1}]}`)
		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring(`"args" has the wrong type`))

		outcome = home.Run("add", "team", "https://b.example.com/mcp", "--header", "Accept: application/json", "--header", "X-Team: blue")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring(`the header "Accept" is left out, since the workbench sets it itself`))
		Expect(configured()["team"].Headers).To(Equal(map[string]string{"X-Team": "blue"}))

		Expect(home.Run("add", "_mine", "--", "x")).To(And(HaveField("Code", Not(Equal(0))), HaveField("Stderr", ContainSubstring(`begins with "_"`))))
	})
})

var _ = Describe("Secrets in arguments", Label("FP02"), func() {
	const secret = "q7Zp3Xw9Lk2Vt8Rb5Nc1Ys6"

	DescribeTable("are printed by no command", func(command string, args ...string) {
		home := NewHomeFolder()
		text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"s": map[string]any{"command": command, "args": args}}})
		Expect(err).NotTo(HaveOccurred())
		home.File(".cursor/mcp.json", string(text))
		for _, line := range [][]string{
			{"import", "cursor", "--yes"},
			{"import", "cursor", "--json"},
			{"connect", "cursor", "--replace", "--yes"},
			{"connect", "cursor", "--json"},
			{"disconnect", "cursor", "--yes"},
		} {
			outcome := home.Run(line...)
			Expect(outcome.Stdout+outcome.Stderr).NotTo(ContainSubstring(secret), strings.Join(line, " "))
		}
	},
		Entry("of a container", "docker", "run", "-i", "--rm", "-e", "SHOP_API_TOKEN="+secret, "example/shop"),
		Entry("of a header", "npx", "-y", "mcp-remote", "https://a.example.com/mcp", "--header", "Authorization: Bearer "+secret),
		Entry("in JSON", "npx", "-y", "@example/cli", "--config", `{"apiKey": "`+secret+`"}`),
		Entry("of a shell", "sh", "-c", "TOKEN="+secret+" exec npx -y foo-mcp https://me:"+secret+"@h/"+secret),
	)
})
