package streamablehttp_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/faults"
	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

const secret = "Bearer very-secret-token"

var _ = Describe("Reaching a server over http", func() {
	headers := map[string]string{"Authorization": secret, "X-Team": "red"}

	It("sends the configured headers with every request, the last one included", func() {
		server := newRaw(nil)
		session := spec.Must(connecting(server.URL, headers, &host{}))
		use(session, "read")
		Eventually(server.heard).WithArguments("GET").WithTimeout(patience).ShouldNot(BeEmpty()) // which nothing waits for
		closeSession(session)

		for _, method := range []string{"initialize", "notifications/initialized", "GET", "tools/call", "DELETE"} {
			Expect(server.heard(method)).NotTo(BeEmpty(), method)
			for _, request := range server.heard(method) {
				Expect(request.header.Get("Authorization")).To(Equal(secret), method)
				Expect(request.header.Get("X-Team")).To(Equal("red"), method)
			}
		}
	})

	DescribeTable("says in one clear line why it cannot", func(url func() string, why string) {
		_, err := connecting(url(), headers, &host{})

		Expect(err).To(MatchError(domain.ErrServerUnavailable))
		Expect(domain.Reason(err)).To(ContainSubstring(why))
		Expect(domain.Reason(err)).NotTo(ContainSubstring("\n"))
		Expect(domain.Reason(err)).NotTo(ContainSubstring("very-secret"))
		Expect(domain.Reason(err)).NotTo(ContainSubstring("key=hidden"))
	},
		Entry("nothing listens", func() string { return "http://127.0.0.1:1/mcp?key=hidden" }, "cannot connect to http://127.0.0.1:1: "),
		Entry("the host is unknown", func() string { return "http://no-such-host.invalid/mcp?key=hidden" }, "the host of http://no-such-host.invalid"),
		Entry("its certificate is not trusted", func() string {
			server := httptest.NewTLSServer(nil)
			DeferCleanup(server.Close)
			return server.URL
		}, "TLS with https://127.0.0.1:"),
		Entry("it does not speak TLS", func() string {
			return strings.Replace(newRaw(nil).URL, "http://", "https://", 1)
		}, "does not speak TLS; is its address http:// instead?"),
		Entry("it speaks TLS only", func() string {
			server := newRaw(map[string]handler{"server/discover": func(http.ResponseWriter, *http.Request, string) { cut() }})
			server.on["initialize"] = server.on["server/discover"]
			return server.URL
		}, "it never answered: is its address https:// instead?"),
		Entry("it wants a login", func() string {
			return newRaw(map[string]handler{"initialize": func(w http.ResponseWriter, r *http.Request, _ string) {
				refuse(w, 401, "text/plain", "bad token: "+r.Header.Get("Authorization"))
			}}).URL
		}, `does not accept the "Authorization" of its "headers" in the configuration (401 Unauthorized): bad token: ***`),
		Entry("there is no MCP server at the path", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 404, "text/html", "<html>")
			}}).URL
		}, `has no MCP at this path (404 Not Found); is the "url" right?`),
		Entry("it redirects to another server", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, r *http.Request, _ string) {
				http.Redirect(w, r, "http://elsewhere.invalid/mcp?key=hidden", http.StatusTemporaryRedirect)
			}}).URL
		}, "redirects to http://elsewhere.invalid, which does not get its headers"),
		Entry("a proxy before it leads to a page to log in", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, r *http.Request, _ string) {
				http.Redirect(w, r, "https://team.invalid/cdn-cgi/access/login/app?key=hidden", http.StatusFound)
			}}).URL
		}, "redirects to https://team.invalid, a page to log in with a browser"),
		Entry("protection against bots answers in its place", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 403, "text/html", "<title>Just a moment...</title>")
			}}).URL
		}, "a page for browsers came in place of the answer of"),
		Entry("protection against bots answers in its place, by a header", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				w.Header().Set("X-Amzn-Waf-Action", "challenge")
				refuse(w, 202, "text/html", "<html></html>")
			}}).URL
		}, "a page for browsers came in place of the answer of"),
		Entry("protection against bots answers in its place with success", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 200, "text/html", "<html>Request unsuccessful. Incapsula incident ID: 1-2</html>")
			}}).URL
		}, "a page for browsers came in place of the answer of"),
		Entry("Akamai answers in its place", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 403, "text/html", "<H1>Access Denied</H1> Reference&#32;&#35;18&#46;5 https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18")
			}}).URL
		}, "a page for browsers came in place of the answer of"),
		Entry("its tunnel of ngrok shows a page first", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				w.Header().Set("Ngrok-Error-Code", "ERR_NGROK_6024")
				refuse(w, 200, "text/html", "<html></html>")
			}}).URL
		}, `: add "ngrok-skip-browser-warning": "1" to its "headers" in the configuration`),
		Entry("its tunnel of localtunnel shows a page first", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 511, "text/html", "Set and send a <code>Bypass-Tunnel-Reminder</code> request header")
			}}).URL
		}, `: add "bypass-tunnel-reminder": "1" to its "headers" in the configuration`),
		Entry("its tunnel is closed", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				w.Header().Set("Ngrok-Error-Code", "ERR_NGROK_3200")
				refuse(w, 404, "text/plain", "The endpoint x.ngrok-free.app is offline.\n\nERR_NGROK_3200")
			}}).URL
		}, "(404 Not Found): it is not running (ERR_NGROK_3200): The endpoint x.ngrok-free.app is offline."),
		Entry("its tunnel of Cloudflare is closed", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 530, "text/plain", "error code: 1033")
			}}).URL
		}, "it is not running (Cloudflare error 1033)"),
		Entry("the program behind its tunnel does not run", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				w.Header().Set("Ngrok-Error-Code", "ERR_NGROK_8012")
				refuse(w, 502, "text/html", "<html></html>")
			}}).URL
		}, "(502 Bad Gateway): https://ngrok.com/docs/errors/err_ngrok_8012 says why"),
		Entry("it answers at a path of the older transport with an error of its own", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				refuse(w, 500, "text/plain", "")
			}}).URL + "/sse"
		}, `"transport": "sse" in its settings`),
		Entry("its answer has a header of many lines", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, _ *http.Request, _ string) {
				for i := range 20_000 {
					w.Header().Add("A", strconv.Itoa(i))
				}
			}}).URL
		}, "the header of its answer has more than 65536 bytes"),
		Entry("it redirects in a way that loses the message", func() string {
			return newRaw(map[string]handler{"POST": func(w http.ResponseWriter, r *http.Request, _ string) {
				http.Redirect(w, r, "/there", http.StatusFound)
			}}).URL
		}, "redirects (302) to another path, and the message would be lost"),
	)

	It("follows a redirect that keeps message and server", func() {
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, r *http.Request, id string) {
			if r.URL.Path != "/there" {
				http.Redirect(w, r, "/there", http.StatusPermanentRedirect)
				return
			}
			answer(w, id, `{"content":[]}`)
		}})

		Expect(use(connect(server), "read").Result).To(Equal(`{"content":[]}`))
		Expect(server.heard("tools/call")[1].header.Get("Mcp-Session-Id")).To(Equal("session-1"))
	})

	It("falls back to HTTP+SSE when the server's answer announces that", func() {
		server := remote.StartOlder(script.Script{Rules: []script.Rule{script.Answer("read", script.Text("older"))}})
		DeferCleanup(server.Break)

		session := spec.Must(connecting(server.URL(), nil, &host{}))
		Expect(use(session, "read").Result).To(Equal(script.Text("older")))
	})

	DescribeTable("falls back to HTTP+SSE at a path that ends in /sse, however the message was refused", func(post http.HandlerFunc) {
		server := remote.StartOlder(script.Script{Rules: []script.Rule{script.Answer("read", script.Text("older"))}})
		DeferCleanup(server.Break)
		pass := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: server.Address()})
		pass.FlushInterval = -1
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == "/sse" {
				post(w, r)
				return
			}
			pass.ServeHTTP(w, r)
		}))
		DeferCleanup(func() {
			front.CloseClientConnections()
			front.Close()
		})

		session := spec.Must(connecting(front.URL+"/sse", nil, &host{}))

		Expect(use(session, "read").Result).To(Equal(script.Text("older")))
	},
		Entry("as a kind that is not taken", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnsupportedMediaType) })),
		Entry("as a failure", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })),
		Entry("by one more stream", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			stream(w, "event: endpoint\ndata: /message?session=2\n\n")
			<-r.Context().Done()
		})),
	)

	It("does not fall back without such an answer", func() {
		server := newRaw(map[string]handler{
			"initialize": func(w http.ResponseWriter, _ *http.Request, _ string) {
				w.WriteHeader(http.StatusMethodNotAllowed)
			},
			"GET": func(w http.ResponseWriter, _ *http.Request, _ string) { stream(w, "data: hello") },
		})

		_, err := connecting(server.URL, nil, &host{})

		Expect(err).To(MatchError(ContainSubstring("405 Method Not Allowed")))
		Expect(server.heard("GET")).To(HaveLen(1))
	})

	Context("through a network with faults", func() {
		var server *raw
		var proxy *faults.Proxy
		var listener *host
		reach := func(on map[string]handler) string {
			server, listener = newRaw(on), &host{}
			proxy = faults.Start(server.Listener.Addr().String())
			DeferCleanup(proxy.Close)
			return "http://" + proxy.Address() + "/mcp"
		}
		// firstSlowly never ends its answer to the first call.
		firstSlowly := func(w http.ResponseWriter, r *http.Request, id string) {
			if len(server.heard("tools/call")) > 1 {
				answer(w, id, "{}")
				return
			}
			stream(w, ": begun")
			<-r.Context().Done()
		}

		DescribeTable("fails a call that the fault interrupts, and uses the server again", func(fault func()) {
			session := spec.Must(connecting(reach(map[string]handler{"tools/call": firstSlowly}), nil, &host{}))
			got := begin(context.Background(), session, call("read"))
			Eventually(func() int { return len(server.heard("tools/call")) }).WithTimeout(patience).Should(Equal(1))

			fault()

			var what outcome
			Eventually(got).WithTimeout(patience).Should(Receive(&what))
			Expect(what.Err).To(MatchError(ContainSubstring("cut in the middle of the request")))
			Expect(server.heard("tools/call")).To(HaveLen(1))
			Expect(session.Done()).NotTo(BeClosed())
			Expect(use(session, "read").Result).To(Equal("{}"))
		},
			Entry("a cut connection", func() { proxy.Cut() }),
			Entry("a half-closed connection", func() { proxy.HalfClose() }),
		)

		It("cancels a call at its limit on a stalled network", func() {
			session := spec.Must(connecting(reach(nil), nil, &host{}))
			proxy.Stall()

			limited := call("read")
			limited.SilenceLimit = 30 * time.Millisecond
			var what outcome
			Eventually(begin(context.Background(), session, limited)).WithTimeout(patience).Should(Receive(&what))

			Expect(what.Err).To(MatchError(domain.ErrTimedOut))
			proxy.Pass()
			Expect(use(session, "read").Result).To(Equal("{}"))
		})

		It("accepts an answer that arrives byte by byte", func() {
			session := spec.Must(connecting(reach(nil), nil, &host{}))
			proxy.Slow(100 * time.Microsecond)

			Expect(use(session, "read").Result).To(Equal("{}"))
		})

		It("listens again when the stream of notifications is cut", func() {
			session := spec.Must(connecting(reach(map[string]handler{"GET": func(w http.ResponseWriter, r *http.Request, _ string) {
				if r.Header.Get("Last-Event-Id") == "" {
					stream(w, "id: one\nretry: 1\n"+`data: {"jsonrpc":"2.0","method":"notifications/first"}`)
				} else {
					stream(w, `data: {"jsonrpc":"2.0","method":"notifications/second"}`)
				}
				<-r.Context().Done()
			}}), nil, listener))
			Eventually(listener.heard).WithTimeout(patience).Should(ContainElement("notifications/first"))

			proxy.Cut()

			Eventually(listener.heard).WithTimeout(patience).Should(ContainElement("notifications/second"))
			Expect(session.Done()).NotTo(BeClosed())
		})
	})
})

