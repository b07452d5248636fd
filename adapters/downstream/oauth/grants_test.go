package oauth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A grant without a user", func() {
	const bySecret = `{"grant":"client_credentials","clientId":"me","clientSecret":"secret-of-me","issuer":"ISSUER"}`

	It("gets a token when the server asks for one, and a new one when that expires", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		requests := near.Authorizer(far.server(bySecret))

		Expect(requests.Token(ctx)).To(BeEmpty())
		Expect(requests.Refused(ctx, refusal(401, `Bearer scope="a"`), "", 0)).To(BeTrue())

		Expect(requests.Token(ctx)).To(Equal("access-token-1"))
		Expect(far.form()).To(Equal(url.Values{"grant_type": {"client_credentials"}, "scope": {"a"}, "resource": {far.URL + "/mcp"}}))
		Expect(far.basics).To(Equal([]string{"me:secret-of-me"}))
		far.tokens = func(url.Values) (int, string) { return 200, `{"access_token":"access-token-2"}` }
		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "access-token-1", 0)).To(BeTrue())
		Expect(requests.Token(ctx)).To(Equal("access-token-2"))
	})

	It("sends the secret in the form where the server wants that", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post"}})

		Expect(near.Authorizer(far.server(bySecret)).Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())

		Expect(far.form()).To(And(HaveKeyWithValue("client_id", []string{"me"}), HaveKeyWithValue("client_secret", []string{"secret-of-me"})))
		Expect(far.basics).To(Equal([]string{":"}))
	})

	It("gives up when its token is refused at once", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		requests := near.Authorizer(far.server(bySecret))
		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())

		_, err := requests.Refused(ctx, refusal(401, "Bearer"), "access-token-1", 1)

		Expect(err).To(MatchError("the server does not accept the token that its authorization server gave for the configured grant"))
		Expect(far.forms).To(HaveLen(1))
	})

	It("gets all scopes when some are missing, and stops eventually", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		requests := near.Authorizer(far.server(bySecret))
		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())
		forbidden := refusal(403, `Bearer error="insufficient_scope", scope="write"`)

		Expect(requests.Refused(ctx, forbidden, "access-token-1", 1)).To(BeTrue())
		Expect(far.form().Get("scope")).To(Equal("read write"))
		Expect(requests.Refused(ctx, forbidden, "access-token-1", 0)).To(BeTrue())
		_, err := requests.Refused(ctx, forbidden, "access-token-1", 0)

		Expect(err).To(MatchError(`the server wants the scopes "write", and its authorization server does not give them`))
	})

	It("reports the error of the authorization server, and stores nothing", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		far.tokens = func(url.Values) (int, string) { return 401, `{"error":"invalid_client","error_description":"Who?"}` }

		_, err := near.Authorizer(far.server(bySecret)).Refused(ctx, refusal(401, "Bearer"), "", 0)

		Expect(err).To(MatchError("get a token from the authorization server at " + far.URL + ": invalid_client: Who?"))
		Expect(near.Store.List()).To(BeEmpty())
	})

	DescribeTable("is signed by a key", func(ctx SpecContext, algorithm string, makeKey func() crypto.Signer, inFile bool) {
		far, near := newRemote(), newLoginClient()
		key := makeKey()
		der := spec.Must(x509.MarshalPKCS8PrivateKey(key))
		text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
		if inFile {
			file := filepath.Join(GinkgoT().TempDir(), "key.pem")
			Expect(os.WriteFile(file, []byte(text), 0o600)).To(Succeed())
			text = file
		}

		Expect(near.Authorizer(far.server(`{"grant":"client_credentials","clientId":"me","issuer":"ISSUER","privateKey":`+strconv.Quote(text)+`}`)).
			Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())

		Expect(far.form().Get("client_assertion_type")).To(Equal("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"))
		Expect(far.form()).NotTo(HaveKey("client_secret"))
		Expect(near.secrets.Redact(far.form().Get("client_assertion"))).To(Equal("***"))
		token := spec.Must(jwt.ParseSigned(far.form().Get("client_assertion"), []jose.SignatureAlgorithm{jose.SignatureAlgorithm(algorithm)}))
		Expect(token.Headers[0].ExtraHeaders).To(Equal(map[jose.HeaderKey]any{"typ": "JWT"}))
		var claims map[string]any
		Expect(token.Claims(key.Public(), &claims)).To(Succeed())
		Expect(claims).To(And(HaveKeyWithValue("iss", "me"), HaveKeyWithValue("sub", "me"), HaveKeyWithValue("aud", far.URL), HaveKey("jti"), HaveKey("exp")))
	},
		Entry("of RSA", "RS256", func() crypto.Signer { return spec.Must(rsa.GenerateKey(rand.Reader, 2048)) }, false),
		Entry("of P-256, in a file", "ES256", func() crypto.Signer { return spec.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) }, true),
		Entry("of Ed25519", "EdDSA", func() crypto.Signer {
			_, key, err := ed25519.GenerateKey(rand.Reader)
			return spec.Must(key, err)
		}, false),
	)

	DescribeTable("says what is wrong with its key or assertion, without showing it", func(ctx SpecContext, settings, expected string) {
		far, near := newRemote(), newLoginClient()

		_, err := near.Authorizer(far.server(settings)).Refused(ctx, refusal(401, "Bearer"), "", 0)

		Expect(err).To(MatchError("get a token from the authorization server at " + far.URL + ": " + expected))
	},
		Entry("a key that is not there", `{"grant":"client_credentials","clientId":"me","privateKey":"/no/such-key","issuer":"ISSUER"}`,
			`read the key that "oauth.privateKey" names: `+missing("/no/such-key")),
		Entry("an invalid key", `{"grant":"client_credentials","clientId":"me","privateKey":"-----BEGIN x","issuer":"ISSUER"}`, `"oauth.privateKey" is not a key in PEM`),
		Entry("an assertion that is not there", `{"grant":"jwt-bearer","assertionFile":"/no/such-file","issuer":"ISSUER"}`,
			`read the file that "oauth.assertionFile" names: `+missing("/no/such-file")),
	)

	It("reads the assertion from its file each time", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()
		file := filepath.Join(GinkgoT().TempDir(), "token")
		Expect(os.WriteFile(file, []byte("an-assertion-of-somebody\n"), 0o600)).To(Succeed())
		requests := near.Authorizer(far.server(`{"grant":"jwt-bearer","issuer":"ISSUER","assertionFile":` + strconv.Quote(file) + `,"scopes":["x"]}`))

		Expect(requests.Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())

		Expect(far.form()).To(Equal(url.Values{
			"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {"an-assertion-of-somebody"},
			"scope": {"x"}, "resource": {far.URL + "/mcp"},
		}))
		Expect(near.secrets.Redact("an-assertion-of-somebody")).To(Equal("***"))
	})

	DescribeTable("sends an assertion without a client id when there is none", func(ctx SpecContext, method string) {
		far, near := newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"token_endpoint_auth_methods_supported": []string{method}})
		file := filepath.Join(GinkgoT().TempDir(), "token")
		Expect(os.WriteFile(file, []byte("an-assertion-of-somebody"), 0o600)).To(Succeed())

		Expect(near.Authorizer(far.server(`{"grant":"jwt-bearer","issuer":"ISSUER","assertionFile":`+strconv.Quote(file)+`}`)).
			Refused(ctx, refusal(401, "Bearer"), "", 0)).To(BeTrue())

		Expect(far.form()).NotTo(Or(HaveKey("client_id"), HaveKey("client_secret")))
		Expect(far.basics).To(Equal([]string{":"}))
	},
		Entry("in the form", "client_secret_post"),
		Entry("in a header", "client_secret_basic"),
	)

	It("sends nothing to another authorization server", func(ctx SpecContext) {
		far, other, near := newRemote(), newRemote(), newLoginClient()
		far.documents["/.well-known/oauth-protected-resource/mcp"] = map[string]any{"resource": far.URL + "/mcp", "authorization_servers": []string{other.URL}}

		Expect(near.Authorizer(far.server(bySecret)).Refused(ctx, refusal(401, "Bearer"), "", 0)).Error().NotTo(HaveOccurred())
		Expect(far.form()).To(HaveKeyWithValue("resource", []string{far.URL + "/mcp"}))
		Expect(other.asked()).To(BeEmpty())
	})

	It("does not count as a login of a user", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()

		_, err := near.Begin(ctx, far.server(bySecret), nil, listenAt(callbackAddress))

		Expect(err).To(MatchError(`logins at the server need no user ("oauth.grant" is "client_credentials")`))
	})
})

