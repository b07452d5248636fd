package oauth_test

import (
	"fmt"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
)

var _ = Describe("Secrets that servers give", func() {
	DescribeTable("leave no words out of messages", func(given string) {
		secrets := &oauth.Secrets{}
		secrets.Learn(given)

		message := `level=WARN msg="a request was refused" from=203.0.113.100:38634 status=401 reason="the token is not known" ` +
			`from=[2001:db8:85a3:8d3:1319:8a2e:370:7348]:38634 forwarded=some-token-1234,203.0.113.100 (http.maxSessionsPerIdentity raises it) ` + given
		Expect(secrets.Redact(message)).To(Equal(message))
	},
		Entry("of a sentence", "a request was refused"), Entry("one word", "requests"), Entry("of the log", "level=WARN msg="),
		Entry("an address", "127.0.0.1:38634"), Entry("a status", "status=401"), Entry("a quote", `reason="the-token-is-not-known"`),
		Entry("an attribute with an address", "from=203.0.113.100:"), Entry("a long address", "2001:db8:85a3:8d3:1319:8a2e:370:7348"),
		Entry("an address and what precedes it", "some-token-1234,203.0.113.100"), Entry("a key", "http.maxSessionsPerIdentity"),
		Entry("an address of a server", "http://127.0.0.1:8080/mcp"),
		Entry("of more bytes than a token has", strings.Repeat("a1", 9000)),
	)

	DescribeTable("are hidden in every usual form", func(given string) {
		secrets := &oauth.Secrets{}
		secrets.Learn(given)

		Expect(secrets.Redact("the server got " + given)).To(Equal("the server got ***"))
	},
		Entry("JWT", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1MSJ9.c2lnbmF0dXJl"), Entry("with padding", "c29tZSBzZWNyZXQgYnl0ZXM9PQ=="),
		Entry("with slashes", "1//0gAbCdEfGhIjKlMnOp-QrStUv"), Entry("with a bar", "17|aBcDeFgHiJkLmNoPqRsTuV"), Entry("short", "abcd1234"),
		Entry("hexadecimal", "0123456789abcdef0123456789abcdef"), Entry("of letters", "aBcDeFgHiJkLmNoPqRsTuVwX"), Entry("with marks", "M.C5_BAY.0.U.-Cr!abc*def$$"),
	)

	It("are hidden in a bounded number and size, those that were seen last", func() {
		secrets := &oauth.Secrets{}
		for i := range 2000 {
			secrets.Learn("a-token-that-stays-in-use")
			secrets.Learn(fmt.Sprintf("token-%d-%s", i, strings.Repeat("x", 16_000)))
		}

		Expect(secrets.Redact("a-token-that-stays-in-use")).To(Equal("***"))
		Expect(secrets.Redact("token-1999-" + strings.Repeat("x", 16_000))).To(Equal("***"))
		Expect(secrets.Redact("token-1-")).To(Equal("token-1-"))
		Expect(secrets.Size()).To(BeNumerically("<=", 1<<20))
	})
})

var _ = Describe("Tokens of an authorization server", func() {
	DescribeTable("are refused", func(ctx SpecContext, access, refresh, why string) {
		far, near := newRemote(), newLoginClient()
		far.tokens = func(url.Values) (int, string) {
			return 200, fmt.Sprintf(`{"access_token":%q,"refresh_token":%q}`, access, refresh)
		}
		pending := near.begin(ctx, far.server(`{}`))

		_, err := near.Complete(ctx, far.server(`{}`), answerOf(pending, "a-code-of-the-server"))

		Expect(err).To(MatchError(ContainSubstring(why)))
	},
		Entry("of many bytes", strings.Repeat("a", 20_000), "r", "more than 16384 bytes"),
		Entry("that refresh with many bytes", "a", strings.Repeat("a", 20_000), "more than 16384 bytes"),
		Entry("that refresh with blanks", "a", "a request was refused", "cannot be sent in a header"),
	)
})
