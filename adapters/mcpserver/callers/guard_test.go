package callers_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/tests/spec"
)

var (
	loopback = callers.Address{Listen: "127.0.0.1:7345", IsLoopback: true}
	open     = callers.Address{Listen: ":7345"}
	refusals = callers.NewRefusals(slog.New(slog.DiscardHandler))
)

// unread is a body that must not be read.
type unread struct{}

func (unread) Read([]byte) (int, error) { panic("the body was read") }

// guardedResponse sends a request through a guard and returns the answer; 200 is that of the handler.
func guardedResponse(g *callers.Guard, method string, header ...string) *httptest.ResponseRecorder {
	GinkgoHelper()
	request := httptest.NewRequest(method, "http://127.0.0.1:7345/mcp", unread{})
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			request.Host = header[i+1]
		} else {
			request.Header.Add(header[i], header[i+1])
		}
	}
	answer := httptest.NewRecorder()
	g.Protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "handled") })).ServeHTTP(answer, request)
	return answer
}

func newGuard(address callers.Address, hosts, origins []string) *callers.Guard {
	GinkgoHelper()
	return spec.Must(callers.NewGuard(address, hosts, origins, refusals))
}

var _ = Describe("A guard", Label("T02"), func() {
	const json = "application/json"

	DescribeTable("of a local listener accepts only local names", Label("T02"),
		func(host string, status int) {
			answer := guardedResponse(newGuard(loopback, nil, nil), http.MethodPost, "Host", host, "Content-Type", json)
			Expect(answer.Code).To(Equal(status))
		},
		Entry("the address", "127.0.0.1:7345", 200),
		Entry("the address with the port of a tunnel", "127.0.0.1:9", 200),
		Entry("without a port", "127.0.0.1", 200),
		Entry("localhost", "localhost:7345", 200),
		Entry("in capitals", "LOCALHOST:7345", 200),
		Entry("with a dot", "localhost.:7345", 200),
		Entry("version 6", "[::1]:7345", 200),
		Entry("version 6 without a port", "[::1]", 200),
		Entry("a name that was rebound", "attacker.test:7345", 403),
		Entry("a name that begins like the address", "127.0.0.1.attacker.test", 403),
		Entry("a name that ends like localhost", "attacker-localhost:7345", 403),
		Entry("a subdomain of localhost", "attacker.localhost", 403),
		Entry("the address as a number", "2130706433:7345", 403),
		Entry("an address of a network", "192.168.1.5:7345", 403),
		Entry("none", "", 403),
	)

	It("accepts the allowed hosts, with their port if they have one", func() {
		allowing := newGuard(loopback, []string{"MCP.example.com", "other.example.com:81"}, nil)
		for host, status := range map[string]int{
			"mcp.example.com": 200, "mcp.example.com:7345": 200, "other.example.com:81": 200, "localhost": 200,
			"other.example.com": 403, "other.example.com:82": 403, "a.mcp.example.com": 403,
		} {
			Expect(guardedResponse(allowing, http.MethodGet, "Host", host).Code).To(Equal(status), host)
		}
	})

	It("of a public listener accepts every host, unless hosts are listed", func() {
		Expect(guardedResponse(newGuard(open, nil, nil), http.MethodGet, "Host", "any.example.com").Code).To(Equal(200))
		listed := newGuard(open, []string{"mcp.example.com"}, nil)
		Expect(guardedResponse(listed, http.MethodGet, "Host", "mcp.example.com").Code).To(Equal(200))
		Expect(guardedResponse(listed, http.MethodGet, "Host", "any.example.com").Code).To(Equal(403))
	})

	DescribeTable("accepts only local pages and allowed origins", Label("T02"),
		func(origin string, status int) {
			guarded := newGuard(loopback, nil, []string{"https://app.example.com", "vscode-webview://panel"})
			answer := guardedResponse(guarded, http.MethodPost, "Origin", origin, "Content-Type", json)
			Expect(answer.Code).To(Equal(status))
			if status == 200 {
				Expect(answer.Header().Get("Access-Control-Allow-Origin")).To(Equal(origin))
				Expect(answer.Header().Get("Access-Control-Expose-Headers")).To(ContainSubstring("Mcp-Session-Id"))
			} else {
				Expect(answer.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
				Expect(answer.Body.String()).To(HavePrefix(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"this Origin is not allowed`))
			}
		},
		Entry("on this machine", "http://localhost:6274", 200),
		Entry("its address", "http://127.0.0.1:6274", 200),
		Entry("version 6", "https://[::1]:6274", 200),
		Entry("allowed", "https://app.example.com", 200),
		Entry("allowed, of another scheme", "vscode-webview://panel", 200),
		Entry("allowed, on another port", "https://app.example.com:8443", 403),
		Entry("allowed, without TLS", "http://app.example.com", 403),
		Entry("foreign", "https://attacker.test", 403),
		Entry("a file", "null", 403),
		Entry("empty", "", 403),
		Entry("a name that begins like localhost", "http://localhost.attacker.test", 403),
		Entry("this machine as a user", "http://localhost@attacker.test", 403),
		Entry("another scheme", "gopher://localhost", 403),
	)

	It("refuses a foreign page under a rebound name, and two origins", func() {
		Expect(guardedResponse(newGuard(open, nil, nil), http.MethodPost, "Host", "attacker.test",
			"Origin", "http://attacker.test", "Content-Type", json).Code).To(Equal(403))
		Expect(guardedResponse(newGuard(loopback, nil, nil), http.MethodPost, "Origin", "http://localhost",
			"Origin", "http://attacker.test", "Content-Type", json).Code).To(Equal(403))
	})

	DescribeTable("accepts only JSON", Label("T02"),
		func(status int, kinds ...string) {
			var header []string
			for _, kind := range kinds {
				header = append(header, "Content-Type", kind)
			}
			Expect(guardedResponse(newGuard(loopback, nil, nil), http.MethodPost, header...).Code).To(Equal(status))
		},
		Entry("JSON", 200, "application/json"),
		Entry("with a character set", 200, "Application/JSON; charset=utf-8"),
		Entry("none", 415),
		Entry("text, which pages send without a preflight request", 415, "text/plain"),
		Entry("a form", 415, "application/x-www-form-urlencoded"),
		Entry("a kind of JSON", 415, "application/json-seq"),
		Entry("JSON as a parameter", 415, "text/plain; a=application/json"),
		Entry("nonsense", 415, "application/json;;;=;"),
		Entry("two", 415, "application/json", "text/plain"),
	)

	It("answers the preflight request of a browser", func() {
		answer := guardedResponse(newGuard(loopback, nil, nil), http.MethodOptions, "Origin", "http://localhost:6274",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type,mcp-param-city")

		Expect(answer.Code).To(Equal(204))
		Expect(answer.Header().Get("Access-Control-Allow-Headers")).To(Equal("authorization,content-type,mcp-param-city"))
		Expect(answer.Header().Get("Access-Control-Allow-Methods")).To(Equal("GET, POST, DELETE"))
		Expect(answer.Header()).NotTo(HaveKey("Access-Control-Allow-Credentials"))
		Expect(answer.Body.String()).To(BeEmpty())
	})

	It("refuses the preflight request for a foreign page", func() {
		answer := guardedResponse(newGuard(loopback, nil, nil), http.MethodOptions, "Origin", "http://attacker.test",
			"Access-Control-Request-Method", "POST")

		Expect(answer.Code).To(Equal(403))
		Expect(answer.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
	})

	It("answers before the body arrives", func() {
		guarded := newGuard(loopback, nil, nil)
		server := httptest.NewServer(guarded.Protect(http.NotFoundHandler()))
		DeferCleanup(server.Close)
		connection := spec.Must(net.Dial("tcp", server.Listener.Addr().String()))
		DeferCleanup(connection.Close)

		Expect(fmt.Fprint(connection, "POST /mcp HTTP/1.1\r\nHost: attacker.test\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")).Error().NotTo(HaveOccurred())

		status := spec.Must(bufio.NewReader(connection).ReadString('\n'))
		Expect(strings.TrimSpace(status)).To(Equal("HTTP/1.1 403 Forbidden"))
	})

	DescribeTable("is not created with invalid hosts or origins",
		func(hosts, origins []string) {
			_, err := callers.NewGuard(loopback, hosts, origins, refusals)
			Expect(err).To(MatchError(ContainSubstring("for example")))
		},
		Entry("a URL as a host", []string{"https://mcp.example.com"}, nil),
		Entry("a path", []string{"mcp.example.com/mcp"}, nil),
		Entry("every host", []string{"*"}, nil),
		Entry("no host", []string{""}, nil),
		Entry("a host as an origin", nil, []string{"app.example.com"}),
		Entry("an origin with a path", nil, []string{"https://app.example.com/"}),
		Entry("every origin", nil, []string{"*"}),
		Entry("every origin of a domain", nil, []string{"https://*.example.com"}),
	)
})

var _ = Describe("A refusal", func() {
	refused := func(body string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		callers.Refuse(answer, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)), http.StatusForbidden, `no "way" in`)
		return answer
	}

	It("is a JSON-RPC error without an id, which must not be cached", func() {
		answer := refused("")
		Expect(answer.Code).To(Equal(403))
		Expect(answer.Header().Get("Content-Type")).To(Equal("application/json"))
		Expect(answer.Header().Get("Cache-Control")).To(Equal("no-store"))
		Expect(answer.Body.String()).To(MatchJSON(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no \"way\" in"}}`))
	})

	It("closes a connection only if a body can follow", func() {
		Expect(refused("{}").Header().Get("Connection")).To(Equal("close"))
		Expect(refused("").Header()).NotTo(HaveKey("Connection"))
	})
})

var _ = Describe("A log of refusals", Label("TH06"), func() {
	It("has ten lines a minute, and the number of those that it omits", spec.InBubble(func(*testing.T) {
		logged := gbytes.NewBuffer()
		log := callers.NewRefusals(slog.New(slog.NewTextHandler(logged, nil)))
		refuse := func(times int) {
			for range times {
				request := httptest.NewRequest(http.MethodPost, "/mcp", nil)
				request.Host, request.RemoteAddr = strings.Repeat("h", 1000), "192.0.2.9:1234"
				answer := httptest.NewRecorder()
				log.Refuse(answer, request, http.StatusForbidden, "no way in")
				Expect(answer.Code).To(Equal(403))
			}
		}
		lines := func() int { return strings.Count(string(logged.Contents()), "a request was refused") }

		refuse(25)
		Expect(lines()).To(Equal(10))
		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(string(logged.Contents())).To(HaveSuffix(`level=WARN msg="more requests were refused within a minute" count=15` + "\n"))
		refuse(3)
		Expect(lines()).To(Equal(13))
		time.Sleep(time.Hour)
		synctest.Wait()

		Expect(strings.Count(string(logged.Contents()), "within a minute")).To(Equal(1))
		Expect(string(logged.Contents())).To(ContainSubstring(`level=WARN msg="a request was refused" from=192.0.2.9:1234 status=403 reason="no way in" host=` + strings.Repeat("h", 100) + "\n"))
	}))
})
