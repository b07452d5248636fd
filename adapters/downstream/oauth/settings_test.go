package oauth_test

import (
	"encoding/json"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/domain"
)

var _ = Describe("The settings of logins", func() {
	DescribeTable("are accepted", func(settings string) {
		Expect(oauth.Check(json.RawMessage(settings))).To(Succeed())
	},
		Entry("nothing", `{}`),
		Entry("off", `false`),
		Entry("a registered client", `{"clientId":"a","clientSecret":"b","issuer":"https://as.example","callbackPort":8080,"scopes":["a","b"]}`),
		Entry("variables", `{"clientId":"${A}","issuer":"${B}","callbackPort":"${C}","grant":"${D}","clientMetadataUrl":"${F}"}`),
		Entry("a port as text", `{"callbackPort":"8080"}`),
		Entry("a client without a user", `{"grant":"client_credentials","clientId":"a","privateKey":"/key.pem","issuer":"https://as.example"}`),
		Entry("an assertion with an issuer", `{"grant":"jwt-bearer","assertionFile":"/var/run/token","issuer":"https://as.example"}`),
		Entry("a note", `{"_note":"x"}`),
	)

	DescribeTable("are refused", func(settings, key, found string) {
		problem, ok := errors.AsType[*domain.SettingError](oauth.Check(json.RawMessage(settings)))

		Expect(ok).To(BeTrue())
		Expect(problem.Key).To(HaveExactElements("oauth", key))
		Expect(problem.Found).To(Equal(found))
	},
		Entry("a number", `{"clientId":1}`, "clientId", "a number"),
		Entry("an empty text", `{"account":""}`, "account", "an empty string"),
		Entry("an issuer over plain http", `{"issuer":"http://as.example/x"}`, "issuer", "plain http to http://as.example, which anyone on the way could read"),
		Entry("an issuer of another kind", `{"issuer":"javascript:alert(1)"}`, "issuer", "not an address that can be used"),
		Entry("a redirect to another machine", `{"redirectUri":"http://example.com/"}`, "redirectUri", "plain http to http://example.com, which anyone on the way could read"),
		Entry("an invalid port", `{"callbackPort":70000}`, "callbackPort", "something else"),
		Entry("a port and a redirect", `{"callbackPort":1,"redirectUri":"http://127.0.0.1:1/"}`, "callbackPort", `this together with "redirectUri"`),
		Entry("a document that is not on the web", `{"clientMetadataUrl":"http://127.0.0.1/x"}`, "clientMetadataUrl", "another address"),
		Entry("an unknown grant", `{"grant":"password"}`, "grant", "an unknown grant"),
		Entry("a grant without a client", `{"grant":"client_credentials","clientSecret":"x"}`, "clientId", "nothing"),
		Entry("a grant with neither secret nor key", `{"grant":"client_credentials","clientId":"x"}`, "grant", "this grant"),
		Entry("a grant with both", `{"grant":"client_credentials","clientId":"x","clientSecret":"x","privateKey":"x"}`, "grant", "this grant"),
		Entry("an assertion without its file", `{"grant":"jwt-bearer"}`, "assertionFile", "nothing"),
		Entry("a key that no grant uses", `{"clientId":"x","privateKey":"x"}`, "privateKey", "this without its grant"),
		Entry("an assertion that no grant uses", `{"assertionFile":"x"}`, "assertionFile", "this without its grant"),
		Entry("a secret without a client", `{"clientSecret":"x"}`, "clientSecret", "a secret without a client"),
		Entry("a client's secret without an issuer", `{"grant":"client_credentials","clientId":"x","clientSecret":"x"}`, "issuer", "nothing"),
		Entry("a client's key without an issuer", `{"grant":"client_credentials","clientId":"x","privateKey":"x"}`, "issuer", "nothing"),
		Entry("a client's key with a variable grant, without an issuer", `{"grant":"${G}","clientId":"x","privateKey":"x"}`, "issuer", "nothing"),
		Entry("an assertion without an issuer", `{"grant":"jwt-bearer","assertionFile":"x"}`, "issuer", "nothing"),
		Entry("an unknown key", `{"clientID":"x"}`, "clientID", "an unknown key"),
	)

	It("are an object or false", func() {
		for _, settings := range []string{`true`, `"x"`, `[]`, `null`} {
			Expect(oauth.Check(json.RawMessage(settings))).NotTo(Succeed(), settings)
		}
	})

	DescribeTable("apply only where a login is possible", func(settings string, expected error) {
		_, err := oauth.ServerOf(domain.Server{Settings: json.RawMessage(settings)})

		if expected == nil {
			Expect(err).NotTo(HaveOccurred())
			return
		}
		Expect(err).To(MatchError(expected))
	},
		Entry("a server behind a URL", `{"url":"https://example.com/mcp"}`, nil),
		Entry("a program", `{"command":"x"}`, oauth.ErrNoAddress),
		Entry("turned off", `{"url":"https://example.com/mcp","oauth":false}`, oauth.ErrOff),
		Entry("an Authorization header", `{"url":"https://example.com/mcp","headers":{"authorization":"x"}}`, oauth.ErrHasAuthorization),
		Entry("a user in the URL", `{"url":"https://me:secret@example.com/mcp"}`, oauth.ErrHasAuthorization),
	)

	DescribeTable("tell logins apart", func(first, other string, same bool) {
		key := func(settings string) any {
			server, err := oauth.ServerOf(domain.Server{Settings: json.RawMessage(settings)})
			Expect(err).NotTo(HaveOccurred())
			return server.Key()
		}

		Expect(key(first) == key(other)).To(Equal(same))
	},
		Entry("one address written in two ways", `{"url":"https://Example.com:443/mcp?x=1"}`, `{"url":"https://example.com/mcp#y"}`, true),
		Entry("the root", `{"url":"https://example.com/"}`, `{"url":"https://example.com"}`, true),
		Entry("white space around it", `{"url":" https://example.com/mcp\n"}`, `{"url":"https://example.com/mcp"}`, true),
		Entry("a space in it", `{"url":"https://example.com/my mcp"}`, `{"url":"https://example.com/my%20mcp"}`, true),
		Entry("a name with other letters than those of ASCII", `{"url":"https://B\u00fccher.example/mcp"}`, `{"url":"https://xn--bcher-kva.example/mcp"}`, true),
		Entry("two paths", `{"url":"https://example.com/a"}`, `{"url":"https://example.com/b"}`, false),
		Entry("two accounts", `{"url":"https://example.com","oauth":{"account":"a"}}`, `{"url":"https://example.com"}`, false),
		Entry("two clients", `{"url":"https://example.com","oauth":{"clientId":"a"}}`, `{"url":"https://example.com"}`, false),
	)
})
