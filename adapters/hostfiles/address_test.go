package hostfiles_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A workbench at an address", func() {
	const address = "https://mcp.example.com/mcp?a=1&b=2"
	atAddress := hostfiles.Entry{URL: address, Token: "WORKBENCH_TOKEN", Variables: []string{"WORKBENCH_TOKEN"}}
	found := func(id string) hostfiles.Host {
		host, _ := hostfiles.Find(id)
		return host
	}

	DescribeTable("is written in the form of the host", func(id, want string) {
		Expect(found(id).TakesAddresses()).To(BeTrue())
		Expect(string(hostfiles.EntryJSON(found(id).UserFile(machine("linux")), atAddress))).To(Equal(want))
	},
		Entry(nil, "claude-code",
			`{"type":"http","url":"`+address+`","headers":{"Authorization":"Bearer ${WORKBENCH_TOKEN}"}}`),
		Entry(nil, "cursor", `{"url":"`+address+`","headers":{"Authorization":"Bearer ${env:WORKBENCH_TOKEN}"}}`),
		Entry(nil, "vscode", `{"type":"http","url":"`+address+`","headers":{"Authorization":"Bearer ${env:WORKBENCH_TOKEN}"}}`),
		Entry(nil, "windsurf", `{"serverUrl":"`+address+`","headers":{"Authorization":"Bearer ${env:WORKBENCH_TOKEN}"}}`),
		Entry(nil, "codex", `{"url":"`+address+`","bearer_token_env_var":"WORKBENCH_TOKEN"}`),
		Entry(nil, "gemini", `{"httpUrl":"`+address+`","headers":{"Authorization":"Bearer $WORKBENCH_TOKEN"}}`),
		Entry(nil, "opencode",
			`{"type":"remote","url":"`+address+`","headers":{"Authorization":"Bearer {env:WORKBENCH_TOKEN}"}}`),
		Entry(nil, "copilot",
			`{"type":"http","url":"`+address+`","headers":{"Authorization":"Bearer ${WORKBENCH_TOKEN}"},"tools":["*"]}`),
		Entry(nil, "roo", `{"type":"streamable-http","url":"`+address+`","headers":{"Authorization":"Bearer ${env:WORKBENCH_TOKEN}"}}`),
		Entry(nil, "qwen", `{"httpUrl":"`+address+`","headers":{"Authorization":"Bearer $WORKBENCH_TOKEN"}}`),
		Entry(nil, "kimi", `{"url":"`+address+`","bearerTokenEnvVar":"WORKBENCH_TOKEN"}`),
	)

	for _, host := range hostfiles.Hosts() {
		if !host.TakesAddresses() {
			continue
		}
		It("is read, changed to another address and removed, byte for byte: "+host.ID, func() {
			file := placed(host, "linux", usual(host))
			connections := hostfiles.NewConnections(GinkgoT().TempDir())
			connect := func(entry hostfiles.Entry) {
				GinkgoHelper()
				change := spec.Must(connections.Connect(file, "workbench", entry, nil))
				Expect(connections.Apply(change, nil)).To(Succeed())
			}
			first, header := atAddress, "Bearer ${WORKBENCH_TOKEN}"
			if !host.PassesOn(first) {
				first.Values, header = map[string]string{"WORKBENCH_TOKEN": "its value"}, "Bearer its value"
			}
			connect(first)
			servers := spec.Must(hostfiles.Read(file))
			Expect(servers).To(HaveLen(2))
			Expect(servers[1].Settings.URL).To(Equal(address))
			Expect(servers[1].Settings.Transport).To(BeEmpty(), "streamable HTTP")
			Expect(servers[1].Settings.Headers).To(Equal(map[string]string{"Authorization": header}))
			Expect(servers[1].Notes).To(BeEmpty())

			connect(hostfiles.Entry{URL: "http://127.0.0.1:7345/mcp"})
			servers = spec.Must(hostfiles.Read(file))
			Expect(servers[1].Settings.URL).To(Equal("http://127.0.0.1:7345/mcp"))
			Expect(servers[1].Settings.Headers).To(BeEmpty())
			connect(entry)

			Expect(string(spec.Must(connections.Disconnect(file, "workbench")).After)).To(Equal(usual(host)))
		})
	}

	It("does not replace another server that has the name", func() {
		file := placed(found("cursor"), "linux", `{"mcpServers": {"workbench": {"url": "https://other.example.com/secret"}}}`)

		_, err := hostfiles.NewConnections(GinkgoT().TempDir()).Connect(file, "workbench", atAddress, nil)

		Expect(err).To(MatchError(hostfiles.ErrTaken))
		Expect(err).To(MatchError(And(ContainSubstring("other.example.com"), Not(ContainSubstring("secret")))))
	})

	It("has the token of its entry as the value of the token's variable, for this address only", func() {
		file := placed(found("claude-desktop"), "linux", `{"mcpServers": {"workbench": {"url": "https://a", "headers": {"Authorization": "Bearer t"}}}}`)
		values := func(entry hostfiles.Entry) map[string]string {
			return spec.Must(hostfiles.Values(file, "workbench", entry))
		}

		Expect(values(hostfiles.Entry{URL: "https://a", Token: "X", Variables: []string{"X"}})).To(Equal(map[string]string{"X": "t"}))
		Expect(values(hostfiles.Entry{URL: "https://b", Token: "X", Variables: []string{"X"}})).To(BeEmpty())
		Expect(values(hostfiles.Entry{URL: "https://a"})).To(BeEmpty())
		Expect(values(hostfiles.Entry{Command: "/w", Variables: []string{"X"}})).To(BeEmpty())
	})
})
