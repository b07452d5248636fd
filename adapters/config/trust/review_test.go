package trust_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/domain"
)

var _ = Describe("The review of a configuration", func() {
	lines := func(traits domain.Traits) []string {
		server := domain.Server{
			ID: domain.ServerID{Toolbox: "dev", Server: "s"}, Configured: json.RawMessage(`{"x":1}`), Shown: traits,
		}
		catalog := config.NewCatalog([]domain.Toolbox{{Name: "dev", Servers: []domain.Server{server}}})
		return trust.Review(&config.Configuration{Catalog: catalog}, "/no/such/workbench-config.json")
	}

	DescribeTable("has a line for each server", func(traits domain.Traits, line string) {
		Expect(lines(traits)).To(HaveExactElements(line))
	},
		Entry("a program with its arguments and folder", domain.Traits{Program: domain.Program{Command: "run me", Args: []string{"a b"}, Cwd: "/w"}},
			"dev/s: 'run me' 'a b' (in /w)"),
		Entry("an address", domain.Traits{Address: "https://host/mcp"}, "dev/s: https://host/mcp"),
		Entry("an address with a login", domain.Traits{
			Address: "https://host/mcp", Login: domain.LoginTraits{Issuer: "https://login", AssertionFile: "/key"},
		}, "dev/s: https://host/mcp (logs in at https://login, which gets the file /key)"),
		Entry("another transport", domain.Traits{}, `dev/s: {"x":1}`),
	)

	It("shows no secret of a variable", func() {
		Expect(lines(domain.Traits{Program: domain.Program{Command: "c", Env: map[string]string{"API_TOKEN": "very-secret-value"}}})).
			To(ConsistOf(And(ContainSubstring("API_TOKEN="), Not(ContainSubstring("very-secret-value")))))
	})

	It("says that a server reads the whole environment", func() {
		Expect(lines(domain.Traits{Program: domain.Program{Command: "c"}, InheritsAll: true})).
			To(ContainElement(ContainSubstring(`"inheritEnv": "all"`)))
	})

	It("has a line for each secret that a command prints or a file has", func() {
		command := domain.SecretCommand{Variable: "A", Program: domain.Program{Command: "op", Args: []string{"read", "op://a b"}}}
		configuration := &config.Configuration{
			Catalog: config.NewCatalog(nil), EnvFile: "/w/.env",
			Secrets: []domain.SecretPlace{{SecretCommand: command}, {SecretCommand: domain.SecretCommand{Variable: "B"}, File: "/w/b"}},
		}
		Expect(trust.Review(configuration, "/no/such/workbench-config.json")).To(ContainElements(
			"secret A: runs op read 'op://a b'", "secret B: reads /w/b", "variables from the file /w/.env"))
	})

	It("says so if there are no servers", func() {
		configuration := &config.Configuration{Catalog: config.NewCatalog(nil)}
		Expect(trust.Review(configuration, "/no/such/workbench-config.json")).To(ConsistOf(HavePrefix("nothing")))
	})
})
