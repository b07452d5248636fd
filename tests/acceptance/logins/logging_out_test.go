package logins_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Logging in with --no-browser", func() {
	// paste runs login --no-browser on a terminal, and returns it with the address that the browser
	// ends on.
	paste := func(g *guarded) (*Terminal, string) {
		GinkgoHelper()
		NeedsTerminal()
		terminal := OnTerminal(g.launch("login", "dev/team", "--no-browser"), 400, nil)
		terminal.AwaitShown("the page may say that it cannot be reached.")
		_, after, _ := strings.Cut(terminal.Shown(), "Open this address in a browser, on any machine (the page is at "+g.login.Host()+", the server at "+g.resource.Host()+"):\n\n  ")
		address, _, _ := strings.Cut(after, "\n")
		answer := spec.Must((&http.Transport{DisableKeepAlives: true}).RoundTrip(spec.Must(http.NewRequest(http.MethodGet, address, nil))))
		Expect(answer.Body.Close()).To(Succeed())
		return terminal, answer.Header.Get("Location")
	}

	It("prints the address, and reads the one that the browser ended on", Label("A01"), func() {
		g := guard(authserver.Behaviour{}, "")
		terminal, address := paste(g)
		terminal.Type(address + "\r")
		Expect(terminal.End()).To(Equal(0), terminal.Shown())
		Expect(terminal.Shown()).To(ContainSubstring("Logged in to dev/team at " + g.login.Issuer()))
		Expect(g.list()).To(HaveLen(1))
	})

	It("continues on its own when the browser reaches this machine", func() {
		g := guard(authserver.Behaviour{}, "")
		terminal, address := paste(g)
		answer := spec.Must((&http.Transport{DisableKeepAlives: true}).RoundTrip(spec.Must(http.NewRequest(http.MethodGet, address, nil))))
		Expect(answer.Body.Close()).To(Succeed())
		Expect(terminal.End()).To(Equal(0), terminal.Shown())
	})

	It("ends when nothing is pasted", func() {
		g := guard(authserver.Behaviour{}, "")
		outcome := g.run("login", "dev/team", "--no-browser")
		Expect(outcome.Code).To(Equal(1))
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: dev/team: no address was pasted\n"))
		g.expectNobody()
	})
})

var _ = Describe("Logging out", func() {
	It("forgets the login, and revokes it if the authorization server can", Label("A08"), func() {
		g := guard(authserver.Behaviour{Revokes: true}, "")
		g.expectLoggedIn()
		outcome := g.run("logout", "dev/team")
		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(Equal("Logged out of dev/team at " + g.login.Issuer() + ".\n"))
		Expect(g.login.Asked("revoke")).NotTo(BeEmpty())
		Expect(g.login.Asked("revoke")[0].Answered).To(Equal("revoked"))
		Expect(g.file()).To(BeEmpty())
		Expect(g.run("call", "dev/team/note").Stderr).To(ContainSubstring("mcp-workbench login dev/team"))
		Expect(g.run("logout", "dev/team").Stdout).To(Equal("There is no login to dev/team.\n"))
	})

	It("forgets the login even if the authorization server cannot be reached", Label("A08"), func() {
		g := guard(authserver.Behaviour{Revokes: true}, "")
		g.expectLoggedIn()
		g.login.Close()
		outcome := g.run("logout", "dev/team")
		Expect(outcome.Code).To(Equal(4))
		Expect(outcome.Stderr).To(ContainSubstring("dev/team: logged out here, but the tokens could not be revoked: "))
		Expect(g.list()).To(BeEmpty())
	})
})
