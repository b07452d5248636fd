package callers_test

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/tests/spec"
)

func newServer(issuer *fakeIssuer, scopes ...string) *callers.Resource {
	GinkgoHelper()
	settings := callers.ResourceSettings{Issuer: issuerURL, Resource: resourceURL, Scopes: scopes}
	return spec.Must(callers.NewResource(settings, issuer.client(), slog.New(slog.DiscardHandler)))
}

// tokenWithHeader returns a token with another first part, and an empty signature if so.
func tokenWithHeader(token, header string, unsigned bool) string {
	parts := strings.Split(token, ".")
	parts[0] = base64.RawURLEncoding.EncodeToString([]byte(header))
	if unsigned {
		parts[2] = ""
	}
	return strings.Join(parts, ".")
}

// signedText returns a token of the issuer with a text in the place of claims.
func signedText(payload string) string {
	GinkgoHelper()
	signer := spec.Must(jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: rsaKey()}, (&jose.SignerOptions{}).WithHeader("kid", "one")))
	object := spec.Must(signer.Sign([]byte(payload)))
	return spec.Must(object.CompactSerialize())
}

var _ = Describe("A resource", func() {
	good := func(changes map[string]any) string { return signedToken(rsaKey(), jose.RS256, "one", claims(changes)) }
	verify := func(text string, scopes ...string) (string, error) {
		issuer := newFakeIssuer(public(rsaKey().Public(), "one", ""))
		caller, err := newServer(issuer, scopes...).Verify(context.Background(), text, "192.0.2.1")
		return caller.Identity, err
	}

	It("accepts a token that the issuer made for it, for any subject", func() {
		identity := spec.Must(verify(good(nil), "mcp:use"))
		Expect(identity).To(Equal(`subject "alice" of ` + issuerURL))

		Expect(spec.Must(verify(good(map[string]any{"jti": "another"})))).To(Equal(identity))
		Expect(spec.Must(verify(good(map[string]any{"sub": "bob"})))).NotTo(Equal(identity))
	})

	It("grants access until the token has expired", func() {
		until := time.Now().Add(time.Hour).Truncate(time.Second)
		issuer := newFakeIssuer(public(rsaKey().Public(), "one", ""))

		caller := spec.Must(newServer(issuer).Verify(context.Background(), good(map[string]any{"exp": until.Unix()}), "192.0.2.1"))
		Expect(caller.Until).To(BeTemporally("==", until.Add(30*time.Second)), "with what clocks may differ by")
	})

	It("accepts an issuer without a path with and without its slash", func() {
		issuer := newFakeIssuer(public(rsaKey().Public(), "one", ""))
		issuer.metadata["issuer"], issuer.places = "https://idp.test/", []string{"https://idp.test/.well-known/oauth-authorization-server"}
		settings := callers.ResourceSettings{Issuer: "https://idp.test", Resource: resourceURL}
		server := spec.Must(callers.NewResource(settings, issuer.client(), slog.New(slog.DiscardHandler)))

		for _, named := range []string{"https://idp.test", "https://idp.test/"} {
			caller := spec.Must(server.Verify(context.Background(), good(map[string]any{"iss": named}), "192.0.2.1"))
			Expect(caller.Identity).To(Equal(`subject "alice" of https://idp.test`), "both are one caller")
		}
	})

	DescribeTable("accepts the forms that issuers write",
		func(changes map[string]any) {
			Expect(verify(good(changes), "mcp:use")).Error().NotTo(HaveOccurred())
		},
		Entry("for several resources", map[string]any{"aud": []string{"other", resourceURL}}),
		Entry("scopes in a list", map[string]any{"scope": nil, "scp": []string{"mcp:use"}}),
		Entry("scopes in another member", map[string]any{"scope": nil, "scp": "a mcp:use"}),
		Entry("a clock that is a little ahead", map[string]any{"nbf": time.Now().Add(20 * time.Second).Unix()}),
		Entry("a time with a fraction", map[string]any{"exp": float64(time.Now().Add(time.Minute).Unix()) + 0.5}),
	)

	DescribeTable("refuses a token that is broken", Label("T07"),
		func(token func() string, reason string) {
			_, err := verify(token(), "mcp:use")
			var refused *callers.RefusedError
			Expect(errors.As(err, &refused)).To(BeTrue(), "%v", err)
			Expect(refused.NeedsScope).To(BeFalse())
			Expect(refused.Reason).To(ContainSubstring(reason))
			Expect(refused.Reason).To(MatchRegexp(`^[a-zA-Z0-9 ,]+$`), "it goes into a quoted header")
		},
		Entry("not a token", func() string { return "opaque" }, "is not a JWT"),
		Entry("nothing but dots", func() string { return ".." }, "is not a JWT"),
		Entry("two parts", func() string { return good(nil)[:strings.LastIndex(good(nil), ".")] }, "is not a JWT"),
		Entry("five parts, as if encrypted", func() string { return good(nil) + ".a.b" }, "is not a JWT"),
		Entry("very long", func() string { return good(map[string]any{"a": strings.Repeat("a", 20000)}) }, "too long"),
		Entry("without a signature", func() string { return tokenWithHeader(good(nil), `{"alg":"none"}`, true) }, "is not a JWT"),
		Entry("with none in another case", func() string { return tokenWithHeader(good(nil), `{"alg":"nOnE","kid":"one"}`, true) }, "is not a JWT"),
		Entry("with an empty signature", func() string { return tokenWithHeader(good(nil), `{"alg":"RS256","kid":"one"}`, true) }, "signature"),
		Entry("with another header", func() string { return tokenWithHeader(good(nil), `{"alg":"RS256","kid":"one","a":1}`, false) }, "signature"),
		Entry("with a shared secret, the text of the public key", func() string {
			der := spec.Must(x509.MarshalPKIXPublicKey(rsaKey().Public()))
			secret := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
			return signedToken(secret, jose.HS256, "one", claims(nil))
		}, "is not a JWT"),
		Entry("signed by a key that it contains", func() string {
			options := &jose.SignerOptions{EmbedJWK: true}
			return signedWith(otherKey(), jose.RS256, options, claims(nil))
		}, "signature"),
		Entry("signed by a key of another issuer", func() string { return signedToken(otherKey(), jose.RS256, "one", claims(nil)) }, "signature"),
		Entry("signed by an unknown key", func() string { return signedToken(rsaKey(), jose.RS256, "two", claims(nil)) }, "signature"),
		Entry("with an extension that must be understood", func() string {
			return tokenWithHeader(good(nil), `{"alg":"RS256","kid":"one","crit":["b64"],"b64":false}`, false)
		}, ""),
		Entry("a token for logging out", func() string {
			return signedWith(rsaKey(), jose.RS256, (&jose.SignerOptions{}).WithType("logout+jwt").WithHeader("kid", "one"), claims(nil))
		}, "not an access token"),
		Entry("of another issuer", func() string { return good(map[string]any{"iss": "https://idp.test"}) }, "another issuer"),
		Entry("of an issuer with an extra slash", func() string { return good(map[string]any{"iss": issuerURL + "/"}) }, "another issuer"),
		Entry("of no issuer", func() string { return good(map[string]any{"iss": nil}) }, "another issuer"),
		Entry("for another resource", func() string { return good(map[string]any{"aud": "https://other.test/mcp"}) }, "not for this resource"),
		Entry("for an address that begins like the resource", func() string { return good(map[string]any{"aud": resourceURL + "/a"}) }, "not for this resource"),
		Entry("without an audience", func() string { return good(map[string]any{"aud": nil}) }, "not for this resource"),
		Entry("expired", func() string { return good(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}) }, "expired"),
		Entry("without an expiry", func() string { return good(map[string]any{"exp": nil}) }, "no expiry"),
		Entry("an expiry that is not a number", func() string { return good(map[string]any{"exp": "soon"}) }, "claims"),
		Entry("not valid yet", func() string { return good(map[string]any{"nbf": time.Now().Add(time.Minute).Unix()}) }, "not valid yet"),
		Entry("issued tomorrow", func() string { return good(map[string]any{"iat": time.Now().Add(24 * time.Hour).Unix()}) }, "not valid yet"),
		Entry("without a subject", func() string { return good(map[string]any{"sub": nil}) }, "no subject"),
		Entry("scopes of a wrong kind", func() string { return good(map[string]any{"scope": 5}) }, "claims"),
		Entry("claims that are not an object", func() string { return signedText(`["a"]`) }, "claims"),
	)

	DescribeTable("reads claims exactly", Label("TH08"),
		func(members, reason string) {
			_, err := verify(signedText(fmt.Sprintf(members, strconv.Quote(issuerURL), strconv.Quote(resourceURL))))
			if reason == "" {
				Expect(err).NotTo(HaveOccurred())
				return
			}
			var refused *callers.RefusedError
			Expect(errors.As(err, &refused)).To(BeTrue(), "%v", err)
			Expect(refused.Reason).To(ContainSubstring(reason))
		},
		Entry("as they are", `{"iss":%s,"aud":%s,"sub":"alice","exp":4000000000}`, ""),
		Entry("names in another case beside the valid ones",
			`{"aud":"https://other.test","sub":"mallory","exp":1000,"iss":%s,"Aud":%s,"Sub":"alice","Exp":4000000000}`, "not for this resource"),
		Entry("names in another case only", `{"iss":%s,"aud":%s,"Sub":"alice","exp":4000000000}`, "no subject"),
		Entry("names with letters that fold to others", `{"iss":%s,"aud":%s,"ſub":"alice","exp":4000000000}`, "no subject"),
		Entry("an issuer name in another case", `{"Iss":%s,"iss":"https://evil.test","aud":%s,"sub":"alice","exp":4000000000}`, "another issuer"),
		Entry("a subject twice", `{"iss":%s,"aud":%s,"sub":"mallory","sub":"alice","exp":4000000000}`, "claims"),
		Entry("a subject twice, once in escapes", `{"iss":%s,"aud":%s,"sub":"mallory","s\u0075b":"alice","exp":4000000000}`, "claims"),
		Entry("something else twice", `{"iss":%s,"aud":%s,"sub":"alice","exp":4000000000,"x":1,"x":2}`, "claims"),
	)

	DescribeTable("accepts only bearer tokens", Label("TH08"),
		func(token func() string, reason string) {
			_, err := verify(token())
			var refused *callers.RefusedError
			Expect(errors.As(err, &refused)).To(BeTrue(), "%v", err)
			Expect(refused.Reason).To(ContainSubstring(reason))
		},
		Entry("one with the thumbprint of a key", func() string { return good(map[string]any{"cnf": map[string]any{"jkt": "abc"}}) }, "bound to a key"),
		Entry("one with that of a certificate", func() string { return good(map[string]any{"cnf": map[string]any{"x5t#S256": "abc"}}) }, "bound to a key"),
		Entry("one with an invalid key", func() string { return good(map[string]any{"cnf": "abc"}) }, "bound to a key"),
		Entry("a type that is not a string", func() string {
			return signedWith(rsaKey(), jose.RS256, (&jose.SignerOptions{}).WithHeader("typ", 5).WithHeader("kid", "one"), claims(nil))
		}, "not an access token"),
	)

	DescribeTable("requires every scope",
		func(changes map[string]any) {
			_, err := verify(good(changes), "mcp:use", "mcp:read")
			var refused *callers.RefusedError
			Expect(errors.As(err, &refused)).To(BeTrue())
			Expect(refused.NeedsScope).To(BeTrue())
		},
		Entry("one of them", map[string]any{}),
		Entry("none", map[string]any{"scope": nil}),
		Entry("both in one word", map[string]any{"scope": "mcp:use,mcp:read"}),
		Entry("longer names", map[string]any{"scope": "mcp:use mcp:readable"}),
	)

	It("quotes the subject of a token in its identity", func() {
		identity := spec.Must(verify(good(map[string]any{"sub": "a\" of https://other.test\nb"})))
		Expect(identity).To(Equal(`subject "a\" of https://other.test\nb" of ` + issuerURL))
	})
})