const (
	ms      = time.Millisecond
	briefly = 10 * ms
	while   = time.Minute
)

var _ = DescribeTable("A stream that ended is opened again", Label("TO06"), func(retry time.Duration, wasOpen, expected []time.Duration) {
	Expect(streamablehttp.Pauses(retry, wasOpen...)).To(Equal(expected))
},
	Entry("after growing pauses, when its server sets no time", time.Duration(0),
		[]time.Duration{briefly, 0, briefly, 0, 0, 0, 0}, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second}),
	Entry("after the first pause again once it was open for a while", time.Duration(0),
		[]time.Duration{briefly, briefly, while, briefly}, []time.Duration{time.Second, 2 * time.Second, time.Second, 2 * time.Second}),
	Entry("no sooner than its server says", 34*time.Second, []time.Duration{while, briefly, 0}, []time.Duration{34 * time.Second, 34 * time.Second, 34 * time.Second}),
	Entry("once at its server's short interval, then after growing pauses", ms, []time.Duration{briefly, briefly, briefly}, []time.Duration{ms, 2 * time.Second, 4 * time.Second}),
	Entry("soon after each stream that was open for a while", 500*ms, []time.Duration{while, while, while}, []time.Duration{500 * ms, 500 * ms, 500 * ms}),
	Entry("within minutes, even if its server asks for longer", 24*time.Hour, []time.Duration{while, briefly}, []time.Duration{10 * time.Minute, 10 * time.Minute}),
)

