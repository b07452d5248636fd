package background

import (
	"bytes"
	"encoding/json"
	"slices"

	"mcp-workbench/adapters/jsonrpc"
)

const (
	// longestKept is the size of the largest message that is kept to be sent again.
	longestKept = 64 << 10
	// mostKept is the number of openings and of subscriptions that are kept.
	mostKept = 256
)

// conversation is what a new workbench has to know of the conversation with a host. The zero value is one
// that has not begun. It is not safe for concurrent use.
type conversation struct {
	pending     map[string]*request // of the host, by raw id
	asked       map[string]struct{} // raw ids of requests to the host
	initialize  []byte
	initialized []byte
	level       []byte
	opened      []kept // in their order
	subscribed  []kept
}

// kept is a request to be made again: for a toolbox or a resource.
type kept struct {
	name string
	line []byte
}

// request is a request of the host that was not answered.
type request struct {
	id     []byte
	method string
	count  int // of requests with this id
	// line is the request if it can be made again without harm, else nil. again says that it was.
	line  []byte
	again bool
	// Of a request that opens or closes a toolbox, subscribes or unsubscribes.
	opens, closes, subscribes, unsubscribes string
}

// harmless are the methods of requests that can be made twice.
var harmless = []string{
	"initialize", "ping", "server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list",
	"logging/setLevel", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "completion/complete", "prompts/get",
}

// fromHost notes a message of the host. Message is that of the line.
func (c *conversation) fromHost(message *jsonrpc.Message, line []byte) {
	switch {
	case message.IsRequest():
		c.begin(message, line)
	case message.IsNotification():
		if message.Method == "notifications/initialized" {
			c.initialized = bytes.Clone(line)
		}
	default:
		delete(c.asked, string(message.ID))
	}
}

// begin notes a request.
func (c *conversation) begin(message *jsonrpc.Message, line []byte) {
	if c.pending == nil {
		c.pending, c.asked = map[string]*request{}, map[string]struct{}{}
	}
	if twice := c.pending[string(message.ID)]; twice != nil {
		twice.count++
		return
	}
	made := &request{id: bytes.Clone(message.ID), method: message.Method, count: 1}
	c.pending[string(message.ID)] = made
	if len(line) > longestKept {
		return
	}
	switch message.Method {
	case "tools/call":
		made.readCall(message.Params)
	case "resources/subscribe":
		made.subscribes = uri(message.Params)
	case "resources/unsubscribe":
		made.unsubscribes = uri(message.Params)
	}
	if slices.Contains(harmless, message.Method) || made.opens != "" {
		made.line = bytes.Clone(line)
	}
}

// readCall reads which toolbox a call opens or closes.
func (r *request) readCall(params json.RawMessage) {
	if !bytes.Contains(params, []byte("_toolbox")) {
		return
	}
	var call struct {
		Name      string `json:"name"`
		Arguments struct {
			Toolbox string `json:"toolbox"`
		} `json:"arguments"`
	}
	if json.Unmarshal(params, &call) != nil {
		return
	}
	switch call.Name {
	case "open_toolbox":
		r.opens = call.Arguments.Toolbox
	case "close_toolbox":
		r.closes = call.Arguments.Toolbox
	}
}

func uri(params json.RawMessage) string {
	var named struct {
		URI string `json:"uri"`
	}
	_ = json.Unmarshal(params, &named) // the workbench says what is wrong
	return named.URI
}

// fromWorkbench notes a message of the workbench.
func (c *conversation) fromWorkbench(message *jsonrpc.Message) {
	switch {
	case message.IsRequest():
		if c.asked != nil && len(c.asked) < 4*mostKept {
			c.asked[string(message.ID)] = struct{}{}
		}
		return
	case message.IsNotification():
		return
	}
	made := c.pending[string(message.ID)]
	if made == nil {
		return
	}
	if made.count--; made.count > 0 {
		return
	}
	delete(c.pending, string(message.ID))
	if message.Result == nil {
		return
	}
	switch {
	case made.method == "initialize":
		c.initialize = made.line
	case made.method == "logging/setLevel":
		c.level = made.line
	case bytes.Contains(message.Result, []byte(`"isError":true`)):
	case made.opens != "":
		c.opened = keep(c.opened, made.opens, made.line)
	case made.closes != "":
		c.opened = without(c.opened, made.closes)
	case made.subscribes != "":
		c.subscribed = keep(c.subscribed, made.subscribes, made.line)
	case made.unsubscribes != "":
		c.subscribed = without(c.subscribed, made.unsubscribes)
	}
}

func without(list []kept, name string) []kept {
	return slices.DeleteFunc(list, func(k kept) bool { return k.name == name })
}

func keep(list []kept, name string, line []byte) []kept {
	list = append(without(list, name), kept{name, line})
	return list[max(0, len(list)-mostKept):]
}

// replay returns what a new workbench is told first: notifications, and requests, whose answers the
// host does not see.
func (c *conversation) replay() [][]byte {
	var lines [][]byte
	for _, line := range [][]byte{c.initialize, c.initialized, c.level} {
		if line != nil {
			lines = append(lines, line)
		}
	}
	for _, k := range slices.Concat(c.opened, c.subscribed) {
		lines = append(lines, k.line)
	}
	return lines
}

// lose takes the requests that a workbench which ended did not answer: those to be made again, which stay
// pending, and the ids of those that failed; and the ids of its own requests, which nobody waits for any more.
func (c *conversation) lose() (again [][]byte, failed, asked []string) {
	for id, made := range c.pending {
		if made.line != nil && !made.again && made.count == 1 {
			made.again = true
			again = append(again, made.line)
			continue
		}
		delete(c.pending, id)
		for range made.count {
			failed = append(failed, id)
		}
	}
	for id := range c.asked {
		asked = append(asked, id)
	}
	clear(c.asked)
	return again, failed, asked
}
