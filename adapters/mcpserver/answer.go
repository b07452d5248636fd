package mcpserver

import (
	"encoding/json"
	"errors"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// replyFunc answers one request of the host. It does not keep the bytes of the answer. It returns
// false, and writes nothing, if the host cancelled the request or it was already answered.
type replyFunc func(ports.Answer) bool

// failure returns an answer with an error of the workbench's own.
func failure(code int, message string) ports.Answer {
	return ports.Answer{Error: jsonrpc.ErrorObject(code, domain.WithoutTags(message))}
}

// toolError returns the result of a failed tool.
func toolError(text string) ports.Answer { return ports.Answer{Result: wording.ErrorResult(text)} }

// frame frames the answer to a request. Results for hosts of 2026-07-28 must have a resultType;
// results for older hosts must not get one.
func frame(r *request, answer ports.Answer) jsonrpc.Frame {
	switch {
	case answer.Error != nil:
		return jsonrpc.RawError(r.id, answer.Error)
	case r.modern:
		return jsonrpc.ResultWith(r.id, missingType(answer), answer.Result, answer.Reading.Clean(answer.Result))
	}
	return jsonrpc.ResultWith(r.id, nil, answer.Result, answer.Reading.Clean(answer.Result))
}

// missingType returns the member "resultType":"complete" for a result that is an object without a resultType,
// nil for any other.
func missingType(answer ports.Answer) json.RawMessage {
	switch answer.Reading.ResultType(answer.Result) {
	case ports.UntypedResult:
		return completeMember
	case ports.CompleteResult:
		return nil
	}
	err := rawjson.EachMember(answer.Result, func(name, _ []byte) error {
		if string(name) == "resultType" {
			return errHasResultType
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return completeMember
}

var completeMember = json.RawMessage(`"resultType":"complete"`)

var errHasResultType = errors.New("the result has a resultType")
