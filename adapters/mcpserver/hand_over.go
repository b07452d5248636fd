package mcpserver

import (
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// errParams: the params of a request are no object.
var errParams = errors.New("params must be an object")

// standInID is the id that mcp-go sees: it would round a large one, and the
// answer is framed with the host's own.
const standInID = "1"

// handOver returns the request as mcp-go gets it: with one envelope member of
// each name in its exact case, so that two parsers cannot read it differently,
// and for tools/call without the arguments. Those stay in the exchange, in the
// host's bytes; mcp-go would parse them four times.
func (e *exchange) handOver() (json.RawMessage, error) {
	params := e.params
	if jsonrpc.IsNull(params) {
		params = json.RawMessage("{}")
	}
	if jsonrpc.Kind(params) != '{' {
		return nil, errParams
	}
	if e.method == string(mcp.MethodToolsCall) {
		var err error
		if params, err = e.takeArguments(params); err != nil {
			return nil, err
		}
	}
	message := append(make([]byte, 0, len(params)+64), `{"jsonrpc":"2.0","id":`+standInID+`,"method":`...)
	message = append(message, jsonrpc.Quote(e.method)...)
	message = append(message, `,"params":`...)
	message = append(message, params...)
	return append(message, '}'), nil
}

// takeArguments moves the arguments of tools/call into the exchange and returns
// the params without them.
func (e *exchange) takeArguments(params json.RawMessage) (json.RawMessage, error) {
	rest := []byte("{")
	err := jsonrpc.NewScanner().Object(params, func(name, value []byte) error {
		switch string(name) {
		case "arguments":
			e.arguments = value
			return nil
		case "name":
			e.tool = jsonrpc.Text(value)
		}
		if len(rest) > 1 {
			rest = append(rest, ',')
		}
		rest = append(rest, jsonrpc.Quote(string(name))...)
		rest = append(rest, ':')
		rest = append(rest, value...)
		return nil
	})
	return append(rest, '}'), err
}