var _ = DescribeTable("The stream of a call is resumed", Label("TO06"), func(retry time.Duration, expected ...time.Duration) {
	Expect(streamablehttp.PausesOfCall(retry, briefly, briefly, briefly, while)).To(Equal(expected))
},
	Entry("after a second, when its server sets no time", time.Duration(0), time.Second, time.Second, time.Second, time.Second),
	Entry("as its server says", 5*time.Second, 5*time.Second, 5*time.Second, 5*time.Second, 5*time.Second),
	Entry("at most once a second after the first attempt, when its server sets less", ms, ms, time.Second, time.Second, ms),
)

// connections are those that clients have to a raw server.
type connections struct {
	mu      sync.Mutex
	dialled int
	open    map[net.Conn]http.ConnState
}

func (c *connections) note(connection net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew {
		c.dialled++
	}
	if c.open[connection] = state; state == http.StateClosed {
		delete(c.open, connection)
	}
}

func (c *connections) countMade() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialled
}

func (c *connections) countOpen() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// busy counts those on which a request is under way.
func (c *connections) busy() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy := 0
	for _, state := range c.open {
		if state == http.StateActive {
			busy++
		}
	}
	return busy
}

// gate lets calls through once so many are at it.
type gate struct {
	mu      sync.Mutex
	waiting int
	opens   int
	open    chan struct{}
}

