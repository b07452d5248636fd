package background

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

const (
	// maxKeptSize is the size of the largest message that is kept to be sent again.
	maxKeptSize = 64 << 10
	// maxKept is the maximum number of openings, and of subscriptions, that are kept.
	maxKept = 256
	// maxPending is the maximum number of requests under way that are noted, and maxPendingBytes of the bytes of
	// those that can be made again.
	//
	// Decision: further requests are passed on but not noted. If the workbench ends, the host gets no answer to them.
	maxPending      = 4096
	maxPendingBytes = 8 << 20
)

// conversation holds the messages of a host that are sent to a new workbench, and the requests under way. The zero
// value is a conversation that has not begun. It is not safe for concurrent use.
type conversation struct {
	pending     map[string]*request // of the host, by the key of their ids; at most maxPending
	keptBytes   int                 // of the lines in pending
	asked       map[string]struct{} // raw ids of requests to the host
	initialize  []byte
	initialized []byte
	level       []byte
	opened      []kept // in their order
	subscribed  []kept
}

// kept is a request that is made again at a new workbench: it opens a toolbox or subscribes to a resource.
type kept struct {
	name string
	line []byte
}

// request is an unanswered request of the host.
type request struct {
	id     []byte
	method mcp.MCPMethod
	count  int // of requests with this id
	// line is the request if it can be made again without harm, else nil. again says that it was made again.
	line  []byte
	again bool
	// The toolbox that the request opens or closes, or the resource that it subscribes to or unsubscribes from.
	opens, closes, subscribes, unsubscribes string
}

// harmless are the methods of requests that can be made twice.
var harmless = []mcp.MCPMethod{
	mcp.MethodInitialize, mcp.MethodPing, mcp.MethodServerDiscover, mcp.MethodToolsList, mcp.MethodResourcesList,
	mcp.MethodResourcesTemplatesList, mcp.MethodPromptsList, mcp.MethodSetLogLevel, mcp.MethodResourcesSubscribe,
	mcp.MethodResourcesUnsubscribe, mcp.MethodSubscriptionsListen, mcp.MethodCompletionComplete, mcp.MethodPromptsGet,
}

// fromHost notes a message of the host. The message is the parsed line.
func (c *conversation) fromHost(message *jsonrpc.Message, line []byte) {
	switch {
	case message.IsRequest():
		c.begin(message, line)
	case message.IsNotification():
		if message.Method == mcp.MethodNotificationInitialized {
			c.initialized = bytes.Clone(line)
		}
		if message.Method == mcp.MethodNotificationCancelled {
			c.cancel(jsonrpc.IDKey(rawjson.Member(message.Params, "requestId")))
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
	key := jsonrpc.IDKey(message.ID)
	if twice := c.pending[key]; twice != nil {
		twice.count++
		return
	}
	if len(c.pending) >= maxPending {
		return
	}
	sent := &request{id: bytes.Clone(message.ID), method: message.Method, count: 1}
	c.pending[key] = sent
	if len(line) > maxKeptSize || c.keptBytes+len(line) > maxPendingBytes {
		return
	}
	switch message.Method {
	case mcp.MethodToolsCall:
		sent.readCall(message.Params)
	case mcp.MethodResourcesSubscribe:
		sent.subscribes = uri(message.Params)
	case mcp.MethodResourcesUnsubscribe:
		sent.unsubscribes = uri(message.Params)
	}
	if slices.Contains(harmless, message.Method) || sent.opens != "" {
		sent.line = bytes.Clone(line)
		c.keptBytes += len(line)
	}
}

// cancel forgets a request that the host cancelled, which gets no answer. Only initialize cannot be cancelled.
func (c *conversation) cancel(key string) {
	sent := c.pending[key]
	if sent == nil || sent.method == mcp.MethodInitialize {
		return
	}
	if sent.count--; sent.count == 0 {
		c.forget(key, sent)
	}
}

// forget removes a request that is no longer under way.
func (c *conversation) forget(key string, sent *request) {
	delete(c.pending, key)
	c.keptBytes -= len(sent.line)
}

// readCall reads the name of the toolbox that a call opens or closes.
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
	case domain.ToolOpenToolbox:
		r.opens = call.Arguments.Toolbox
	case domain.ToolCloseToolbox:
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
		if c.asked != nil && len(c.asked) < 4*maxKept {
			c.asked[string(message.ID)] = struct{}{}
		}
		return
	case message.IsNotification():
		return
	}
	key := jsonrpc.IDKey(message.ID)
	sent := c.pending[key]
	if sent == nil {
		return
	}
	if sent.count--; sent.count > 0 {
		return
	}
	c.forget(key, sent)
	if message.Result == nil {
		return
	}
	switch {
	case sent.method == mcp.MethodInitialize:
		c.initialize = sent.line
	case sent.method == mcp.MethodSetLogLevel:
		c.level = sent.line
	case string(rawjson.Member(message.Result, "isError")) == "true":
	case sent.opens != "":
		c.opened = keep(c.opened, sent.opens, sent.line)
	case sent.closes != "":
		c.opened = without(c.opened, sent.closes)
	case sent.subscribes != "":
		c.subscribed = keep(c.subscribed, sent.subscribes, sent.line)
	case sent.unsubscribes != "":
		c.subscribed = without(c.subscribed, sent.unsubscribes)
	}
}

func without(list []kept, name string) []kept {
	return slices.DeleteFunc(list, func(k kept) bool { return k.name == name })
}

func keep(list []kept, name string, line []byte) []kept {
	list = append(without(list, name), kept{name, line})
	return list[max(0, len(list)-maxKept):]
}

// replay returns the messages that a new workbench gets first: notifications, and requests whose answers the
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

// lose returns what a workbench left behind when it ended: requests to be made again, which stay pending, the ids
// of requests that failed, and the ids of the workbench's own requests, whose answers no workbench awaits.
func (c *conversation) lose() (again [][]byte, failed, asked []string) {
	for key, sent := range c.pending {
		mayRepeat := !sent.again || sent.method == mcp.MethodSubscriptionsListen // which is under way as long as the host listens
		if sent.line != nil && mayRepeat && sent.count == 1 {
			sent.again = true
			again = append(again, sent.line)
			continue
		}
		c.forget(key, sent)
		for range sent.count {
			failed = append(failed, string(sent.id))
		}
	}
	for id := range c.asked {
		asked = append(asked, id)
	}
	clear(c.asked)
	return again, failed, asked
}
