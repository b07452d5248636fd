package mcpclient

import (
	"bytes"
	"encoding/json"

	"mcp-workbench/domain/protocol"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// resultForm finds the type of a result among its members, while the message is parsed.
type resultForm struct {
	typed    bool // resultType is "complete"
	doubtful bool // it may ask for input, or its type is not clear
	found    ports.ResultType
}

// see is for jsonrpc.ParseAnswer. Of a repeated result the last counts.
func (f *resultForm) see(name, value []byte) {
	switch {
	case name == nil:
		f.found = ports.UntypedResult
		if f.doubtful {
			f.found = ports.UnknownResult
		} else if f.typed {
			f.found = ports.CompleteResult
		}
		f.typed, f.doubtful = false, false
	case bytes.EqualFold(name, []byte("inputRequests")):
		f.doubtful = true
	case bytes.EqualFold(name, []byte("resultType")):
		isComplete := !f.typed && string(name) == "resultType" && string(value) == `"`+protocol.ResultComplete+`"`
		f.typed, f.doubtful = true, f.doubtful || !isComplete
	}
}

// result returns the type of the result of the message.
func (f *resultForm) result(result json.RawMessage) ports.ResultType {
	if rawjson.Kind(result) != '{' {
		return ports.UnknownResult
	}
	return f.found
}
