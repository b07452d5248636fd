package mcpserver

import (
	"encoding/json"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// params are the params of a request, in the host's bytes. They are valid until the function that
// handles the message returns. What calls need is read once; member reads what one other method
// needs. Absent members are nil. Names count in their exact case; of a repeated one the last
// counts.
type params struct {
	object                    // all of them
	name      json.RawMessage // of a tool or a prompt
	arguments object
	meta      meta
	// What a call has beside its arguments when it becomes a task or is continued.
	task, inputResponses, requestState json.RawMessage
	// group may be used for what the request causes at once; nil if there is none.
	group ports.FlushGroup
}

// isModern reports whether the request is of 2026-07-28 or later.
func (p params) isModern() bool { return protocol.IsModern(p.meta.version) }

// object is a raw value, with its members if it is an object.
type object struct {
	raw     json.RawMessage
	members rawjson.Tree
}

// isObject reports whether the value is an object; absent and null count as an
// empty one.
func (o object) isObject() bool { return o.members.Walked() || rawjson.IsNull(o.raw) }

// member returns the value of the last member of that name, nil if there is none.
func (o object) member(name string) (value json.RawMessage) {
	o.members.Each(func(other, found []byte, _ rawjson.Tree) {
		if string(other) == name {
			value = found
		}
	})
	return value
}

// meta is what the workbench reads of _meta.
type meta struct {
	version       string          // of the protocol, since 2026-07-28
	capabilities  json.RawMessage // of the host, likewise
	clientInfo    json.RawMessage // likewise
	logLevel      string          // that the host wants during the request, likewise
	progressToken json.RawMessage
	members       rawjson.Tree
}

// partsOfInterest selects the parts of a message that are taken apart: the params,
// their _meta, and the arguments of the workbench's own tools. The arguments for a
// server's tool stay whole.
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

func readParams(raw json.RawMessage, members rawjson.Tree, group ports.FlushGroup) params {
	read := params{object: object{raw, members}, group: group}
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
		case protocol.MetaProtocolVersion:
			read.version = rawjson.Text(value)
		case protocol.MetaClientCapabilities:
			read.capabilities = value
		case protocol.MetaClientInfo:
			read.clientInfo = value
		case protocol.MetaLogLevel:
			read.logLevel = rawjson.Text(value)
		case progressTokenKey:
			read.progressToken = value
		}
	})
	return read
}

const progressTokenKey = "progressToken"

// clientName returns the name in a host's clientInfo, "" when there is none.
func clientName(clientInfo json.RawMessage) string {
	if rawjson.Kind(clientInfo) != '{' {
		return ""
	}
	return rawjson.Text(rawjson.Member(clientInfo, "name"))
}

// forwarded returns the members of _meta that are for the server, as they stand in an
// object, without its braces: trace context and keys of vendors, but not those about
// the connection between the host and the workbench. Nil if there are none.
func (m meta) forwarded() json.RawMessage {
	var text json.RawMessage
	m.members.Each(func(name, value []byte, _ rawjson.Tree) {
		switch string(name) {
		case protocol.MetaProtocolVersion, protocol.MetaClientCapabilities, protocol.MetaClientInfo,
			protocol.MetaLogLevel, protocol.MetaSubscriptionID, progressTokenKey:
			return
		}
		text = appendMember(text, string(name), value)
	})
	return text
}

// continuation returns what the request continues another one with.
func (p params) continuation() continuation {
	return continuation{state: p.requestState, responses: p.inputResponses}
}

// extra returns the members that the server gets beside the arguments, in the same
// form.
func (p params) extra() json.RawMessage {
	var text json.RawMessage
	text = appendMember(text, "task", p.task)
	text = appendMember(text, "inputResponses", p.inputResponses)
	return appendMember(text, "requestState", p.requestState)
}

// forServer returns parameters with that one member, what continues a request, and
// the members of _meta that are for the server. A nil value leaves its member out.
func (p params) forServer(name string, value json.RawMessage) json.RawMessage {
	var object rawjson.Object
	if value != nil {
		object = object.Raw(name, value)
	}
	object = object.Members(p.extra())
	if meta := p.meta.forwarded(); meta != nil {
		object = object.Raw("_meta", rawjson.Object{}.Members(meta).JSON())
	}
	return object.JSON()
}

// appendMember appends a member behind others, unless it is absent.
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
