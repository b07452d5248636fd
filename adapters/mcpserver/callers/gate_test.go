package callers_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/callers"
)

// fakeVerifier knows one token, "jwt", and answers others with its failure.
type fakeVerifier struct {
	failure error
	sources *[]string // of the tokens, nil if they do not matter
}

func (v fakeVerifier) Verify(_ context.Context, token, source string) (callers.Access, error) {
	if v.sources != nil {
		*v.sources = append(*v.sources, source)
	}
	if token == "jwt" {
		return callers.Access{Identity: "alice"}, nil
	}
	return callers.Access{}, v.failure
}

func (fakeVerifier) Challenge() string { return `resource_metadata="https://mcp.test/x"` }

var _ = Describe("A gate", func() {
	var (
		logged *gbytes.Buffer
		log    *slog.Logger
		got    []callers.Access
	)
	ci := callers.Token{Name: "ci", Value: "value-of-ci", Toolboxes: []string{"build"}}
	everything := callers.Token{Name: "all", Value: "value-of-all"}

	BeforeEach(func() {
		logged, got = gbytes.NewBuffer(), nil
		log = slog.New(slog.NewTextHandler(logged, nil))
	})

	ask := func(gate *callers.Gate, target string, authorization ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodPost, target, nil)
		request.Header["Authorization"] = authorization
		answer := httptest.NewRecorder()
		gate.Authenticate(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = append(got, callers.AccessOf(r.Context()))
		})).ServeHTTP(answer, request)
		return answer
	}

	It("grants a token its toolboxes, with nil for all", func() {
		gate := callers.NewGate([]callers.Token{ci, everything}, nil, callers.NewRefusals(log), log)

		Expect(ask(gate, "/mcp", "Bearer value-of-ci").Code).To(Equal(200))
		Expect(ask(gate, "/mcp", "bearer  value-of-all").Code).To(Equal(200))

		Expect(got).To(HaveLen(2))
		Expect(got[0].Toolboxes).To(Equal([]string{"build"}))
		Expect(got[1].Toolboxes).To(BeNil())
		Expect(got[0].Identity).NotTo(Equal(got[1].Identity))
	})

	DescribeTable("refuses everything but known tokens, and does not repeat what it received", Label("T03"),
		func(target string, authorization ...string) {
			gate := callers.NewGate([]callers.Token{ci, {Name: "unset"}}, nil, callers.NewRefusals(log), log)

			answer := ask(gate, target, authorization...)

			Expect(got).To(BeEmpty())
			Expect(answer.Code).To(Equal(401))
			Expect(answer.Header().Get("WWW-Authenticate")).To(HavePrefix("Bearer "))
			Expect(answer.Body.String()).To(HavePrefix(`{"jsonrpc":"2.0","id":null,"error":`))
			for _, text := range []string{answer.Body.String(), string(logged.Contents())} {
				Expect(text).NotTo(Or(ContainSubstring("s3cret"), ContainSubstring("value-of-ci")))
			}
		},
		Entry("nothing", "/mcp"),
		Entry("an empty header", "/mcp", ""),
		Entry("an empty token, as from an unset variable", "/mcp", "Bearer "),
		Entry("a scheme alone", "/mcp", "Bearer"),
		Entry("another scheme", "/mcp", "Basic s3cret"),
		Entry("another token", "/mcp", "Bearer s3cret"),
		Entry("more than the token", "/mcp", "Bearer value-of-cis3cret"),
		Entry("part of the token", "/mcp", "Bearer value-of-c"),
		Entry("the token's name", "/mcp", "Bearer ci"),
		Entry("another case", "/mcp", "Bearer VALUE-OF-CI"),
		Entry("the token in the address", "/mcp?access_token=value-of-ci"),
		Entry("the token without a scheme", "/mcp", "value-of-ci"),
		Entry("two tokens, one of them right", "/mcp", "Bearer value-of-ci", "Bearer s3cret"),
	)

	It("admits every caller when nothing is configured", func() {
		gate := callers.NewGate(nil, nil, callers.NewRefusals(log), log)

		Expect(ask(gate, "/mcp").Code).To(Equal(200))
		Expect(got).To(HaveLen(1))
		Expect(got[0].Identity).To(BeEmpty())
		Expect(got[0].Toolboxes).To(BeNil())
	})

	It("refuses requests from a proxy when nothing is configured", Label("TH05"), func() {
		gate := callers.NewGate(nil, nil, callers.NewRefusals(log), log)
		for header, status := range map[string]int{"forwarded": 403, "x-forwarded-for": 403, "X-Real-Ip": 403, "X-Request-Id": 200} {
			request := httptest.NewRequest(http.MethodPost, "/mcp", nil)
			request.Header.Set(header, "")
			answer := httptest.NewRecorder()
			gate.Authenticate(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(answer, request)
			Expect(answer.Code).To(Equal(status), header)
		}
	})

	It("asks the verifier about other tokens, and says where to get one", func() {
		gate := callers.NewGate([]callers.Token{ci}, fakeVerifier{failure: &callers.RefusedError{Reason: "the token has expired"}}, callers.NewRefusals(log), log)

		Expect(ask(gate, "/mcp", "Bearer jwt").Code).To(Equal(200))
		Expect(got).To(Equal([]callers.Access{{Identity: "alice"}}))
		Expect(ask(gate, "/mcp").Header().Get("WWW-Authenticate")).To(Equal(`Bearer resource_metadata="https://mcp.test/x"`))
		refused := ask(gate, "/mcp", "Bearer other")
		Expect(refused.Code).To(Equal(401))
		Expect(refused.Header().Get("WWW-Authenticate")).To(
			Equal(`Bearer error="invalid_token", error_description="the token has expired", resource_metadata="https://mcp.test/x"`))
	})

	DescribeTable("tells the verifier from where a token comes", func(from, source string) {
		var sources []string
		gate := callers.NewGate(nil, fakeVerifier{sources: &sources}, callers.NewRefusals(log), log)
		request := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		request.RemoteAddr = from
		request.Header.Set("Authorization", "Bearer jwt")
		request.Header.Set("X-Forwarded-For", "198.51.100.7") // which every caller can send

		gate.Authenticate(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(httptest.NewRecorder(), request)

		Expect(sources).To(Equal([]string{source}))
	},
		Entry("an address, without its port", "192.0.2.9:1234", "192.0.2.9"),
		Entry("the same address in IPv6", "[::ffff:192.0.2.9]:1234", "192.0.2.9"),
		Entry("a network, since a machine has all its addresses", "[2001:db8:1:2:3:4:5:6]:1234", "2001:db8:1:2::/64"),
		Entry("a link", "[fe80::1%eth0]:1234", "fe80::/64"),
		Entry("a socket without an address", "@", "@"),
	)

	It("reports a missing scope, and an issuer that cannot be reached", func() {
		narrow := callers.NewGate(nil, fakeVerifier{failure: &callers.RefusedError{NeedsScope: true, Reason: "more scopes"}}, callers.NewRefusals(log), log)
		answer := ask(narrow, "/mcp", "Bearer other")
		Expect(answer.Code).To(Equal(403))
		Expect(answer.Header().Get("WWW-Authenticate")).To(HavePrefix(`Bearer error="insufficient_scope"`))

		away := callers.NewGate(nil, fakeVerifier{failure: errors.New("no route to 10.0.0.9")}, callers.NewRefusals(log), log)
		answer = ask(away, "/mcp", "Bearer other")
		Expect(answer.Code).To(Equal(503))
		Expect(answer.Header().Get("Retry-After")).NotTo(BeEmpty())
		Expect(answer.Header()).NotTo(HaveKey("Www-Authenticate"))
		Expect(answer.Body.String()).NotTo(ContainSubstring("10.0.0.9"))
	})

	Describe("whose tokens change", Label("T06"), func() {
		It("keeps unchanged ones, and ends changed ones", func() {
			gate := callers.NewGate([]callers.Token{ci, everything}, nil, callers.NewRefusals(log), log)
			ask(gate, "/mcp", "Bearer value-of-ci")
			ask(gate, "/mcp", "Bearer value-of-all")
			rotated := everything
			rotated.Value = "another-value"

			ended := gate.SetTokens([]callers.Token{ci, rotated})

			Expect(ended(got[0])).To(BeFalse())
			Expect(ended(got[1])).To(BeTrue())
			Expect(ask(gate, "/mcp", "Bearer value-of-all").Code).To(Equal(401))
			Expect(ask(gate, "/mcp", "Bearer value-of-ci").Code).To(Equal(200))
			Expect(ask(gate, "/mcp", "Bearer another-value").Code).To(Equal(200))
			Expect(got[2]).To(Equal(got[0]))
			Expect(got[3].Identity).NotTo(Equal(got[1].Identity))
		})

		It("ends a token whose toolboxes changed, and reports the added ones", func() {
			gate := callers.NewGate([]callers.Token{ci}, nil, callers.NewRefusals(log), log)
			ask(gate, "/mcp", "Bearer value-of-ci")
			more := ci
			more.Toolboxes = []string{"build", "deploy"}

			Expect(gate.SetTokens([]callers.Token{more})(got[0])).To(BeTrue())
			Expect(logged).To(gbytes.Say(`level=WARN msg="a token is new or has other toolboxes than before" token=ci`))
			ask(gate, "/mcp", "Bearer value-of-ci")
			Expect(got[1].Toolboxes).To(Equal([]string{"build", "deploy"}))
		})

		It("does not confuse all toolboxes with none", func() {
			gate := callers.NewGate([]callers.Token{everything}, nil, callers.NewRefusals(log), log)
			ask(gate, "/mcp", "Bearer value-of-all")
			none := everything
			none.Toolboxes = []string{}

			Expect(gate.SetTokens([]callers.Token{none})(got[0])).To(BeTrue())
			ask(gate, "/mcp", "Bearer value-of-all")
			Expect(got[1].Toolboxes).To(And(BeEmpty(), Not(BeNil())))
		})

		It("revokes the access of requests in flight", func() {
			gate := callers.NewGate([]callers.Token{ci}, nil, callers.NewRefusals(log), log)
			arrived, ended := make(chan struct{}), make(chan struct{})
			request := httptest.NewRequest(http.MethodGet, "/mcp", nil)
			request.Header.Set("Authorization", "Bearer value-of-ci")
			go gate.Authenticate(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(arrived)
				<-callers.AccessOf(r.Context()).Revoked
				close(ended)
			})).ServeHTTP(httptest.NewRecorder(), request)
			Eventually(arrived).Should(BeClosed())

			gate.SetTokens(nil)

			Eventually(ended).Should(BeClosed())
		})

		It("admits no caller after the last token was removed", func() {
			gate := callers.NewGate([]callers.Token{ci}, nil, callers.NewRefusals(log), log)
			gate.SetTokens(nil)
			Expect(ask(gate, "/mcp").Code).To(Equal(401))
			gate.SetTokens([]callers.Token{{Name: "ci"}})
			Expect(ask(gate, "/mcp", "Bearer ").Code).To(Equal(401))
		})

		It("requires a token once there is one, and ends access without one", func() {
			gate := callers.NewGate(nil, nil, callers.NewRefusals(log), log)
			ask(gate, "/mcp")

			Expect(gate.SetTokens([]callers.Token{ci})(got[0])).To(BeTrue())
			Expect(ask(gate, "/mcp").Code).To(Equal(401))
			Expect(gate.SetTokens(nil)(callers.Access{})).To(BeFalse())
			Expect(ask(gate, "/mcp").Code).To(Equal(401))
		})
	})
})
