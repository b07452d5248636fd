package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
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
	protocol        protocolData
}

// object is a raw value that is taken apart if it is an object.
type object struct {
	raw     json.RawMessage
	members jsonrpc.Tree
}

// isObject reports whether the value is an object; absent and null count as an
// empty one.
func (o object) isObject() bool { return o.members.Walked() || jsonrpc.IsNull(o.raw) }

// protocolData are the members of _meta that a request of 2026-07-28 carries.
type protocolData struct {
	version      string
	capabilities json.RawMessage
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

func readParams(raw json.RawMessage, members jsonrpc.Tree) params {
	read := params{isObject: object{raw, members}.isObject()}
	members.Each(func(name, value []byte, inner jsonrpc.Tree) {
		switch string(name) {
		case "name":
			read.name = value
		case "arguments":
			read.arguments = object{value, inner}
		case "cursor":
			read.cursor = value
		case "protocolVersion":
			read.protocolVersion = value
		case "_meta":
			read.protocol = readProtocolData(inner)
		}
	})
	return read
}

func readProtocolData(meta jsonrpc.Tree) protocolData {
	var data protocolData
	meta.Each(func(name, value []byte, _ jsonrpc.Tree) {
		switch string(name) {
		case mcp.MetaKeyProtocolVersion:
			data.version = jsonrpc.Text(value)
		case mcp.MetaKeyClientCapabilities:
			data.capabilities = value
		}
	})
	return data
}
