package logins_test

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// guarded is a machine whose toolbox "dev" has a server "team" behind a URL that wants a
// login.
type guarded struct {
	login    *authserver.Server
	resource *authserver.Resource
	// home has the state of the user, and page the last page of the browser.
	home, page string
	config     string
}

var noteTool = script.Script{
	Tools: []string{script.Tool("note")},
	Rules: []script.Rule{script.Answer("note", `{"content":[{"type":"text","text":"noted"}]}`)},
}

// guard puts a server behind an authorization server. Settings are those of "oauth".
func guard(behaviour authserver.Behaviour, settings string) *guarded {
	GinkgoHelper()
	g := &guarded{login: authserver.Start(behaviour), home: GinkgoT().TempDir()}
	pages := spec.Must(os.MkdirTemp("", "pages"))
	DeferCleanup(func() { // the browser writes there until it ends, which can be after the login
		Eventually(os.RemoveAll).WithArguments(pages).Should(Succeed())
	})
	g.page = filepath.Join(pages, "page.html")
	DeferCleanup(g.login.Close)
	far := WebKinds[0].ServeBehind(func(own string) string { return own }, noteTool).Far
	g.resource = g.login.Protect(far.URL(), authserver.Protection{})
	g.configure(settings)
	return g
}

// configure writes other settings of "oauth", "" for none.
func (g *guarded) configure(settings string) {
	oauth := ""
	if settings != "" {
		oauth = `, "oauth": ` + settings
	}
	g.config = `{"toolboxes": {"dev": {"mcpServers": {"team": {"url": ` + Quote(g.resource.URL()) + oauth + `}}}}}`
}

// launch is a run of the program on this machine. The user agrees to everything that
// the browser shows.
func (g *guarded) launch(args ...string) Launch {
	return Launch{Config: g.config, Args: args, Env: g.environment(ScriptedServer() + " -visit " + g.page)}
}

func (g *guarded) environment(browser string) []string {
	return []string{
		"HOME=" + g.home, "USERPROFILE=" + g.home, "XDG_STATE_HOME=" + filepath.Join(g.home, "state"), "LocalAppData=" + filepath.Join(g.home, "state"),
		"BROWSER=" + browser,
	}
}

// run runs a command to its end, and checks that it shows no secret.
func (g *guarded) run(args ...string) Outcome {
	GinkgoHelper()
	return g.runAs(g.launch(args...))
}

func (g *guarded) runAs(l Launch) Outcome {
	GinkgoHelper()
	outcome := Run(l)
	g.expectNoSecrets(outcome.Stdout + outcome.Stderr)
	return outcome
}

func (g *guarded) expectNoSecrets(text string) {
	GinkgoHelper()
	for _, secret := range g.login.Secrets() {
		Expect(text).NotTo(ContainSubstring(secret))
	}
}

// files returns the paths of the logins.
func (g *guarded) files() (paths []string) {
	GinkgoHelper()
	Expect(filepath.WalkDir(g.home, func(path string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".json" && filepath.Base(filepath.Dir(path)) == "logins" {
			paths = append(paths, path)
		}
		return err
	})).To(Succeed())
	return paths
}

// file returns the text of the login, "" without a login.
func (g *guarded) file() string {
	GinkgoHelper()
	var texts []string
	for _, path := range g.files() {
		texts = append(texts, string(spec.Must(os.ReadFile(path))))
	}
	return strings.Join(texts, "\n")
}

// shownPage returns the status and the page that the browser ended on. The browser may
// take longer than the login.
func (g *guarded) shownPage() string {
	GinkgoHelper()
	var page []byte
	Eventually(func() (err error) {
		page, err = os.ReadFile(g.page)
		return err
	}).WithTimeout(Patience).Should(Succeed())
	return string(page)
}

// list returns what login --list --json prints.
func (g *guarded) list() []map[string]any {
	GinkgoHelper()
	outcome := g.run("login", "--list", "--json")
	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	var listed struct {
		Logins []map[string]any `json:"logins"`
	}
	Expect(json.Unmarshal([]byte(outcome.Stdout), &listed)).To(Succeed())
	return listed.Logins
}

func (g *guarded) expectNobody() {
	GinkgoHelper()
	Expect(g.list()).To(BeEmpty())
	Expect(g.file()).NotTo(Or(ContainSubstring(`"pending"`), ContainSubstring("accessToken")), "nothing half-written")
}

// expectLoggedIn logs in by the browser.
func (g *guarded) expectLoggedIn(args ...string) Outcome {
	GinkgoHelper()
	outcome := g.run(append([]string{"login", "dev/team"}, args...)...)
	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	return outcome
}

