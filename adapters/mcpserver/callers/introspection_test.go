package callers_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/tests/spec"
)

// fakeEndpoint validates tokens, without a network.
type fakeEndpoint struct {
	mu     sync.Mutex // guards the fields below
	status int
	answer string
	err    error
	asked  []*http.Request
	forms  []string
	held   chan struct{} // answers wait until it is closed, nil for no wait
}

func (e *fakeEndpoint) RoundTrip(r *http.Request) (*http.Response, error) {
	form, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.asked, e.forms = append(e.asked, r), append(e.forms, string(form))
	status, answer, failure, held := e.status, e.answer, e.err, e.held
	e.mu.Unlock()
	if held != nil {
		<-held
	}
	if failure != nil {
		return nil, failure
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
}

func (e *fakeEndpoint) set(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
}

func (e *fakeEndpoint) questions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.asked)
}

// introspection returns the answer about a good token with these changes; nil takes a member away.
func introspection(changes map[string]any) string {
	GinkgoHelper()
	members := map[string]any{
		"active": true, "sub": "alice", "aud": resourceURL, "exp": time.Now().Add(time.Hour).Unix(), "scope": "mcp:use", "token_type": "Bearer",
	}
	maps.Copy(members, changes)
	maps.DeleteFunc(members, func(_ string, value any) bool { return value == nil })
	return string(spec.Must(json.Marshal(members)))
}

