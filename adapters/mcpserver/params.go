package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// params are the params of a request, in the host's bytes. They are valid until the function that
// handles the message returns. The members that calls need are read once; member reads others.
// Absent members are nil. Names are case-sensitive; of repeated members the last counts.
type params struct {
	object                    // all params
	name      json.RawMessage // of a tool or a prompt
	arguments object
	meta      meta
	task      json.RawMessage // of a call that becomes a task
	continuation
	// clean says that the message is UTF-8 without line ends.
	clean bool
	// group is for messages that the request causes at once; nil if there is none.
	group ports.FlushGroup
}

// continuation is the members of a request that continue another one.
type continuation struct{ requestState, inputResponses json.RawMessage }

// isModern reports whether the request is of 2026-07-28 or later.
func (p params) isModern() bool { return mcp.IsModernProtocol(p.meta.version) }

// object is a raw value, with its members if it is an object.
type object struct {
	raw     json.RawMessage
	members rawjson.Tree
}

// isObject reports whether the value is an object. Absent and null count as an empty one.
func (o object) isObject() bool { return o.members.Walked() || rawjson.IsNull(o.raw) }

// orOfText returns the object that a text is the JSON of, and every other value as it is. Hosts and models send
// objects as texts; where an object is wanted, such a text can be read in one way only.
func (o object) orOfText() object {
	if rawjson.Kind(o.raw) != '"' {
		return o
	}
	text := bytes.TrimSpace([]byte(rawjson.Text(o.raw)))
	members, err := rawjson.NewScanner().Tree(text, func(depth int, name []byte) bool { return partsOfInterest(depth+2, name) })
	if err != nil {
		return o
	}
	return object{text, members}
}

// member returns the value of the last member with that name, nil if there is none.
func (o object) member(name string) (value json.RawMessage) {
	o.members.Each(func(other, found []byte, _ rawjson.Tree) {
		if string(other) == name {
			value = found
		}
	})
	return value
}

// meta holds the members of _meta that the workbench reads. All but the progress token exist since
// 2026-07-28.
type meta struct {
	version       string          // of the protocol
	capabilities  json.RawMessage // of the host
	clientInfo    json.RawMessage
	logLevel      string // that the host wants during the request
	progressToken json.RawMessage
	members       rawjson.Tree
}

// partsOfInterest selects the objects in a message to descend into: the params, their _meta, and
// the arguments of the workbench's own tools. The arguments for a server's tool are kept whole.
func partsOfInterest(depth int, name []byte) bool {
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

func readParams(message jsonrpc.Message, members rawjson.Tree, group ports.FlushGroup) params {
	read := params{object: object{message.Params, members}, clean: message.Clean, group: group}
	members.Each(func(name, value []byte, inner rawjson.Tree) {
		switch string(name) {
		case "name":
			read.name = value
		case "arguments":
			read.arguments = object{value, inner}
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

func readMeta(members rawjson.Tree) meta {
	read := meta{members: members}
	members.Each(func(name, value []byte, _ rawjson.Tree) {
		switch string(name) {
		case mcp.MetaKeyProtocolVersion:
			read.version = rawjson.Text(value)
		case mcp.MetaKeyClientCapabilities:
			read.capabilities = value
		case mcp.MetaKeyClientInfo:
			read.clientInfo = value
		case mcp.MetaKeyLogLevel:
			read.logLevel = rawjson.Text(value)
		case progressTokenKey:
			read.progressToken = value
		}
	})
	return read
}

const progressTokenKey = "progressToken"

// clientName returns the name in a host's clientInfo, "" if there is none.
func clientName(clientInfo json.RawMessage) string {
	return rawjson.Text(rawjson.Member(clientInfo, "name"))
}

// forwarded returns the members of _meta for the server, without the braces of an object: trace
// context and keys of vendors, but not those about the connection between the host and the
// workbench. It returns nil if there are none.
//
// Decision: the task that a request belongs to is left out. Servers put the answer to such a request into the
// messages of that task, which may be another host's, and take it for an answer to a question of their own with
// the same id. Requests about a task name it in their parameters, and its owner is checked there.
func (m meta) forwarded() json.RawMessage {
	var text json.RawMessage
	m.members.Each(func(name, value []byte, _ rawjson.Tree) {
		switch string(name) {
		case mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientCapabilities, mcp.MetaKeyClientInfo,
			mcp.MetaKeyLogLevel, mcp.MetaKeySubscriptionID, mcp.RelatedTaskMetaKey, progressTokenKey:
			return
		}
		text = appendMember(text, string(name), value)
	})
	return text
}

// extra returns the members that the server gets beside the arguments, in the form of forwarded.
func (p params) extra() json.RawMessage {
	var text json.RawMessage
	text = appendMember(text, "task", p.task)
	text = appendMember(text, "inputResponses", p.inputResponses)
	return appendMember(text, "requestState", p.requestState)
}

// forServer returns parameters for a server: the named member, unless its value is nil, the
// members of extra, and _meta.
func (p params) forServer(name string, value json.RawMessage) json.RawMessage {
	object := rawjson.Object{}.Members(appendMember(nil, name, value)).Members(p.extra())
	if meta := p.meta.forwarded(); meta != nil {
		object = object.Raw("_meta", rawjson.Object{}.Members(meta).JSON())
	}
	return object.JSON()
}

// appendMember appends a member to others, unless its value is nil.
func appendMember(text json.RawMessage, name string, value []byte) json.RawMessage {
	if value == nil {
		return text
	}
	if text != nil {
		text = append(text, ',')
	}
	text = append(rawjson.AppendQuote(text, name), ':')
	return append(text, value...)
}
