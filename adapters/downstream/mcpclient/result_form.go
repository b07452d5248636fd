package mcpclient

import (
	"bytes"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// resultForm finds the type of a result, and whether its tool failed, among its members while the message is
// parsed.
type resultForm struct {
	typed    bool // resultType is "complete"
	doubtful bool // it may ask for input, or its type is not clear
	failed   bool // it has isError
	found    ports.ResultType
}

// see notes a member of the result; jsonrpc.ParseAnswer calls it. If a result is repeated, the last one
// counts.
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
	case string(name) == "isError":
		f.failed = string(value) == "true"
	case bytes.EqualFold(name, []byte("inputRequests")):
		f.doubtful = true
	case bytes.EqualFold(name, []byte("resultType")):
		isComplete := !f.typed && string(name) == "resultType" && string(value) == `"`+string(mcp.ResultTypeComplete)+`"`
		f.typed, f.doubtful = true, f.doubtful || !isComplete
	}
}

// reading returns what was noticed about the result of the message.
func (f *resultForm) reading(message jsonrpc.Message) ports.Reading {
	found := f.found
	if rawjson.Kind(message.Result) != '{' {
		found = ports.UnknownResult
	}
	return ports.NewResultReading(message.Result, message.Clean, found, f.failed)
}
