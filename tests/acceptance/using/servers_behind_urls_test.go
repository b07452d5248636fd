package using_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// posted is a message that an urlServer got.
type posted struct{ target, method string }

// urlHandler answers a message in its own way; id is the raw one.
type urlHandler func(w http.ResponseWriter, r *http.Request, id string)

// urlServer is a well-behaved server of 2025-11-25 with the tool "read", except for the
// handlers of a spec, by the method of a message.
type urlServer struct {
	*httptest.Server
	on map[string]urlHandler

	mu     sync.Mutex
	posted []posted
}

func startURLServer(on map[string]urlHandler) *urlServer {
	s := &urlServer{on: on}
	s.Server = httptest.NewServer(s)
	DeferCleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// ServeHTTP implements http.Handler.
func (s *urlServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // an incomplete message is ignored
	var message struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &message)
	s.mu.Lock()
	s.posted = append(s.posted, posted{r.RequestURI, message.Method})
	s.mu.Unlock()
	if handle, ok := s.on[message.Method]; ok {
		handle(w, r, string(message.ID))
		return
	}
	switch {
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case message.Method == "server/discover":
		w.WriteHeader(http.StatusBadRequest)
	case message.Method == "initialize":
		answerURL(w, string(message.ID), `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"far","version":"1"}}`)
	case message.Method == "tools/list":
		answerURL(w, string(message.ID), `{"tools":[{"name":"read","inputSchema":{"type":"object"}}]}`)
	case message.ID != nil:
		answerURL(w, string(message.ID), `{"content":[{"type":"text","text":"done"}]}`)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func answerURL(w http.ResponseWriter, id, result string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result) // the spec notices a client that is gone
}

// targets returns the targets of the requests of a method, as they were sent.
func (s *urlServer) targets(method string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var targets []string
	for _, request := range s.posted {
		if request.method == method {
			targets = append(targets, request.target)
		}
	}
	return targets
}

// port returns the server's port.
func (s *urlServer) port() string {
	return s.URL[strings.LastIndex(s.URL, ":")+1:]
}

var _ = Describe("A server behind a URL", func() {
	// start starts a workbench with a server at a URL.
	start := func(url string, env ...string) *Workbench {
		GinkgoHelper()
		w := Start(Launch{Config: Configuration(InDev(ServerAt("far", url, ""))), Env: env, Args: []string{"--log-level", "debug"}})
		w.Initialize()
		return w
	}

	DescribeTable("whose address has characters that are not allowed in requests gets them encoded", Label("H01"),
		func(rest, target string) {
			far := startURLServer(nil)
			w := start(far.URL+rest, "TEAM=Zoë & co", "QUERY=Zoë x")

			Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
			Expect(slices.Compact(far.targets("tools/list"))).To(Equal([]string{target}))
		},
		Entry("in the file", "/my mcp?team=Zoë x", "/my%20mcp?team=Zo%C3%AB%20x"),
		Entry("in the query from a variable", "/mcp?team=${QUERY}", "/mcp?team=Zo%C3%AB%20x"),
	)

	DescribeTable("whose address cannot be encoded is refused before any request", Label("H01"), func(url string) {
		outcome := Run(Launch{Config: Configuration(InDev(ServerAt("far", url, ""))), Args: []string{"validate"}})

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr + outcome.Stdout).To(ContainSubstring("toolboxes.dev.mcpServers.far.url"))
	},
		Entry("a host that cannot be a name", "https://bü_cher.example/mcp"),
	)

	It("of HTTP+SSE may name its address in another form of its own origin", Label("H02"), func() {
		var far *urlServer
		opened := make(chan http.ResponseWriter, 1)
		far = startURLServer(map[string]urlHandler{
			"": func(w http.ResponseWriter, r *http.Request, _ string) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = fmt.Fprintf(w, "event: endpoint\ndata: http://LOCALHOST:%s/messages\n\n", far.port())
				_ = http.NewResponseController(w).Flush()
				opened <- w
				<-r.Context().Done()
			},
			"initialize": func(w http.ResponseWriter, _ *http.Request, id string) {
				w.WriteHeader(http.StatusAccepted)
				stream := <-opened
				_, _ = fmt.Fprintf(stream, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-1,\"message\":\"heard\"}}\n\n", id)
				_ = http.NewResponseController(stream).Flush()
			},
		})
		w := Start(Launch{Config: Configuration(InDev(ServerAt("far", "http://localhost:"+far.port()+"/sse", "", `"transport":"sse"`)))})
		w.Initialize()

		Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).To(ContainSubstring("heard"))
		Expect(far.targets("initialize")).To(Equal([]string{"/messages"}))
	})

	DescribeTable("that answers a notification with a body without an end is opened at once", Label("H06"), func(kind string) {
		var late atomic.Bool
		w := start(startURLServer(map[string]urlHandler{"notifications/initialized": func(w http.ResponseWriter, r *http.Request, _ string) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, ": open\n\n")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(5 * time.Second): // the limit on a notification is twice as long
				late.Store(true)
			}
		}}).URL)

		Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
		Expect(late.Load()).To(BeFalse(), "the workbench waited for the end of the answer")
	},
		Entry("a stream of events", "text/event-stream"),
		Entry("any other body", "text/plain"),
	)
})
