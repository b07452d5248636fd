package sse_test

import (
	"io"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Reaching a server over HTTP+SSE", func() {
	It("sends the configured headers with the stream and with every message", func() {
		server := newRaw()
		session := spec.Must(connect(server))

		Expect(use(session).Result).To(Equal("{}"))

		Expect(len(server.headers())).To(BeNumerically(">=", 4))
		for _, header := range server.headers() {
			Expect(header.Get("Authorization")).To(Equal("Bearer very-secret-token"))
		}
	})

	It("sends messages to the address that the stream names, with its query", func() {
		server := newRaw()
		server.address = server.URL + "/messages?session=1"

		session := spec.Must(connect(server))
		Expect(use(session).Result).To(Equal("{}"))
	})

	DescribeTable("fails with one clear line when", func(prepare func(*raw), why string) {
		server := newRaw()
		prepare(server)

		_, err := connect(server)

		Expect(err).To(MatchError(domain.ErrServerUnavailable))
		Expect(domain.Reason(err)).To(ContainSubstring(why))
		Expect(domain.Reason(err)).NotTo(Or(ContainSubstring("\n"), ContainSubstring("very-secret")))
	},
		Entry("the stream names another server for messages", func(s *raw) { s.address = "http://elsewhere.invalid/messages" },
			"refers to another server (http://elsewhere.invalid), which is not trusted with its headers"),
		Entry("the stream does not begin with an address", func(s *raw) {
			s.stream = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "data: hello\n\n")
			}
		}, "does not begin with an address for messages"),
		Entry("the stream ends at once", func(s *raw) {
			s.stream = func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") }
		}, "does not begin with an address for messages"),
		Entry("the server wants a login", func(s *raw) {
			s.stream = func(w http.ResponseWriter, r *http.Request) {
				http.Error(w, "bad token: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			}
		}, `does not accept the "Authorization" of its "headers" in the configuration (401 Unauthorized): bad token: ***`),
		Entry("the address is a web page", func(s *raw) {
			s.stream = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				_, _ = io.WriteString(w, "<html>")
			}
		}, `answered with a web page instead of MCP; is the "url" right?`),
		Entry("nothing listens", func(s *raw) { s.Close() }, "cannot connect to http://127.0.0.1:"),
	)

	It("fails a refused call with one clear line, makes it once and keeps the session", func() {
		server := newRaw()
		server.post = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		session := spec.Must(connect(server))

		Expect(use(session).Err).To(MatchError(ContainSubstring("too many requests (429 Too Many Requests); it asks to wait for 2s")))

		Expect(server.connections()).To(Equal(1))
		Expect(session.Done()).NotTo(BeClosed())
	})

	It("fails a call whose connection is cut while it is sent, and makes it once", func() {
		server := newRaw()
		server.post = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
		session := spec.Must(connect(server))

		Expect(use(session).Err).To(MatchError(ContainSubstring("cut in the middle of the request")))

		Expect(server.connections()).To(Equal(1))
	})

	It("ends when the server does not know the session any longer", func() {
		server := newRaw()
		server.post = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }
		session := spec.Must(connect(server))

		Expect(use(session).Err).To(MatchError(domain.ErrServerUnavailable))

		Eventually(session.Done()).WithTimeout(patience).Should(BeClosed())
		Expect(server.connections()).To(Equal(1))
	})
})
