package hosts_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Importing the logins of hosts", func() {
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	const remote = `{"mcpServers": {"crm": {"httpUrl": "https://host.invalid/mcp",
		"oauth": {"clientId": "the-client", "clientSecret": "secret-of-client", "scopes": ["read"], "tokenUrl": "https://host.invalid/t"}}}}`

	It("creates a configuration that can be used, and never prints a secret", func() {
		home.File(".gemini/settings.json", remote)

		outcome := home.Run("import", "gemini", "--yes")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout + outcome.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(outcome.Stdout).To(And(ContainSubstring(`"oauth.tokenUrl" has no counterpart`), ContainSubstring("export CRM_CLIENT_SECRET=…")))
		Expect(home.Content(OwnConfiguration)).To(And(ContainSubstring(`"the-client"`), ContainSubstring(`"secret-of-client"`), Not(ContainSubstring("disabled"))))
		Expect(home.Run("validate").Code).To(Equal(0))
	})

	It("restores the bytes of the host after its server was replaced", func() {
		home.File(".gemini/settings.json", remote)
		Expect(home.Run("import", "gemini", "--yes").Code).To(Equal(0))

		connected := home.Run("connect", "gemini", "--replace", "--yes")
		Expect(connected.Code).To(Equal(0), connected.Stderr)
		Expect(connected.Stdout + connected.Stderr).NotTo(ContainSubstring("secret-of"))
		Expect(home.Content(".gemini/settings.json")).NotTo(ContainSubstring("crm"))

		Expect(home.Run("disconnect", "gemini", "--yes").Code).To(Equal(0))
		Expect(home.Content(".gemini/settings.json")).To(Equal(remote))
	})
})