func newGate(opens int) *gate { return &gate{opens: opens, open: make(chan struct{})} }

func (g *gate) pass() {
	g.mu.Lock()
	open := g.open
	if g.waiting++; g.waiting == g.opens {
		close(g.open)
		g.waiting, g.open = 0, make(chan struct{})
	}
	g.mu.Unlock()
	<-open
}

var _ = Describe("Many calls over http", func() {
	// burst makes so many calls at once, often, one burst after the other, and returns
	// the server's connections.
	burst := func(calls, times int) *connections {
		GinkgoHelper()
		together := newGate(calls)
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, id string) {
			together.pass()
			answer(w, id, `{}`)
		}})
		session := connect(server)
		for range times {
			var outcomes []<-chan outcome
			for range calls {
				outcomes = append(outcomes, begin(context.Background(), session, call("read")))
			}
			for _, outcome := range outcomes {
				Eventually(outcome).WithTimeout(patience).Should(Receive(HaveField("Result", "{}")))
			}
			Eventually(server.connections.busy).WithTimeout(patience).Should(BeZero())
		}
		return server.connections
	}

	It("share connections: five rounds of 64 open far fewer than one each", func() {
		// A connection is free again a moment after the answer that came over it, so some
		// calls of a burst may miss it.
		Expect(burst(64, 5).countMade()).To(BeNumerically("<", 2*64))
	})

	It("leave no more than 64 connections behind", func() {
		open := burst(150, 1)

		Eventually(open.countOpen).WithTimeout(patience).Should(BeNumerically("<=", 64))
		Expect(open.countMade()).To(BeNumerically(">=", 150))
	})
})
