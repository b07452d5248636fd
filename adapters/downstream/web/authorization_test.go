package web_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Requests to a server that wants a login", func() {
	// guarded is a server that accepts one token, and remembers what it got.
	type request struct{ authorization, key, body string }
	guarded := func() (far *httptest.Server, requests *[]request) {
		requests = &[]request{}
		far = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			*requests = append(*requests, request{r.Header.Get("Authorization"), r.Header.Get("X-Key"), string(body)})
			if r.Header.Get("Authorization") != "Bearer the-right-token" {
				w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://elsewhere.example/x"`)
				w.WriteHeader(http.StatusUnauthorized)
			}
		}))
		DeferCleanup(far.Close)
		return far, requests
	}
	address := func(far *httptest.Server, other string) (*web.Endpoint, *oauth.Client, oauth.Server) {
		GinkgoHelper()
		server := domain.Server{Settings: json.RawMessage(`{"url":"` + far.URL + `","headers":{"X-Key":"k"}` + other + `}`)}
		secrets, log := &oauth.Secrets{}, slog.New(slog.DiscardHandler)
		client := oauth.New(logins.New(GinkgoT().TempDir(), log, secrets.Learn), "x", secrets, log)
		endpoint := spec.Must(web.NewEndpoint(server, "workbench/test", client, func() {}))
		DeferCleanup(endpoint.Close)
		remote, _ := oauth.ServerOf(server)
		return endpoint, client, remote
	}
	hold := func(ctx SpecContext, client *oauth.Client, server oauth.Server, token string) {
		GinkgoHelper()
		Expect(client.Store.Update(ctx, server.Key(), func(r *logins.Record) error {
			r.AccessToken = token
			return nil
		})).To(Succeed())
	}

	It("are sent without a token first, and fail with advice on what to do", func(ctx SpecContext) {
		far, requests := guarded()
		near, _, _ := address(far, "")

		_, err := near.Do(ctx, "POST", near.Header(), []byte("message"))

		Expect(err).To(MatchError(domain.ErrLoginRequired))
		Expect(*requests).To(Equal([]request{{"", "k", "message"}}))
	})

	It("carry the token of a login from elsewhere, from the next request on", func(ctx SpecContext) {
		far, requests := guarded()
		near, client, server := address(far, "")
		_, err := near.Do(ctx, "POST", near.Header(), []byte("1"))
		Expect(err).To(HaveOccurred())
		hold(ctx, client, server, "the-right-token")

		response := spec.Must(near.Do(ctx, "POST", near.Header(), []byte("2")))
		Expect(response.Body.Close()).To(Succeed())
		Expect(*requests).To(HaveExactElements(request{"", "k", "1"}, request{"Bearer the-right-token", "k", "2"}))
	})

	DescribeTable("are unchanged", func(ctx SpecContext, other, authorization string) {
		far, requests := guarded()
		near, _, _ := address(far, other)

		response := spec.Must(near.Do(ctx, "POST", near.Header(), []byte("1")))
		Expect(response.StatusCode).To(Equal(401))
		Expect(near.Refused(response).Error()).To(ContainSubstring(`"headers" in the configuration`))
		Expect(*requests).To(Equal([]request{{authorization, "k", "1"}}))
	},
		Entry("if they are turned off", `,"oauth":false`, ""),
		Entry("if the configuration sets the Authorization header", `,"headers":{"X-Key":"k","Authorization":"Bearer mine"}`, "Bearer mine"),
	)

	It("fail at once without a login, even if the body of the refusal never ends", func(ctx SpecContext) {
		far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://elsewhere.example/x"`)
			w.WriteHeader(http.StatusUnauthorized)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}))
		DeferCleanup(far.Close)
		near, _, _ := address(far, "")

		_, err := near.Do(ctx, "POST", near.Header(), []byte("1"))

		Expect(err).To(MatchError(domain.ErrLoginRequired))
	}, SpecTimeout(patience))

	It("show nothing of an unusable login", func() {
		_, err := web.NewEndpoint(domain.Server{Settings: json.RawMessage(`{"url":"https://example.com","oauth":{"issuer":"secret-value"}}`)}, "x",
			oauth.New(nil, "x", &oauth.Secrets{}, nil), func() {})

		Expect(err).To(MatchError(ContainSubstring(`its "oauth" is wrong`)))
		Expect(strings.Contains(err.Error(), "secret-value")).To(BeFalse())
	})
})

var _ = Describe("The order of messages", func() {
	ended, end := context.WithCancel(context.Background())
	end()
	// isFree reports whether a place waits for nothing: an ended context is the other
	// way out.
	isFree := func(ticket web.Ticket) bool { return ticket.Wait(ended) }

	It("delays no message without need", func() {
		var sequencer web.Sequencer

		Expect(isFree(sequencer.Ticket())).To(BeTrue())
		Expect(isFree(sequencer.Ticket())).To(BeTrue())
		Expect(isFree(sequencer.Barrier())).To(BeTrue())
	})

	It("keeps later messages behind one that shapes the session", func() {
		var sequencer web.Sequencer
		before := sequencer.Ticket()
		first := sequencer.Barrier()
		after, alsoAfter := sequencer.Ticket(), sequencer.Ticket()
		Expect(isFree(after)).To(BeFalse())

		first.Done()

		Expect(after.Wait(context.Background())).To(BeTrue())
		Expect(alsoAfter.Wait(context.Background())).To(BeTrue())
		before.Done() // no other message waits for it
	})

	It("keeps several of them one behind the other", func() {
		var sequencer web.Sequencer
		first, second := sequencer.Barrier(), sequencer.Barrier()

		first.Done()

		Expect(second.Wait(context.Background())).To(BeTrue())
		second.Done()
		Expect(sequencer.Ticket().Wait(context.Background())).To(BeTrue())
	})

	It("ends with the context", func() {
		var sequencer web.Sequencer
		sequencer.Barrier()

		Expect(sequencer.Ticket().Wait(ended)).To(BeFalse())
	})
})
