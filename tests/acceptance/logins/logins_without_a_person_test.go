package logins_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server that wants a login, without a user", func() {
	client := authserver.Client{ID: "robot", Secret: "secret-of-the-robot", AuthMethod: "client_secret_basic"}
	noted := script.Script{Tools: []string{script.Tool("note")}, Rules: []script.Rule{script.Answer("note", `{"content":[]}`)}}
	const bySecret = `{"grant": "client_credentials", "clientId": "robot", "clientSecret": "${ROBOT}", "issuer": "ISSUER"}`

	// behind returns a server of that kind behind an authorization server, with settings of
	// oauth, in which ISSUER is that.
	behind := func(over WebKind, issuer *authserver.Server, settings string) (server RemoteServer, resource *authserver.Resource) {
		GinkgoHelper()
		DeferCleanup(issuer.Close)
		path := map[string]string{"http": "/mcp", "sse": "/sse"}[over.Transport]
		server = over.ServeBehind(func(own string) string {
			resource = issuer.Protect("http://"+own+path, authserver.Protection{})
			return strings.TrimSuffix(strings.TrimPrefix(resource.URL(), "http://"), path)
		}, noted, `"headers": {"X-Own": "for-the-server"}, "oauth": `+strings.ReplaceAll(settings, "ISSUER", issuer.Issuer()))
		return server, resource
	}
	// startIn starts a workbench whose user has that home folder, where logins are kept.
	startIn := func(home string, server RemoteServer, env ...string) *Workbench {
		GinkgoHelper()
		return Start(Launch{
			Config: `{"logLevel": "debug", ` + strings.TrimPrefix(Configuration(InDev(server.Server)), "{"),
			Env:    append([]string{"HOME=" + home, "USERPROFILE=" + home, "ROBOT=secret-of-the-robot"}, env...),
		})
	}
	start := func(server RemoteServer, env ...string) *Workbench {
		GinkgoHelper()
		return startIn(GinkgoT().TempDir(), server, env...)
	}
	expectNoSecrets := func(issuer *authserver.Server, w *Workbench) {
		GinkgoHelper()
		for _, secret := range issuer.Secrets() {
			Expect(w.Stderr()).NotTo(ContainSubstring(secret))
		}
	}

	OverEveryWebKind(func(over WebKind) {
		It("gets a token for its secret when it is first used", Label("A07"), func() {
			issuer := authserver.Start(authserver.Behaviour{Clients: []authserver.Client{client}, AuthMethods: []string{"client_secret_basic"}})
			server, resource := behind(over, issuer, bySecret)
			w := start(server)
			host := Connect(w, over.Era.Modern, `{}`)

			Expect(host.Open("dev").Errors).To(BeEmpty())

			Expect(string(host.Use("dev", "files", "note", `{}`).Result)).To(ContainSubstring(`"content":[]`))
			Expect(issuer.Asked("token")).To(HaveLen(1))
			Expect(issuer.Asked("token")[0].Values.Get("resource")).To(Equal(resource.URL()))
			Expect(issuer.Asked("")).To(HaveEach(HaveField("Header", Not(HaveKey("X-Own")))))
			Expect(resource.Passed()).To(HaveEach(HaveKey("X-Own")))
			expectNoSecrets(issuer, w)
		})
	})

	It("gets a token for the assertion in a file", Label("A07"), func() {
		file := filepath.Join(GinkgoT().TempDir(), "token")
		Expect(os.WriteFile(file, []byte("an-assertion-of-the-cluster\n"), 0o600)).To(Succeed())
		issuer := authserver.Start(authserver.Behaviour{
			Clients: []authserver.Client{{ID: "robot", AuthMethod: "none"}}, Assertion: "an-assertion-of-the-cluster",
		})
		server, _ := behind(WebKinds[0], issuer, fmt.Sprintf(`{"grant": "jwt-bearer", "clientId": "robot", "issuer": "ISSUER", "assertionFile": %q}`, file))
		w := start(server)

		Expect(Connect(w, false, `{}`).Open("dev").Errors).To(BeEmpty())

		Expect(w.Stderr()).NotTo(ContainSubstring("an-assertion-of-the-cluster"))
	})
})