var _ = Describe("Revoking a login", func() {
	revocable := func() *remote {
		far := newRemote()
		far.documents["/.well-known/oauth-authorization-server"] = far.metadata(map[string]any{"revocation_endpoint": far.URL + "/revoke"})
		return far
	}

	It("tells the authorization server of both tokens", func(ctx SpecContext) {
		far, near := revocable(), newLoginClient()
		record := near.logIn(ctx, far.server(`{}`))
		far.tokens = func(url.Values) (int, string) { return 200, "" }

		Expect(near.Revoke(ctx, far.server(`{}`), record)).To(Succeed())

		Expect(far.forms[1:]).To(Equal([]url.Values{
			{"token": {"refresh-token-1"}, "token_type_hint": {"refresh_token"}, "client_id": {"client-1"}},
			{"token": {"access-token-1"}, "token_type_hint": {"access_token"}, "client_id": {"client-1"}},
		}))
	})

	It("reports a refusal of the authorization server", func(ctx SpecContext) {
		far, near := revocable(), newLoginClient()
		record := near.logIn(ctx, far.server(`{}`))
		far.tokens = func(url.Values) (int, string) { return 503, "" }

		Expect(near.Revoke(ctx, far.server(`{}`), record)).To(MatchError("revoke the login at the authorization server at " + far.URL + ": it answered with 503 Service Unavailable"))
	})

	It("is not possible everywhere, and not needed without tokens", func(ctx SpecContext) {
		far, near := newRemote(), newLoginClient()

		Expect(near.Revoke(ctx, far.server(`{}`), near.logIn(ctx, far.server(`{}`)))).To(MatchError(ContainSubstring("cannot revoke tokens")))
		Expect(near.Revoke(ctx, far.server(`{}`), logins.Record{})).To(Succeed())
	})
})

// missing is the error of the system for a missing file.
func missing(path string) string {
	_, err := os.Stat(path)
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		return failure.Err.Error()
	}
	return "nothing"
}
