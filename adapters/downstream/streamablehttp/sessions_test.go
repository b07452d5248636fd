package streamablehttp_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/ports"
)

var _ = Describe("A session over http", func() {
	// forgetful returns a server that refuses the first session's calls in that way.
	forgetful := func(status int, kind, body string) (*raw, *atomic.Int64) {
		var ran atomic.Int64
		return newRaw(map[string]handler{
			"tools/call": func(w http.ResponseWriter, r *http.Request, id string) {
				if r.Header.Get("Mcp-Session-Id") == "session-1" {
					refuse(w, status, kind, body)
					return
				}
				ran.Add(1)
				answer(w, id, `{"content":[]}`)
			},
		}), &ran
	}

	// listReading has the server list "read" as a tool that only reads.
	listReading := func(server *raw, session ports.Session) {
		GinkgoHelper()
		server.handle("tools/list", func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"tools":[{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`)
		})
		Expect(session.ListTools(GinkgoT().Context())).Error().NotTo(HaveOccurred())
	}

	It("uses the id and the version that the server gave", func() {
		server := newRaw(nil)
		session := connect(server)
		use(session, "read")

		for _, method := range []string{"notifications/initialized", "tools/call"} {
			header := server.heard(method)[0].header
			Expect(header.Get("Mcp-Session-Id")).To(Equal("session-1"), method)
			Expect(header.Get("Mcp-Protocol-Version")).To(Equal("2025-11-25"), method)
		}
		hello := server.heard("initialize")[0].header
		Expect(hello).NotTo(HaveKey("Mcp-Session-Id"))
		Expect(hello.Get("Accept")).To(Equal("application/json, text/event-stream"))
	})

	It("is ended at the server when it is closed", func() {
		server := newRaw(nil)
		session := connect(server)

		closeSession(session)

		Expect(server.heard("DELETE")).To(HaveLen(1))
		Expect(server.heard("DELETE")[0].header.Get("Mcp-Session-Id")).To(Equal("session-1"))
	})

	DescribeTable("is replaced, and a call that only reads repeated in the new one, when the server forgot it", func(status int, kind, body string) {
		server, ran := forgetful(status, kind, body)
		listener := &host{}
		session, err := connecting(server.URL, nil, listener)
		Expect(err).NotTo(HaveOccurred())
		listReading(server, session)

		Expect(use(session, "read").Result).To(Equal(`{"content":[]}`))

		Expect(ran.Load()).To(BeEquivalentTo(1))
		Expect(server.heard("initialize")).To(HaveLen(2))
		Expect(server.heard("initialize")[1].header).NotTo(HaveKey("Mcp-Session-Id"))
		Expect(server.heard("notifications/initialized")[1].header.Get("Mcp-Session-Id")).To(Equal("session-2"))
		Eventually(listener.heard).WithTimeout(patience).Should(ContainElement("notifications/tools/list_changed"))
		Expect(session.Done()).NotTo(BeClosed())
	},
		Entry("as the specification says", 404, "text/plain", "not found"),
		Entry("as TypeScript servers say", 400, "application/json",
			`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":2}`),
		Entry("as restarted servers say", 400, "application/json",
			`{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}`),
		Entry("as gone", 410, "text/plain", "the session has ended"),
		Entry("as a failure", 500, "text/plain", "Session 4711 not found"),
		Entry("as a failure of a proxy", 503, "text/plain", "Unknown session"),
	)

	// answering returns a server that answers the calls of the first sessions with an error in a 200.
	answering := func(sessions int, failure string, send func(w http.ResponseWriter, id, failure string)) (*raw, *atomic.Int64) {
		var ran atomic.Int64
		return newRaw(map[string]handler{
			"tools/call": func(w http.ResponseWriter, r *http.Request, id string) {
				for number := range sessions {
					if r.Header.Get("Mcp-Session-Id") == fmt.Sprintf("session-%d", number+1) {
						send(w, id, failure)
						return
					}
				}
				ran.Add(1)
				answer(w, id, `{"content":[]}`)
			},
		}), &ran
	}
	inJSON := func(w http.ResponseWriter, id, failure string) {
		refuse(w, 200, "application/json", `{"jsonrpc":"2.0","id":`+id+`,"error":`+failure+`}`)
	}
	inEvents := func(w http.ResponseWriter, id, failure string) {
		refuse(w, 200, "text/event-stream", "data: "+`{"jsonrpc":"2.0","id":`+id+`,"error":`+failure+"}\n\n")
	}

	DescribeTable("is replaced when an error in a 200 says that the server forgot it", Label("S30"),
		func(failure string, send func(w http.ResponseWriter, id, failure string)) {
			server, ran := answering(1, failure, send)
			session := connect(server)
			listReading(server, session)

			Expect(use(session, "read").Result).To(Equal(`{"content":[]}`))

			Expect(ran.Load()).To(BeEquivalentTo(1))
			Expect(server.heard("initialize")).To(HaveLen(2))
		},
		Entry("by its code", `{"code":-32001,"message":"Session not found"}`, inJSON),
		Entry("by the name of the header", `{"code":-32600,"message":"missing or invalid Mcp-Session-Id"}`, inJSON),
		Entry("in a stream", `{"code":-32001,"message":"Session not found"}`, inEvents),
		Entry("as not initialized", `{"code":-32002,"message":"Server not initialized"}`, inJSON),
	)

	refusals := []TableEntry{
		Entry("in a 200", 200, "application/json", `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Order 17 was placed, but the browser session is not found any more"}}`),
		Entry("in a 400", 400, "application/json", `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the order was placed twice in this session"}}`),
		Entry("in a 410", 410, "text/plain", "the session has ended"),
		Entry("in a 500", 500, "text/plain", "Session 4711 not found"),
		Entry("in a 503", 503, "text/plain", "Unknown session"),
	}

	DescribeTable("is kept, and a call that may have been carried out is not sent again, if a ping is answered in it", func(status int, kind, body string) {
		server, _ := forgetful(status, kind, body)
		session := connect(server)

		got := use(session, "order")

		if got.Err == nil {
			Expect(got.Failure).NotTo(BeEmpty())
		} else {
			Expect(got.Err).To(MatchError(MatchRegexp("(?i)session")))
		}
		Expect(server.heard("tools/call")).To(HaveLen(1))
		Expect(server.heard("ping")).To(HaveLen(1))
		Expect(server.heard("ping")[0].header.Get("Mcp-Session-Id")).To(Equal("session-1"))
		Expect(server.heard("initialize")).To(HaveLen(1))
	}, refusals)

	DescribeTable("is replaced, and a call that may have been carried out is not sent again, if a ping is refused too", func(status int, kind, body string) {
		server, ran := forgetful(status, kind, body)
		server.on["ping"] = server.on["tools/call"]
		session := connect(server)

		Expect(use(session, "order").Err).To(MatchError(ContainSubstring("whether this call was carried out is not known")))

		Expect(server.heard("tools/call")).To(HaveLen(1))
		Expect(server.heard("initialize")).To(HaveLen(2))
		Expect(use(session, "order").Result).To(Equal(`{"content":[]}`))
		Expect(ran.Load()).To(BeEquivalentTo(1))
	}, refusals)

	DescribeTable("is kept, and the call not repeated, when an error in a 200 is about the call", Label("S30"), func(failure string) {
		server, _ := answering(1, failure, inJSON)
		session := connect(server)

		Expect(use(session, "read").Failure).To(Equal(failure))

		Expect(server.heard("tools/call")).To(HaveLen(1))
		Expect(server.heard("initialize")).To(HaveLen(1))
	},
		Entry("and mentions a session of something else", `{"code":-32000,"message":"the browser closed its session"}`),
		Entry("and its arguments", `{"code":-32602,"message":"missing argument: session"}`),
		Entry("and failed inside", `{"code":-32603,"message":"browser session not found"}`),
	)

	It("is replaced once for a call, and not again at once", Label("S30"), func() {
		DeferCleanup(streamablehttp.PauseRenewals(time.Hour))
		server, _ := answering(9, `{"code":-32001,"message":"Session not found"}`, inJSON)
		session := connect(server)
		listReading(server, session)

		for range 3 {
			Expect(use(session, "read").Failure).To(ContainSubstring("Session not found"))
		}

		Expect(server.heard("tools/call")).To(HaveLen(4))
		Expect(server.heard("initialize")).To(HaveLen(2))
	})

	It("is initialized when it replaces another one, even if the server leaves the stream of its answer open", Label("H06"), func() {
		server, _ := forgetful(404, "text/plain", "")
		var handshakes atomic.Int64
		server.on["initialize"] = func(w http.ResponseWriter, r *http.Request, id string) {
			number := handshakes.Add(1)
			w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-%d", number))
			result := `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`
			if number == 1 {
				answer(w, id, result)
				return
			}
			stream(w, event(id, result))
			<-r.Context().Done()
		}
		session := connect(server)

		Expect(use(session, "read").Result).To(Equal(`{"content":[]}`))

		Expect(server.heard("notifications/initialized")).To(HaveLen(2))
		Expect(server.heard("notifications/initialized")[1].header.Get("Mcp-Session-Id")).To(Equal("session-2"))
	})

	DescribeTable("is opened at once if the answer to a notification has a body without an end", Label("H06"), func(kind string) {
		var waited atomic.Bool
		server := newRaw(map[string]handler{"notifications/initialized": func(w http.ResponseWriter, r *http.Request, _ string) {
			w.Header().Set("Content-Type", kind)
			write(w, ": open\n\n")
			_ = http.NewResponseController(w).Flush() // a client that is gone shows
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second): // the limit on a notification is twice as long
				waited.Store(true)
			}
		}})

		Expect(use(connect(server), "read").Result).To(Equal(`{}`))
		Expect(waited.Load()).To(BeFalse(), "the call waited for the end of the answer")
	},
		Entry("a stream of events", "text/event-stream"),
		Entry("any other body", "text/plain"),
	)

	It("continues if the server never answers a change of the log level, also after it was replaced", Label("W09"), func() {
		server, _ := forgetful(404, "text/plain", "")
		server.on["logging/setLevel"] = func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }
		session := connect(server)
		session.SetLogLevel("debug")
		defer server.CloseClientConnections() // what the server does not answer ends

		Expect(use(session, "read").Result).To(Equal(`{"content":[]}`))
		Expect(use(session, "read").Result).To(Equal(`{"content":[]}`))

		Expect(server.heard("logging/setLevel")).To(HaveLen(2))
	})

	It("gets no call that was cancelled while it waited for its turn", func() {
		answered := make(chan struct{})
		server := newRaw(map[string]handler{"logging/setLevel": func(w http.ResponseWriter, _ *http.Request, id string) {
			<-answered
			answer(w, id, `{}`)
		}})
		session := connect(server)
		session.SetLogLevel("debug")
		cancelled, cancel := context.WithCancel(GinkgoT().Context())
		given := begin(cancelled, session, call("read"))
		waiting := begin(GinkgoT().Context(), session, call("read"))

		cancel()
		Eventually(given).WithTimeout(patience).Should(Receive(HaveField("Err", MatchError(context.Canceled))))
		close(answered)

		Eventually(waiting).WithTimeout(patience).Should(Receive(HaveField("Err", BeNil())))
		closeSession(session)
		Expect(server.heard("tools/call")).To(HaveLen(1))
	})

	It("is replaced once for all calls that were refused", func() {
		server, ran := forgetful(404, "text/plain", "")
		session := connect(server)
		var calls []<-chan outcome
		for range 8 {
			calls = append(calls, begin(GinkgoT().Context(), session, call("read")))
		}

		for _, pending := range calls {
			Eventually(pending).WithTimeout(patience).Should(Receive(HaveField("Result", `{"content":[]}`)))
		}

		Expect(ran.Load()).To(BeEquivalentTo(8))
		Expect(server.heard("initialize")).To(HaveLen(2))
	})

	It("is lost when the new one is forgotten at once", func() {
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 404, "text/plain", "")
		}})
		session := connect(server)

		got := use(session, "read")

		Expect(got.Err).To(MatchError(ContainSubstring("404 Not Found")))
		Expect(server.heard("tools/call")).To(HaveLen(2))
	})

	It("is replaced by one with the host's log level", func() {
		server, _ := forgetful(404, "text/plain", "")
		session := connect(server)
		session.SetLogLevel("debug")

		use(session, "read")

		Eventually(func() int { return len(server.heard("logging/setLevel")) }).WithTimeout(patience).Should(Equal(2))
		Expect(server.heard("logging/setLevel")[1].header.Get("Mcp-Session-Id")).To(Equal("session-2"))
	})

	It("is kept when a server without a notification stream answers as if it had forgotten the session", func() {
		server := newRaw(map[string]handler{"GET": func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 404, "text/plain", "Cannot GET /mcp")
		}})
		session := connect(server)
		Eventually(func() int { return len(server.heard("GET")) }).WithTimeout(patience).Should(Equal(1))

		use(session, "read")

		Expect(server.heard("initialize")).To(HaveLen(1))
		Expect(server.heard("GET")).To(HaveLen(1))
	})

	It("is replaced when reopening the stream shows that it is forgotten", func() {
		server := newRaw(map[string]handler{"GET": func(w http.ResponseWriter, r *http.Request, _ string) {
			switch {
			case r.Header.Get("Last-Event-Id") != "":
				refuse(w, 404, "text/plain", "")
			case r.Header.Get("Mcp-Session-Id") == "session-1":
				stream(w, "id: one\nretry: 1\ndata:")
			default:
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
		}})
		connect(server)

		Eventually(func() int { return len(server.heard("initialize")) }).WithTimeout(patience).Should(Equal(2))
	})

	It("does not mistake another answer of 400 for a forgotten session", func() {
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, id string) {
			refuse(w, 400, "application/json", `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32602,"message":"wrong arguments"}}`)
		}})
		session := connect(server)

		Expect(use(session, "read").Failure).To(Equal(`{"code":-32602,"message":"wrong arguments"}`))
		Expect(server.heard("tools/call")).To(HaveLen(1))
	})
})