var _ = Describe("Logging in", func() {
	It("opens the browser, waits for it, and prints the account, the server and the end of the login", Label("A01"), func() {
		g := guard(authserver.Behaviour{Rotates: true, Scopes: []string{"read"}}, "")

		outcome := g.expectLoggedIn()

		Expect(outcome.Stdout).To(MatchRegexp(`^Logged in to dev/team at ` + g.login.Issuer() + ` until \d{4}-\d\d-\d\d \d\d:\d\d; it is renewed automatically\.\n$`))
		Expect(outcome.Stderr).To(ContainSubstring("opening the browser to log in to dev/team (the page is at " + g.login.Host() + ", the server at " + g.resource.Host() + "); if nothing opens, open this address on this machine: " + g.login.Issuer() + "/authorize?"))
		Expect(string(spec.Must(os.ReadFile(g.page+".address")))).To(HavePrefix(g.login.Issuer()+"/authorize?"), "the program in BROWSER may pass it on")
		page := g.shownPage()
		Expect(page).To(And(HavePrefix("200\n"), ContainSubstring("You are logged in to dev/team. You can close this page.")))
		g.expectNoSecrets(page)
		Expect(g.login.Asked("token")).To(HaveLen(1))
		Expect(g.run("call", "dev/team/note").Stdout).To(Equal("noted\n"))
	})

	It("goes on waiting if no browser can be opened, since the user can open the address", Label("A01"), func() {
		NeedsTerminal()
		for browser, why := range map[string]string{"/nowhere/browser": "/nowhere/browser", ScriptedServer() + " /nowhere/script": "exit status 1"} {
			g := guard(authserver.Behaviour{}, "")
			l := g.launch("login", "dev/team")
			l.Env = g.environment(browser)
			terminal := OnTerminal(l, 2000, nil)
			terminal.AwaitShown("--no-browser' to use a browser on another machine")
			shown := terminal.Shown()
			Expect(shown).To(MatchRegexp(`no browser could be opened \(.*` + why + `.*\): open the address on this machine`))

			Expect(spec.Must(http.Get(regexp.MustCompile(g.login.Issuer() + `/authorize\S+`).FindString(shown))).Body.Close()).To(Succeed())
			Expect(terminal.End()).To(Equal(0))
			Expect(terminal.Shown()).To(ContainSubstring("Logged in to dev/team"))
		}
	})

	It("applies to every copy of the workbench, even one that is already running", Label("A01"), func() {
		g := guard(authserver.Behaviour{}, "")
		w := Start(g.launch())
		w.Initialize()
		Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Line).To(ContainSubstring("mcp-workbench login dev/team"))

		g.expectLoggedIn()

		Expect(w.Open("dev").JSON).To(ContainSubstring("note"))
		Expect(w.Use("dev", "team", "note", "{}").Line).To(ContainSubstring("noted"))
		g.expectNoSecrets(w.Stderr())
	})

	It("lists logins without a token", func() {
		g := guard(authserver.Behaviour{Scopes: []string{"read", "write"}}, `{"account": "work"}`)
		Expect(g.run("login", "--list").Stdout).To(Equal("there are no logins; 'mcp-workbench login TOOLBOX/SERVER' logs in\n"))
		g.expectLoggedIn()

		Expect(g.run("login", "--list").Stdout).To(And(
			HavePrefix(g.resource.URL()+"\n  used by       dev/team\n  issuer        "+g.login.Issuer()+"\n  account       work\n  scopes        read write\n  expires       20"),
			ContainSubstring("it is renewed automatically\n  last refresh  20"),
		))
		Expect(g.list()).To(ConsistOf(And(
			HaveKeyWithValue("server", g.resource.URL()), HaveKeyWithValue("usedBy", []any{"dev/team"}), HaveKeyWithValue("issuer", g.login.Issuer()),
			HaveKeyWithValue("account", "work"), HaveKeyWithValue("scopes", []any{"read", "write"}), HaveKeyWithValue("state", "valid"),
			HaveKeyWithValue("renewable", true), HaveKey("expiry"), HaveKey("lastRefresh"),
		)))
	})
})

var _ = It("login says that a server answers without one, and leaves no login", func() {
	g := guard(authserver.Behaviour{}, "")
	open := WebKinds[0].ServeBehind(func(own string) string { return own }, noteTool).Far
	g.config = `{"toolboxes": {"dev": {"mcpServers": {"team": {"url": ` + Quote(open.URL()) + `}}}}}`

	outcome := g.run("login", "dev/team")

	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	Expect(outcome.Stdout).To(Equal("dev/team answers without a login.\n"))
	Expect(g.run("login", "--list").Stdout).NotTo(ContainSubstring("dev/team"))
})

var _ = Describe("A login to a server that wants a client certificate", func() {
	It("finds the authorization server with that certificate", func() {
		g := guard(authserver.Behaviour{}, "")
		const metadata = "/.well-known/oauth-protected-resource/mcp"
		far := Secure(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != metadata {
				w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://`+r.Host+metadata+`"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = fmt.Fprintf(w, `{"resource": "https://%s/mcp", "authorization_servers": [%q]}`, r.Host, g.login.Issuer())
		}), tls.RequireAnyClientCert)
		g.config = `{"toolboxes": {"dev": {"mcpServers": {"team": {"url": ` + Quote(far.URL+"/mcp") + `, ` + far.TLS() + `}}}}}`
		l := g.launch("login", "dev/team")
		l.Env = append(l.Env, "SSL_CERT_FILE="+far.Certificate)

		outcome := g.runAs(l)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(g.login.Asked("token")).To(HaveLen(1))
	})
})

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
