package http_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// linedResult is a result with line ends of every kind between its tokens.
const linedResult = "{\n  \"content\": [],\r\n\t\"structuredContent\": {\n\"n\": 1.0\r}\n}"

// lined is a server behind a URL with the tool "read", which answers with linedResult: as one object, or
// as an event of several lines.
type lined struct {
	*httptest.Server
	streams bool

	mu        sync.Mutex
	arguments []string
}

func startLined(streams bool) *lined {
	s := &lined{streams: streams}
	s.Server = httptest.NewServer(s)
	DeferCleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// ServeHTTP implements http.Handler.
func (s *lined) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // an incomplete message is ignored
	var message struct {
		ID     json.RawMessage
		Method string
		Params struct{ Arguments json.RawMessage }
	}
	_ = json.Unmarshal(body, &message)
	var result string
	switch {
	case r.Method == http.MethodGet, message.Method == "server/discover":
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case message.Method == "initialize":
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"far","version":"1"}}`
	case message.Method == "tools/list":
		result = "{\"tools\":[{\n\"name\":\"read\",\n\"inputSchema\":{}}]}"
	case message.Method == "tools/call":
		s.mu.Lock()
		s.arguments = append(s.arguments, string(message.Params.Arguments))
		s.mu.Unlock()
		result = linedResult
	default:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, message.ID, result)
	if s.streams {
		w.Header().Set("Content-Type", "text/event-stream")
		answer = "data: " + strings.NewReplacer("\r\n", "\ndata: ", "\r", "\ndata: ", "\n", "\ndata: ").Replace(answer) + "\n\n"
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	_, _ = io.WriteString(w, answer) // the spec notices a client that is gone
}

func (s *lined) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arguments
}

var _ = Describe("Line ends between the tokens of JSON", func() {
	const arguments = "{\n  \"a\": \"b\\n\",\r\n\t\"c\": [1,\r2]\n}"

	for _, era := range Eras {
		Context("of a host of "+era.Name+" over HTTP", func() {
			use := func(l *listener, server string) reply {
				GinkgoHelper()
				c, _ := l.as(era, "")
				Expect(c.open("dev").StatusCode).To(Equal(200))
				return c.request("tools/call", `"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"`+server+`","tool":"read"},"arguments":`+arguments+`}`)
			}

			It("reach a server behind a URL, and those in its result reach the host", func() {
				far := startLined(false)

				answered := use(listen(Launch{Config: Configuration(InDev(ServerAt("far", far.URL, "")))}), "far")

				Expect(far.heard()).To(Equal([]string{arguments}))
				Expect(answered.Header.Get("Content-Type")).To(Equal("application/json"))
				Expect(answered.text).To(ContainSubstring(linedResult[1:]), "a modern result gets a member in front")
			})

			It("reach a server over pipes as spaces, in one line", func() {
				s := WithTools("read")
				near := Scripted("near", s)

				use(listen(Launch{Config: Configuration(InDev(near))}), "near")

				calls := near.ReceivedWith("tools/call")
				Expect(calls).To(HaveLen(1))
				Expect(calls[0]).To(ContainSubstring(`"arguments":{   "a": "b\n",  ` + "\t" + `"c": [1, 2] }`))
			})
		})
	}

	It("from a server behind a URL reach a host over pipes as spaces, in one line for each message and each tool", func() {
		SkipOverHTTP("the host is not at a pipe")
		for _, streams := range []bool{false, true} {
			w := Serve(InDev(ServerAt("far", startLined(streams).URL, ""), Scripted("near", script.Script{Tools: []string{script.Tool("x")}})))

			Expect(w.Open("dev").Tools).To(HaveLen(2))
			Expect(string(w.Use("dev", "far", "read", "{}").Result)).To(MatchRegexp(`^\{   "content": \[\], +\t"structuredContent": \{ "n": 1\.0 \} \}$`))
			Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Text()).To(ContainSubstring(`{ "name":"read", "inputSchema":{},"server":"far"`))
		}
	})
})
