package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

var _ = Describe("Plain secrets of a configuration", func() {
	server := func(name string, settings setup.Settings) setup.Configured {
		return setup.Configured{ID: domain.ServerID{Toolbox: "dev", Server: domain.ServerName(name)}, Settings: settings}
	}
	env := func(name, value string) setup.Settings {
		return setup.Settings{Env: map[string]string{name: value}}
	}
	variables := func(configuration setup.Configuration) map[string]string {
		secrets, _ := configuration.PlainSecrets(func(name string) (string, bool) { return "set", name == "SET_TOKEN" })
		names := map[string]string{}
		for _, secret := range secrets {
			names[string(secret.Server.Server)] = secret.Variable
		}
		return names
	}

	It("have one variable for one value, and another for each other value", func() {
		Expect(variables(setup.Configuration{
			Keys:      described,
			Elsewhere: []string{"KEPT_TOKEN"},
			Servers: []setup.Configured{
				server("a", env("TOKEN", "one")), server("b", env("TOKEN", "one")), server("c", env("TOKEN", "two")), server("c-", env("TOKEN", "three")),
				server("d", env("SET_TOKEN", "four")), server("e", env("KEPT_TOKEN", "five")),
			},
		})).To(Equal(map[string]string{"a": "TOKEN", "b": "TOKEN", "c": "C_TOKEN", "c-": "C_TOKEN_2", "d": "D_SET_TOKEN", "e": "E_KEPT_TOKEN"}))
	})

	It("are not references, and those of arguments and addresses are named", func() {
		secrets, inline := setup.Configuration{Keys: described, Servers: []setup.Configured{
			server("a", env("TOKEN", "${TOKEN}")), server("b", setup.Settings{Command: "c", Args: []string{"--token=abcdefgh12"}}),
		}}.PlainSecrets(func(string) (string, bool) { return "", false })
		Expect(secrets).To(BeEmpty())
		Expect(inline).To(Equal([]domain.ServerID{{Toolbox: "dev", Server: "b"}}))
	})
})
