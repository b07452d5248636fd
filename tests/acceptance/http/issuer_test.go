package http_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// issuer is the part of an authorization server that answers about its keys.
type issuer struct {
	url  string
	key  *ecdsa.PrivateKey
	away atomic.Bool
}

func newIssuer() *issuer {
	GinkgoHelper()
	i := &issuer{key: newKey()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer GinkgoRecover()
		Expect(r.Header).NotTo(HaveKey("Authorization"), "the token of a host goes nowhere")
		x, y := make([]byte, 32), make([]byte, 32)
		public := spec.Must(i.key.PublicKey.Bytes())
		copy(x, public[1:33])
		copy(y, public[33:])
		switch {
		case i.away.Load():
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Path == "/.well-known/oauth-authorization-server":
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.url, "jwks_uri": i.url + "/jwks"})
		case r.URL.Path == "/jwks":
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]string{
				"kty": "EC", "crv": "P-256", "kid": "one", "use": "sig", "alg": "ES256", "x": base64url(x), "y": base64url(y),
			}}})
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	DeferCleanup(server.Close)
	i.url = server.URL
	return i
}

func newKey() *ecdsa.PrivateKey {
	GinkgoHelper()
	return spec.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
}

func base64url(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

// token returns a token of a subject for a resource, with scopes.
func (i *issuer) token(resource, subject, scope string, key *ecdsa.PrivateKey) string {
	GinkgoHelper()
	claims := spec.Must(json.Marshal(map[string]any{
		"iss": i.url, "aud": resource, "sub": subject, "scope": scope, "exp": time.Now().Add(time.Hour).Unix(),
	}))
	text := base64url([]byte(`{"alg":"ES256","typ":"at+jwt","kid":"one"}`)) + "." + base64url(claims)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	Expect(err).NotTo(HaveOccurred())
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + base64url(signature)
}

// writeCertificate writes a certificate and its key.
func writeCertificate(folder string) (certificate, key string) {
	GinkgoHelper()
	generated := newKey()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der := spec.Must(x509.CreateCertificate(rand.Reader, template, template, generated.Public(), generated))
	private := spec.Must(x509.MarshalPKCS8PrivateKey(generated))
	certificate, key = filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")
	Expect(os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)).To(Succeed())
	Expect(os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600)).To(Succeed())
	return certificate, key
}

var _ = Describe("A caller over HTTP with an access token", func() {
	const resource = "https://mcp.example.com/team/mcp"
	start := func(i *issuer) *listener {
		GinkgoHelper()
		return listen(Launch{Config: WithHTTP(`{"auth": {"issuer": "` + i.url + `", "resource": "` + resource + `", "scopes": ["mcp:use"]}}`)})
	}

	It("is served if the issuer made the token for this workbench", func() {
		i := newIssuer()
		l := start(i)

		_, hello := l.as(Older, i.token(resource, "alice", "mcp:use", i.key))

		Expect(hello.StatusCode).To(Equal(200))
		Expect(l.Stderr()).To(ContainSubstring("callers need a token"))
	})

	It("is told where to get a token", func() {
		i := newIssuer()
		l := start(i)
		_, refused := l.as(Older, "")
		const place = "/.well-known/oauth-protected-resource/team/mcp"

		Expect(refused.StatusCode).To(Equal(401))
		Expect(refused.Header.Get("WWW-Authenticate")).To(Equal(`Bearer resource_metadata="https://mcp.example.com` + place + `", scope="mcp:use"`))
		metadata := l.ask(http.MethodGet, l.root+place, "", "Host", "mcp.example.com", "Origin", "https://inspector.test")
		Expect(metadata.StatusCode).To(Equal(200))
		Expect(metadata.text).To(ContainSubstring(`"resource":"` + resource + `","authorization_servers":["` + i.url + `"]`))
	})

	It("is served with a token that is no JWT if the issuer confirms it, which is asked once", Label("T07"), func() {
		var asked atomic.Int64
		endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer GinkgoRecover()
			asked.Add(1)
			id, secret, _ := r.BasicAuth()
			Expect([]string{r.Method, id, secret}).To(Equal([]string{"POST", "workbench", "the-secret-of-the-client"}))
			if r.FormValue("token") != "opaque-token-of-alice" {
				_, _ = w.Write([]byte(`{"active":false}`))
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"active": true, "sub": "alice", "aud": resource, "scope": "mcp:use", "exp": time.Now().Add(time.Hour).Unix()})
		}))
		DeferCleanup(endpoint.Close)
		i := newIssuer()
		l := listen(Launch{Env: []string{"CLIENT_SECRET=the-secret-of-the-client"}, Config: WithHTTP(`{"auth": {"issuer": "` + i.url + `", "resource": "` + resource +
			`", "scopes": ["mcp:use"], "introspection": {"endpoint": "` + endpoint.URL + `", "clientId": "workbench", "clientSecret": "${CLIENT_SECRET}"}}}`)})

		alice, hello := l.as(Older, "opaque-token-of-alice")
		Expect(hello.StatusCode).To(Equal(200), hello.text)
		Expect(alice.request("tools/list", "").StatusCode).To(Equal(200))
		Expect(asked.Load()).To(BeEquivalentTo(1))
		_, refused := l.as(Older, "opaque-token-of-nobody")
		Expect(refused.StatusCode).To(Equal(401))
		headers := append(alice.headers[:len(alice.headers):len(alice.headers)], "Authorization", "Bearer "+i.token(resource, "alice", "mcp:use", i.key))
		Expect((&caller{listener: l, headers: headers}).request("tools/list", "").StatusCode).To(Equal(200), "it is the same subject")

		endpoint.Close()
		_, unknown := l.as(Older, "opaque-token-of-eve")
		Expect(unknown.StatusCode).To(Equal(503))
		Expect(unknown.Header.Get("Retry-After")).NotTo(BeEmpty())
		Expect(l.Stderr()).NotTo(Or(ContainSubstring("opaque-token"), ContainSubstring("the-secret")))
	})
})
