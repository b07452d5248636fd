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
	// maxKept is the maximum number of messages that every new workbench gets.
	maxKept = 512
	// maxAsked is the maximum number of requests to the host that are noted.
	maxAsked = 1024
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
	pending      map[string]*request // of the host, by the key of their ids; at most maxPending
	pendingBytes int                 // of the lines in pending
	asked        map[string]struct{} // raw ids of requests to the host; at most maxAsked
	kept         []kept              // at most maxKept
}

// kept is a message that every new workbench gets, since it has an effect there. A later one with the same effect
// replaces it.
type kept struct {
	effect string
	line   []byte
	// isUncertain says that the host cancelled the request, so that its outcome is not known.
	isUncertain bool
}

// request is an unanswered request of the host.
type request struct {
	id     []byte
	method mcp.MCPMethod
	count  int // of requests with this id
	// line is the request if it can be made again without harm, else nil. again says that it was made again.
	line  []byte
	again bool
	// effect names a state of the workbench, such as "toolbox files", that the request begins, or ends if ends is set. It is
	// "" for other requests.
	effect string
	ends   bool
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
	case message.IsResponse():
		delete(c.asked, string(message.ID))
	case message.Method == mcp.MethodNotificationInitialized:
		c.keep(kept{effect: string(message.Method), line: bytes.Clone(line)})
	case message.Method == mcp.MethodNotificationCancelled:
		c.cancel(jsonrpc.IDKey(rawjson.Member(message.Params, "requestId")))
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
	if len(line) > maxKeptSize || c.pendingBytes+len(line) > maxPendingBytes {
		return
	}
	sent.readEffect(message.Params)
	opens := message.Method == mcp.MethodToolsCall && sent.effect != "" && !sent.ends
	if opens || slices.Contains(harmless, message.Method) {
		sent.line = bytes.Clone(line)
		c.pendingBytes += len(line)
	}
}

// openToolbox begins the effect of an opening, before the name of the toolbox.
const openToolbox = "toolbox "

// readEffect reads what the request begins or ends at the workbench.
func (r *request) readEffect(params json.RawMessage) {
	text := func(object json.RawMessage, member string) string {
		return rawjson.Text(rawjson.Member(object, member))
	}
	switch r.method {
	case mcp.MethodInitialize, mcp.MethodSetLogLevel:
		r.effect = string(r.method)
	case mcp.MethodResourcesSubscribe, mcp.MethodResourcesUnsubscribe:
		r.effect, r.ends = "resource "+text(params, "uri"), r.method == mcp.MethodResourcesUnsubscribe
	case mcp.MethodToolsCall:
		if name := text(params, "name"); name == domain.ToolOpenToolbox || name == domain.ToolCloseToolbox {
			r.effect = openToolbox + text(rawjson.Member(params, "arguments"), "toolbox")
			r.ends = name == domain.ToolCloseToolbox
		}
	}
}

// cancel forgets a request that the host cancelled, which gets no answer. Only initialize cannot be cancelled.
//
// Decision: it counts as done. The workbench opens and closes a toolbox also for a host that gave up, and to open one
// that was not opened does no harm. Only a subscription ends with its request.
func (c *conversation) cancel(key string) {
	sent := c.pending[key]
	if sent == nil || sent.method == mcp.MethodInitialize {
		return
	}
	if sent.count--; sent.count > 0 {
		return
	}
	c.forget(key, sent)
	if sent.method != mcp.MethodResourcesSubscribe {
		c.take(sent, true)
	}
}

// take notes what a request did. With isUncertain it was cancelled.
func (c *conversation) take(done *request, isUncertain bool) {
	switch {
	case done.effect == "":
	case done.ends:
		c.kept = slices.DeleteFunc(c.kept, func(k kept) bool { return k.effect == done.effect })
	case done.line != nil:
		c.keep(kept{done.effect, done.line, isUncertain})
	}
}

// hasFailed reports whether an answer is an error, or the result of a failed call.
func hasFailed(answer *jsonrpc.Message) bool {
	return answer.Result == nil || string(rawjson.Member(answer.Result, "isError")) == "true"
}

// forget removes a request that is no longer under way.
func (c *conversation) forget(key string, sent *request) {
	delete(c.pending, key)
	c.pendingBytes -= len(sent.line)
}

// fromWorkbench notes a message of the workbench.
func (c *conversation) fromWorkbench(message *jsonrpc.Message) {
	if message.IsRequest() && c.asked != nil && len(c.asked) < maxAsked {
		c.asked[string(message.ID)] = struct{}{}
	}
	if !message.IsResponse() {
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
	if !hasFailed(message) {
		c.take(sent, false)
	}
}

// keep keeps a message in the place of one with the same effect, otherwise after the others if there is room.
func (c *conversation) keep(message kept) {
	i := slices.IndexFunc(c.kept, func(k kept) bool { return k.effect == message.effect })
	switch {
	case i >= 0:
		message.isUncertain = message.isUncertain && c.kept[i].isUncertain
		c.kept[i] = message
	case len(c.kept) < maxKept:
		c.kept = append(c.kept, message)
	}
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
