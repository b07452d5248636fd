package httpserver_test

import (
	"encoding/json"
	"regexp"
	"strings"

	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
)

// anonymous is the access of every caller without authentication.
var anonymous = access.Access{}

// olderHost is a host with a handshake.
type olderHost struct {
	handler *testHandler
	caller  access.Access
	session string
}

// request returns a raw request.
func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func initialize(version, capabilities string) string {
	return request("1", "initialize", `{"protocolVersion":"`+version+`","capabilities":`+capabilities+`,"clientInfo":{"name":"spec","version":"1"}}`)
}

// connect makes the handshake of 2025-11-25.
func (d *testHandler) connect(caller access.Access) *olderHost {
	r := d.begin(caller, "POST", nil, initialize("2025-11-25", `{"elicitation":{}}`))
	Expect(r.code()).To(Equal(200), r.text())
	return &olderHost{handler: d, caller: caller, session: r.sent.Get("Mcp-Session-Id")}
}

func (h *olderHost) headers() map[string]string {
	return map[string]string{"Mcp-Session-Id": h.session, "Mcp-Protocol-Version": "2025-11-25"}
}

func (h *olderHost) post(body string) *response {
	return h.handler.begin(h.caller, "POST", h.headers(), body)
}

func (h *olderHost) get() *response { return h.handler.begin(h.caller, "GET", h.headers(), "") }

// resume asks for what came after an event.
func (h *olderHost) resume(event string) *response {
	headers := h.headers()
	headers["Last-Event-ID"] = event
	return h.handler.begin(h.caller, "GET", headers, "")
}

// use begins a call with progress.
func (h *olderHost) use(id string) *response { return h.post(request(id, "tools/call", using(""))) }

// using returns the params of a call, with further raw members of _meta.
func using(meta string) string {
	return `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"files","tool":"read"}},"_meta":{"progressToken":"p"` + meta + `}}`
}

// modernMeta returns the members that every message of 2026-07-28 carries.
func modernMeta(client, capabilities string) string {
	return `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities +
		`,"io.modelcontextprotocol/clientInfo":{"name":"` + client + `","version":"1"}`
}

// modernHeaders are those of a message of 2026-07-28.
func modernHeaders(method, name string) map[string]string {
	headers := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		headers["Mcp-Name"] = name
	}
	return headers
}

// useModern begins a call of a host of 2026-07-28.
func (d *testHandler) useModern(caller access.Access, client, id string) *response {
	body := request(id, "tools/call", using(modernMeta(client, "{}")))
	return d.begin(caller, "POST", modernHeaders("tools/call", "use_tool"), body)
}

var eventLine = regexp.MustCompile(`(?m)^(id|data): ?(.*)$`)

// events returns the messages of a stream, each with its id in front: "1-1 {…}".
func (r *response) events() []string { return eventsOf(r.text()) }

func eventsOf(text string) []string {
	var events []string
	for block := range strings.SplitSeq(text, "\n\n") {
		var id string
		var data []string
		for _, line := range eventLine.FindAllStringSubmatch(block, -1) {
			if line[1] == "id" {
				id = line[2]
			} else {
				data = append(data, line[2])
			}
		}
		if len(data) > 0 {
			events = append(events, strings.TrimSpace(id+" "+strings.Join(data, "\n")))
		}
	}
	return events
}

// field returns a text in the answer, by the path of its names.
func (r *response) field(path ...string) string {
	raw := json.RawMessage(r.text())
	for _, name := range path {
		var members map[string]json.RawMessage
		Expect(json.Unmarshal(raw, &members)).To(Succeed(), r.text())
		raw = members[name]
	}
	var text string
	Expect(json.Unmarshal(raw, &text)).To(Succeed(), r.text())
	return text
}

// errorCode returns the code of the error in the answer.
func (r *response) errorCode() int {
	var answer struct {
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	Expect(json.Unmarshal([]byte(r.text()), &answer)).To(Succeed(), r.text())
	return answer.Error.Code
}

func modernCall() string { return request("1", "tools/call", using(modernMeta("a", "{}"))) }

func with(header, value string) func(map[string]string) {
	return func(headers map[string]string) { headers[header] = value }
}

func without(header string) func(map[string]string) {
	return func(headers map[string]string) { delete(headers, header) }
}
