package trust_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("The review of a configuration", func() {
	lines := func(configured string, traits domain.Traits) []string {
		server := domain.Server{
			ID: domain.ServerID{Toolbox: "dev", Server: "s"}, Configured: json.RawMessage(configured), Shown: traits,
		}
		catalog := config.NewCatalog([]domain.Toolbox{{Name: "dev", Servers: []domain.Server{server}}})
		return trust.Review(&config.Configuration{Catalog: catalog}, map[string]ports.Transport{"toy": toy{}}, "/no/such/workbench-config.json")
	}

	DescribeTable("has a line for each server", func(configured string, traits domain.Traits, first string, others ...string) {
		Expect(lines(configured, traits)).To(HaveExactElements(append([]any{first}, anyOf(others)...)...))
	},
		Entry("a program with its arguments and folder", `{"command": "run me", "args": ["a b"], "cwd": "/w"}`, domain.Traits{}, "dev/s: 'run me' 'a b' (in /w)"),
		Entry("an address", `{"url": "https://host/mcp"}`, domain.Traits{}, "dev/s: https://host/mcp"),
		Entry("an address with a login", `{"url": "https://host/mcp"}`, domain.Traits{Login: domain.LoginTraits{Issuer: "https://login", AssertionFile: "/key"}},
			"dev/s: https://host/mcp (logs in at https://login, which gets the file /key)"),
		Entry("another transport, without its secrets", `{"x":1,"pass":"hunter2"}`, domain.Traits{}, `dev/s: {"x":1,"pass":"•••"}`),
		Entry("an argument that is a secret", `{"command": "a", "args": ["--api-key", "hunter2"]}`, domain.Traits{}, "dev/s: a --api-key •••"),
		Entry("what needs care", `{"command": "node", "args": ["-e", "x"], "env": {"LD_PRELOAD": "y"}}`, domain.Traits{}, "dev/s: LD_PRELOAD=y node -e x",
			"dev/s: needs care: it sets LD_PRELOAD, which names libraries that every program loads", "dev/s: needs care: -e is code, or names code that is loaded"),
	)

	It("shows no secret of a variable", func() {
		Expect(lines(`{"command": "c", "env": {"API_TOKEN": "very-secret-value"}}`, domain.Traits{})).
			To(ConsistOf(And(ContainSubstring("API_TOKEN="), Not(ContainSubstring("very-secret-value")))))
	})

	It("says that a server reads the whole environment", func() {
		Expect(lines(`{"command": "c"}`, domain.Traits{InheritsAll: true})).
			To(ContainElement(ContainSubstring(`"inheritEnv": "all"`)))
	})

	It("has a line for each secret that a command prints or a file has", func() {
		command := domain.SecretCommand{Variable: "A", Program: domain.Program{Command: "op", Args: []string{"read", "op://a b"}}}
		configuration := &config.Configuration{
			Catalog: config.NewCatalog(nil), EnvFile: "/w/.env",
			Secrets: []domain.SecretPlace{{SecretCommand: command}, {SecretCommand: domain.SecretCommand{Variable: "B"}, File: "/w/b"}},
		}
		Expect(trust.Review(configuration, nil, "/no/such/workbench-config.json")).To(ContainElements(
			"secret A: runs op read 'op://a b'", "secret B: reads /w/b", "variables from the file /w/.env"))
	})

	It("says so if there are no servers", func() {
		configuration := &config.Configuration{Catalog: config.NewCatalog(nil)}
		Expect(trust.Review(configuration, nil, "/no/such/workbench-config.json")).To(ConsistOf(HavePrefix("nothing")))
	})
})

// toy is a transport with keys that have the traits of those of servers.
type toy struct{ ports.Transport }

func (toy) Settings() any {
	return struct {
		Command string            `json:"command" is:"code line"`
		Args    []string          `json:"args" is:"code line"`
		Env     map[string]string `json:"env" is:"data variables"`
		Cwd     string            `json:"cwd" is:"code"`
		URL     string            `json:"url" is:"address"`
		Pass    string            `json:"pass" is:"secret"`
	}{}
}

func anyOf(lines []string) []any {
	elements := make([]any, len(lines))
	for i, line := range lines {
		elements[i] = line
	}
	return elements
}
