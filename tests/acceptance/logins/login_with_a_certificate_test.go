package logins_test

import (
	"crypto/tls"
	"fmt"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/authserver"
	. "mcp-workbench/tests/workbenchtest"
)

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
