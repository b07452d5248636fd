package oauth_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
)

var _ = DescribeTable("A challenge is read",
	func(expected oauth.Challenge, lines ...string) {
		Expect(oauth.ReadChallenge(http.Header{"Www-Authenticate": lines})).To(Equal(expected))
	},
	Entry("from nothing", oauth.Challenge{}),
	Entry("from Bearer alone", oauth.Challenge{}, "Bearer"),
	Entry("with all parameters", oauth.Challenge{ResourceMetadata: "https://a/b?c=d", Scopes: []string{"x", "y"}, Error: "insufficient_scope"},
		`Bearer error="insufficient_scope", scope="x y x", resource_metadata="https://a/b?c=d", error_description="a, \"b\""`),
	Entry("whatever the case of its names", oauth.Challenge{Error: "invalid_token"}, `bearer ERROR=invalid_token`),
	Entry("between others on its line", oauth.Challenge{Scopes: []string{"x"}, Error: "e"},
		`Basic realm="a, Bearer scope=no", Bearer scope="x", error=e, Digest scope=no, error="no"`),
	Entry("after one whose credentials are not parameters", oauth.Challenge{Scopes: []string{"x"}}, `Negotiate a2V5==, Bearer scope=x`),
	Entry("from several lines", oauth.Challenge{ResourceMetadata: "https://a", Scopes: []string{"x"}},
		`Negotiate`, `Bearer scope="x"`, `Bearer resource_metadata="https://a", scope="y"`),
	Entry("before an unreadable one", oauth.Challenge{Scopes: []string{"x"}}, `Bearer scope="x", ;;, error=e`),
	Entry("with an unterminated string", oauth.Challenge{Scopes: []string{"x", "y"}}, `Bearer scope="x y`),
	Entry("but not from an endless line", oauth.Challenge{Error: "e"}, `Bearer scope="`+strings.Repeat("x ", 5000)+`"`, "Bearer error=e"),
	Entry("with empty scopes as without scopes", oauth.Challenge{}, `Bearer scope=""`),
)