var _ = Describe("A resource whose issuer validates tokens", func() {
	start := func(e *fakeEndpoint, log io.Writer) *callers.Resource {
		GinkgoHelper()
		server := spec.Must(callers.NewResource(callers.ResourceSettings{
			Issuer: issuerURL, Resource: resourceURL, Scopes: []string{"mcp:use"},
			Introspection: &callers.Introspection{Endpoint: "https://idp.test/introspect", ClientID: "work bench", ClientSecret: "s%cret"},
		}, &http.Client{Transport: e}, slog.New(slog.NewTextHandler(log, nil))))
		return server
	}
	verify := func(server *callers.Resource, token string) error {
		_, err := server.Verify(context.Background(), token, "192.0.2.1")
		return err
	}

	// beginVerifying makes as many callers verify different tokens, and gives them up with cancel.
	beginVerifying := func(server *callers.Resource, name string, count int) (results chan error, cancel func()) {
		ctx, cancel := context.WithCancel(context.Background())
		results = make(chan error, count)
		for i := range count {
			go func() {
				_, err := server.Verify(ctx, name+strconv.Itoa(i), "192.0.2.1")
				results <- err
			}()
			synctest.Wait()
		}
		return results, cancel
	}

	It("sends the token and its own credentials, and takes the subject from the answer", func() {
		e := &fakeEndpoint{status: 200, answer: introspection(nil)}
		granted := spec.Must(start(e, io.Discard).Verify(context.Background(), "opaque+token", "192.0.2.1"))
		Expect(granted.Identity).To(Equal(`subject "alice" of ` + issuerURL))
		Expect(granted.Until).To(BeTemporally("~", time.Now().Add(time.Hour+30*time.Second), 10*time.Second))
		Expect(e.forms).To(Equal([]string{"token=opaque%2Btoken&token_type_hint=access_token"}))
		id, secret, _ := e.asked[0].BasicAuth()
		Expect([]string{id, secret}).To(Equal([]string{"work+bench", "s%25cret"}))
	})

	DescribeTable("refuses a token that is not for it", func(changes map[string]any, reason string) {
		err := verify(start(&fakeEndpoint{status: 200, answer: introspection(changes)}, io.Discard), "opaque")

		_, isRefused := errors.AsType[*callers.RefusedError](err)
		Expect(isRefused).To(BeTrue())
		Expect(err).To(MatchError(ContainSubstring(reason)))
	},
		Entry("not active", map[string]any{"active": false}, "not active"),
		Entry("without active", map[string]any{"active": nil}, "not active"),
		Entry("active under another name", map[string]any{"active": nil, "Active": true}, "not active"),
		Entry("of another issuer", map[string]any{"iss": "https://other.test"}, "another issuer"),
		Entry("for another resource", map[string]any{"aud": "https://other.test"}, "not for this resource"),
		Entry("for no resource", map[string]any{"aud": nil}, "not for this resource"),
		Entry("expired", map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}, "expired"),
		Entry("without an expiry", map[string]any{"exp": nil}, "no expiry"),
		Entry("without a subject", map[string]any{"sub": nil}, "no subject"),
		Entry("bound to a key", map[string]any{"cnf": map[string]any{"jkt": "x"}}, "bound to a key"),
		Entry("of another type", map[string]any{"token_type": "DPoP"}, "not a bearer token"),
		Entry("without a scope", map[string]any{"scope": "other"}, "lacks a required scope"),
	)

	DescribeTable("accepts no token by an invalid answer", func(e *fakeEndpoint) {
		log := gbytes.NewBuffer()
		server := start(e, log)
		err := verify(server, "opaque")

		_, isRefused := errors.AsType[*callers.RefusedError](err)
		Expect(err).To(HaveOccurred())
		Expect(isRefused).To(BeFalse(), "%v", err)
		Expect(verify(server, "opaque")).NotTo(Succeed())
		Expect(e.questions()).To(Equal(2), "it is not kept")
		Expect(strings.Count(string(log.Contents()), "does not validate tokens")).To(Equal(1))
		Expect(string(log.Contents())).NotTo(Or(ContainSubstring("opaque"), ContainSubstring("s%cret")))

		e.set(func() { e.status, e.err, e.answer = 200, nil, introspection(nil) })
		Expect(verify(server, "opaque")).To(Succeed())
		Expect(string(log.Contents())).To(ContainSubstring("validates tokens again"))
	},
		Entry("no connection", &fakeEndpoint{err: errors.New("refused")}),
		Entry("another status", &fakeEndpoint{status: 401, answer: `{"active":true}`}),
		Entry("a redirect", &fakeEndpoint{status: 302}),
		Entry("no JSON", &fakeEndpoint{status: 200, answer: "<html>"}),
		Entry("a list", &fakeEndpoint{status: 200, answer: "[true]"}),
		Entry("one name twice", &fakeEndpoint{status: 200, answer: `{"active":false,"active":true}`}),
		Entry("too much", &fakeEndpoint{status: 200, answer: `{"x":"` + strings.Repeat("x", 64<<10) + `"}`}),
	)

	It("asks about a token once in 30 seconds, and never after it expired", spec.InBubble(func(*testing.T) {
		e := &fakeEndpoint{status: 200, answer: introspection(nil)}
		server := start(e, io.Discard)
		for range 3 {
			Expect(verify(server, "opaque")).To(Succeed())
		}
		Expect(e.questions()).To(Equal(1))
		e.set(func() { e.answer = `{"active":false}` })
		time.Sleep(29 * time.Second)
		Expect(verify(server, "opaque")).To(Succeed())
		time.Sleep(2 * time.Second)
		Expect(verify(server, "opaque")).To(MatchError("the token is not active"))
		Expect(verify(server, "opaque")).To(MatchError("the token is not active"))
		Expect(e.questions()).To(Equal(2), "a refusal counts as long")

		e.set(func() { e.answer = introspection(map[string]any{"exp": time.Now().Add(-20 * time.Second).Unix()}) })
		Expect(verify(server, "short")).To(Succeed(), "clocks may differ by 30 seconds")
		time.Sleep(15 * time.Second)
		Expect(verify(server, "short")).To(MatchError("the token has expired"))
		Expect(e.questions()).To(Equal(3))
	}))

	It("asks once for all callers with the same token, about eight tokens at a time, and leaves no caller waiting", spec.InBubble(func(*testing.T) {
		e := &fakeEndpoint{status: 200, answer: introspection(nil), held: make(chan struct{})}
		server := start(e, io.Discard)
		results := make(chan error, 22)
		for i := range 22 {
			go func() { results <- verify(server, "opaque"+strconv.Itoa(i/2)) }()
		}
		synctest.Wait()
		Expect(e.questions()).To(Equal(8))
		given, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := server.Verify(given, "opaque0", "192.0.2.1")
		Expect(err).To(MatchError(context.Canceled))

		time.Sleep(11 * time.Second)
		synctest.Wait()
		Expect(results).To(HaveLen(6), "those that no question could be asked for")
		for range 6 {
			Expect(<-results).To(MatchError(ContainSubstring("too many questions")))
		}
		close(e.held)
		for range 16 {
			Expect(<-results).NotTo(HaveOccurred())
		}
	}))

	It("lets 64 questions wait, refuses others at once, ends a question with its last caller, and asks about known tokens first", Label("SH06"), spec.InBubble(func(*testing.T) {
		e := &fakeEndpoint{status: 200, answer: introspection(nil)}
		server := start(e, io.Discard)
		Expect(verify(server, "known")).To(Succeed())
		time.Sleep(40 * time.Second) // the answer about it has expired
		e.set(func() { e.held = make(chan struct{}) })
		results, cancel := beginVerifying(server, "unknown", 200)
		Expect(results).To(HaveLen(200-8-64), "they are refused at once")
		for range 200 - 8 - 64 {
			Expect(<-results).To(MatchError(ContainSubstring("too many questions")))
		}
		known := make(chan error, 1)
		go func() { known <- verify(server, "known") }()
		synctest.Wait()

		close(e.held)
		Expect(<-known).To(Succeed())
		cancel()
		synctest.Wait()
		Expect(results).To(HaveLen(8+64), "one was given up for the known one")
	}))

	It("lets sources of new tokens take turns, and none of them has more than a half while another one waits", Label("SH06"), spec.InBubble(func(*testing.T) {
		e := &fakeEndpoint{status: 200, answer: introspection(nil), held: make(chan struct{})}
		server := start(e, io.Discard)
		type outcome struct {
			source string
			err    error
		}
		results := make(chan outcome, 1000)
		begin := func(source string, count int) {
			for i := range count {
				go func() {
					_, err := server.Verify(context.Background(), "token"+strconv.Itoa(i)+source, source)
					results <- outcome{source, err}
				}()
				synctest.Wait()
			}
		}
		begin("many", 8+64)
		Expect(results).To(BeEmpty(), "a single source can use all of it")

		begin("another", 40)

		refused := map[string]int{}
		for range len(results) {
			over := <-results
			Expect(over.err).To(MatchError(ContainSubstring("too many questions")))
			refused[over.source]++
		}
		Expect(refused).To(Equal(map[string]int{"many": 32, "another": 8}))
		close(e.held)
		synctest.Wait()
		Expect(results).To(HaveLen(8 + 64))
	}))

	It("ends a question whose callers are gone, and asks again", Label("SH06"), spec.InBubble(func(*testing.T) {
		e := &fakeEndpoint{status: 200, answer: introspection(nil)}
		server := start(e, io.Discard)
		e.set(func() { e.held = make(chan struct{}) })
		results, cancel := beginVerifying(server, "gone", 72)
		cancel()
		synctest.Wait()
		Expect(results).To(HaveLen(72))
		close(e.held)
		e.set(func() { e.held = nil })
		synctest.Wait()
		asked := e.questions()

		Expect(verify(server, "gone71")).To(Succeed())

		Expect(asked).To(Equal(8), "those that waited were never asked about")
	}))

	It("refuses a token over 2 KiB without a question", Label("SH06"), func() {
		e := &fakeEndpoint{status: 200, answer: introspection(nil)}

		Expect(verify(start(e, io.Discard), strings.Repeat("x", 2049))).To(MatchError("the token is too long"))
		Expect(e.questions()).To(BeZero())
	})

	It("keeps a bounded number of answers", func() {
		e := &fakeEndpoint{status: 200, answer: introspection(nil)}
		server := start(e, io.Discard)
		for i := range 1500 {
			Expect(verify(server, "opaque"+strconv.Itoa(i))).To(Succeed())
		}
		for i := range 1500 {
			Expect(verify(server, "opaque"+strconv.Itoa(i))).To(Succeed())
		}
		Expect(e.questions()).To(BeNumerically(">=", 2000), "at most 1,000 of them are kept")
	})
})
