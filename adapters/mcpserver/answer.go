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
		return jsonrpc.Result(r.id, withResultType(answer.Result))
	}
	return jsonrpc.Result(r.id, answer.Result)
}

// withResultType returns the result with "resultType":"complete" in front, if it is an object
// without a resultType.
func withResultType(result json.RawMessage) json.RawMessage {
	members := 0
	err := rawjson.EachMember(result, func(name, _ []byte) error {
		members++
		if string(name) == "resultType" {
			return errHasResultType
		}
		return nil
	})
	if err != nil {
		return result
	}
	typed := append(make([]byte, 0, len(result)+len(completeMember)), "{"+completeMember...)
	if members > 0 {
		typed = append(typed, ',')
	}
	return append(typed, result[1:]...)
}

const completeMember = `"resultType":"complete"`

var errHasResultType = errors.New("the result has a resultType")
