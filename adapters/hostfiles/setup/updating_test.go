package setup

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// certified is a transport with the path of a file.
type certified struct{ toy }

func (certified) Settings() any {
	return struct {
		TLS struct {
			Certificate string `json:"cert" is:"file relative expanded"`
		} `json:"tls"`
	}{}
}

var _ = Describe("A server that is compared in another folder", func() {
	It("keeps the files that its configuration names", func() {
		folder := GinkgoT().TempDir()
		path := func(name string) string {
			written, err := setup.JSON(filepath.Join(folder, name))
			Expect(err).NotTo(HaveOccurred())
			return string(written)
		}
		u := &update{Editor: &Editor{Program: Program{Transports: Kinds{"http": certified{}}}}}
		id := domain.ServerID{Toolbox: "a", Server: "far"}
		other := domain.ServerID{Toolbox: "b", Server: "near"}
		configuration := setup.Configuration{Path: filepath.Join(folder, "workbench-config.json"), Servers: []setup.Configured{{ID: id}, {ID: other}}}

		text, err := u.onlyServer([]byte(`{"envFile": "more.env", "secrets": {"A": {"file": "a.txt"}}, "toolboxes": {
			"a": {"mcpServers": {"far": {"url": "https://far.example", "tls": {"cert": "certs/own.pem"}}}},
			"b": {"mcpServers": {"near": {"url": "https://near.example"}}}}}`), configuration, id)

		Expect(err).NotTo(HaveOccurred())
		Expect(text).To(MatchJSON(`{"envFile": ` + path("more.env") + `, "secrets": {"A": {"file": ` + path("a.txt") + `}}, "toolboxes": {
			"a": {"mcpServers": {"far": {"url": "https://far.example", "tls": {"cert": ` + path("certs/own.pem") + `}}}}}}`))
	})
})
