package mcpserver

import (
	"encoding/json"
	"errors"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/ports"
)

// answer is what goes back to the host in its own bytes: a result or an error
// object.
type answer struct {
	result json.RawMessage
	err    json.RawMessage
	// group may hold the answer until more were given; nil writes at once.
	group ports.FlushGroup
}

func (a answer) isSet() bool { return a.result != nil || a.err != nil }

// refusal is an answer with an error of this program's own.
func refusal(code int, message string) answer {
	return answer{err: jsonrpc.ErrorObject(code, message)}
}

// frame frames the answer to the request of that raw id. Results for hosts of
// 2026-07-28 have to carry a resultType; older ones must get none.
func (a answer) frame(id json.RawMessage, modern bool) jsonrpc.Frame {
	switch {
	case a.err != nil:
		return jsonrpc.RawError(id, a.err)
	case modern:
		return jsonrpc.Result(id, withResultType(a.result))
	}
	return jsonrpc.Result(id, a.result)
}

// errorAnswer is a tool result that says what went wrong.
func errorAnswer(text string) answer { return answer{result: present.ErrorResult(text)} }

// withResultType returns the result with "resultType":"complete" in front, if it
// is an object that has no resultType of its own.
func withResultType(result json.RawMessage) json.RawMessage {
	members := 0
	err := jsonscan.EachMember(result, func(name, _ []byte) error {
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
