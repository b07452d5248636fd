package logins_test

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	. "mcp-workbench/tests/workbenchtest"
)

// beside adds these servers to the toolbox, beside the one that wants a login.
func (g *guarded) beside(servers ...Server) *guarded {
	team := []Server{ServerAt("team", g.resource.URL(), filepath.Join(g.home, "journal"), `"limits":{"openReply":"30s"}`)}
	g.config = Configuration(InDev(append(team, servers...)...))
	return g
}

// host starts a workbench for a host of the era on this machine.
func (g *guarded) host(e Era, capabilities string) Host {
	GinkgoHelper()
	return Connect(Start(g.launch()), e.Modern, capabilities)
}

// visit opens an address as a user does, and returns the page that the browser ends on.
func visit(address string) string {
	GinkgoHelper()
	page, err := visited(address)
	Expect(err).NotTo(HaveOccurred())
	return page
}

// visited does the same for an address that may not be served yet.
func visited(address string) (page string, err error) {
	defer http.DefaultClient.CloseIdleConnections()
	response, err := http.Get(address)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// loginLine is the warning that a model reads about the server "dev/team".
var loginLine = regexp.MustCompile("to log in, the user can run `mcp-workbench login dev/team` or open " +
	`(http://127\.0\.0\.1:\d+/[a-z0-9]+) \(the page is at 127\.0\.0\.1:\d+, the server at 127\.0\.0\.1:\d+\); then try again$`)

// linkIn returns the link in a line that a model reads.
func linkIn(line string) string {
	GinkgoHelper()
	found := loginLine.FindStringSubmatch(line)
	Expect(found).To(HaveLen(2), line)
	return found[1]
}

const openDev = `{"toolbox":"dev"}`

var useNote = UseArguments("dev", "team", "note", "{}")

var _ = Describe("A server that wants a login, in a host", func() {
	BeforeEach(func() { SkipOverHTTP("people log in where the workbench runs, as many_hosts_test.go shows") })

	local := func() Server { return Scripted("local", WithTools("read")) }

	for _, e := range Eras {
		Context("of "+e.Name+" that shows no URLs", func() {
			It("is left out of its toolbox until the login, with a line that says where to log in", Label("A04"), func() {
				g := guard(authserver.Behaviour{}, "").beside(local())
				host := g.host(e, FormCapability)

				opened := host.Open("dev")
				Expect(opened.Connected).To(Equal(1))
				Expect(opened.Errors).To(HaveExactElements(HavePrefix(
					"Failed to connect to server 'team' in toolbox 'dev': it asks for a login; ")))
				Expect(visit(linkIn(opened.Errors[0]))).To(ContainSubstring("You are logged in to dev/team."))

				Expect(host.Open("dev").Names()).To(ConsistOf("note", "read"))
				Expect(host.Use("dev", "team", "note", "{}").Text()).To(Equal("noted"))
				Expect(host.Sent("elicitation/create")).To(BeEmpty())
				g.expectNoSecrets(host.Stderr())
			})

			It("is asked for at the first use of a server that is started then", Label("A04"), func() {
				g := guard(authserver.Behaviour{}, "").beside()
				config := filepath.Join(g.home, "c.json")
				WriteFile(config, WithRoot(g.config, `"start":"use"`))
				window := g.launch("--config", config)
				window.Config = ""
				host := Connect(Start(window), e.Modern, FormCapability)
				visit(linkIn(host.Open("dev").Errors[0]))
				Expect(host.Open("dev").Names()).To(Equal([]string{"note"}))
				Expect(host.End()).To(Equal(0))
				g.login.Revoke()

				host = Connect(Start(window), e.Modern, FormCapability)
				opened := host.Open("dev")
				Expect(opened.Connected).To(BeZero())
				Expect(opened.Names()).To(Equal([]string{"note"}))
				Expect(opened.Errors).To(BeEmpty())
				Expect(visit(linkIn(host.Use("dev", "team", "note", "{}").Failure()))).To(ContainSubstring("You are logged in to dev/team."))
				Expect(host.Use("dev", "team", "note", "{}").Text()).To(Equal("noted"))
			})
		})

		Context("of "+e.Name+" that shows URLs", func() {
			It("is in the answer after the user logged in", func() {
				g := guard(authserver.Behaviour{}, "").beside(local())
				open := BeginPromptedCall(g.host(e, URLCapability), "open_toolbox", openDev)

				url := open.Prompted()
				Expect(url).To(HavePrefix(g.login.Issuer() + "/authorize?"))
				visit(url)

				Expect(open.Answer("accept").Ends().Opened().Names()).To(ConsistOf("note", "read"))
				Expect(open.Host.Use("dev", "team", "note", "{}").Text()).To(Equal("noted"))
				g.expectNoSecrets(open.Host.Stderr())
			})

			It("is waited for while the user logs in", Label("A04"), func() {
				g := guard(authserver.Behaviour{}, "").beside()
				open := BeginPromptedCall(g.host(e, URLCapability), "open_toolbox", openDev)

				url := open.Prompted()
				open.Answer("accept")
				if !e.Modern {
					open.Host.Request("ping", open.Host.Params("")) // so the answer was read before the login
				}
				Expect(open.Host.Answers(open.ID)).To(BeEmpty())
				visit(url)

				Expect(open.Ends().Opened().Connected).To(Equal(1))
				if !e.Modern {
					open.Host.AwaitSent("notifications/elicitation/complete", 1)
				}
			})

			It("causes another question during a call that needs more scopes, which then continues", Label("A04"), func() {
				g := guard(authserver.Behaviour{}, "").beside()
				g.resource.Ask(authserver.Protection{Scopes: []string{"read"}, Needs: map[string]string{"tools/call": "write"}})
				host := g.host(e, URLCapability)
				open := BeginPromptedCall(host, "open_toolbox", openDev)
				visit(open.Prompted())
				open.Answer("accept").Ends()

				use := BeginPromptedCall(host, "use_tool", useNote)
				if !e.Modern {
					use.Prompts = open.Prompts
				}
				visit(use.Prompted())

				Expect(use.Answer("accept").Ends().Text()).To(Equal("noted"))
				Expect(g.login.Asked("authorize")[1].Values.Get("scope")).To(Equal("read write"))
			})

			It("asks with the keys by which the host knows its call", func() {
				host := guard(authserver.Behaviour{}, "").beside().host(e, URLCapability)
				open := BeginPromptedCall(host, "open_toolbox", openDev, `"acme/call":"first"`)
				Expect(string(open.Asked())).To(ContainSubstring(`"_meta":{"acme/call":"first"`))
				open.Answer("decline").Ends()

				use := BeginPromptedCall(host, "use_tool", useNote, `"acme/call":"second"`)
				if !e.Modern {
					use.Prompts = open.Prompts
				}
				Expect(string(use.Asked())).To(ContainSubstring(`"_meta":{"acme/call":"second"`))
			})
		})

		Context("of "+e.Name, func() {
			It("gets one login for all workbenches on the machine, by the same link", func() {
				g := guard(authserver.Behaviour{}, "").beside(local())
				first, other := g.host(e, FormCapability), g.host(e, FormCapability)

				link := linkIn(first.Open("dev").Errors[0])
				Expect(linkIn(other.Open("dev").Errors[0])).To(Equal(link))
				visit(link)

				Expect(first.Open("dev").Connected).To(Equal(2))
				Expect(other.Open("dev").Connected).To(Equal(2))
			})
		})
	}
})

var _ = Describe("A workbench that many hosts reach over HTTP", func() {
	for _, e := range Eras {
		It("tells a host of "+e.Name+" where the operator logs in, and shows it the tools after the login", func() {
			g := guard(authserver.Behaviour{}, "")
			host := Connect(Listen(g.launch()), e.Modern, URLCapability)
			open := func() Message {
				return host.Request("tools/call", host.Params(`"name":"open_toolbox","arguments":`+openDev))
			}
			Expect(open().Line).To(ContainSubstring("the operator of the workbench can log in there with `mcp-workbench login dev/team`; then try again"))
			Expect(host.Sent("elicitation/create")).To(BeEmpty())

			g.expectLoggedIn()

			Expect(host.Open("dev").Names()).To(ContainElement("note"))
			Expect(host.Use("dev", "team", "note", "{}").Line).To(ContainSubstring("noted"))
		})
	}
})
