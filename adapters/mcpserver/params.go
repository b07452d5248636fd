package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
)

// params are the members of a request's params that the workbench reads, in the
// host's bytes, for as long as the message is at hand; absent ones are nil. Names
// count in their exact case, of a repeated one the last.
type params struct {
	isObject        bool // absent and null params count as an empty object
	name            json.RawMessage
	arguments       object
	cursor          json.RawMessage
	protocolVersion json.RawMessage
	capabilities    json.RawMessage
	clientInfo      json.RawMessage
	level           json.RawMessage
	uri             json.RawMessage
	notifications   json.RawMessage
	taskID          json.RawMessage
	meta            meta
	// What a call is continued or made with, beside its arguments.
	task, inputResponses, requestState json.RawMessage
}

// object is a raw value that is taken apart if it is an object.
type object struct {
	raw     json.RawMessage
	members jsonscan.Tree
}

// isObject reports whether the value is an object; absent and null count as an
// empty one.
func (o object) isObject() bool { return o.members.Walked() || jsonscan.IsNull(o.raw) }

// meta is what the workbench reads of _meta.
type meta struct {
	version       string          // of the protocol, since 2026-07-28
	capabilities  json.RawMessage // of the host, likewise
	clientInfo    json.RawMessage // likewise
	logLevel      string          // that the host wants during the request, likewise
	progressToken json.RawMessage
	members       jsonscan.Tree
}

// ofInterest says which parts of a message the workbench looks into: the params,
// what every request carries, and the arguments of its own tools. The arguments
// for a server's tool are passed over whole.
func ofInterest(depth int, name []byte) bool {
	switch depth {
	case 0:
		return string(name) == "params"
	case 1:
		return string(name) == "arguments" || string(name) == "_meta"
	case 2:
		return string(name) == "tool"
	}
	return false
}

func readParams(raw json.RawMessage, members jsonscan.Tree) params {
	read := params{isObject: object{raw, members}.isObject()}
	members.Each(func(name, value []byte, inner jsonscan.Tree) {
		switch string(name) {
		case "name":
			read.name = value
		case "arguments":
			read.arguments = object{value, inner}
		case "cursor":
			read.cursor = value
		case "protocolVersion":
			read.protocolVersion = value
		case "capabilities":
			read.capabilities = value
		case "clientInfo":
			read.clientInfo = value
		case "level":
			read.level = value
		case "taskId":
			read.taskID = value
		case "uri":
			read.uri = value
		case "notifications":
			read.notifications = value
		case "task":
			read.task = value
		case "inputResponses":
			read.inputResponses = value
		case "requestState":
			read.requestState = value
		case "_meta":
			read.meta = readMeta(inner)
		}
	})
	return read
}

func readMeta(members jsonscan.Tree) meta {
	read := meta{members: members}
	members.Each(func(name, value []byte, _ jsonscan.Tree) {
		switch string(name) {
		case mcp.MetaKeyProtocolVersion:
			read.version = jsonscan.Text(value)
		case mcp.MetaKeyClientCapabilities:
			read.capabilities = value
		case mcp.MetaKeyClientInfo:
			read.clientInfo = value
		case mcp.MetaKeyLogLevel:
			read.logLevel = jsonscan.Text(value)
		case progressTokenKey:
			read.progressToken = value
		}
	})
	return read
}

const progressTokenKey = "progressToken"

// clientName returns the name in a host's clientInfo, "" when there is none.
func clientName(clientInfo json.RawMessage) string {
	if jsonscan.Kind(clientInfo) != '{' {
		return ""
	}
	return jsonscan.Text(jsonscan.Member(clientInfo, "name"))
}

// passedOn returns the members of _meta that are for the server, as they stand in
// an object, without its braces: trace context, keys of vendors; not those that
// speak of the hop between the host and the workbench. Nil if there are none.
func (m meta) passedOn() json.RawMessage {
	var text json.RawMessage
	m.members.Each(func(name, value []byte, _ jsonscan.Tree) {
		switch string(name) {
		case mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientCapabilities, mcp.MetaKeyClientInfo,
			mcp.MetaKeyLogLevel, mcp.MetaKeySubscriptionID, progressTokenKey:
			return
		}
		text = appendMember(text, string(name), value)
	})
	return text
}

// more returns the members that go to the server beside the arguments, in the
// same form.
func (p params) more() json.RawMessage {
	var text json.RawMessage
	text = appendMember(text, "task", p.task)
	text = appendMember(text, "inputResponses", p.inputResponses)
	return appendMember(text, "requestState", p.requestState)
}

// forServer returns parameters of one member, with what a request is continued
// with and the members of _meta that are for the server.
func (p params) forServer(name string, value json.RawMessage) json.RawMessage {
	text := append([]byte{'{'}, appendMember(nil, name, value)...)
	if more := p.more(); more != nil {
		text = append(append(text, ','), more...)
	}
	if meta := p.meta.passedOn(); meta != nil {
		text = append(append(append(text, `,"_meta":{`...), meta...), '}')
	}
	return append(text, '}')
}

// appendMember appends a member behind others, unless it is absent.
func appendMember(text json.RawMessage, name string, value []byte) json.RawMessage {
	if value == nil {
		return text
	}
	if text != nil {
		text = append(text, ',')
	}
	text = append(jsonscan.AppendQuote(text, name), ':')
	return append(text, value...)
}
