package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// supply asks a host with a handshake for what a server of 2026-07-28 wants to
// know before it gives a result, question by question at once, and hands on the
// members of the parameters that the call is continued with.
func (h *Host) supply(ctx context.Context, server domain.ServerID, wanted json.RawMessage, supplied func(json.RawMessage, error)) {
	var state json.RawMessage
	var questions []inputRequest
	// A result that was told apart by its members is an object.
	_ = jsonscan.EachMember(wanted, func(name, value []byte) error {
		switch string(name) {
		case "requestState":
			state = value
		case "inputRequests":
			questions = readInputRequests(value)
		}
		return nil
	})
	responses := &inputResponses{missing: len(questions), state: state, supplied: supplied}
	if len(questions) == 0 {
		responses.hand()
		return
	}
	for _, q := range questions {
		h.Request(ctx, server, q.message, func(answer ports.Answer, err error) { responses.add(q, answer, err) })
	}
}

// inputRequest is one thing that a server wants to know.
type inputRequest struct {
	key     string
	message ports.Message
}

func readInputRequests(raw json.RawMessage) []inputRequest {
	var questions []inputRequest
	// What is no object holds no requests.
	_ = jsonscan.EachMember(raw, func(key, value []byte) error {
		questions = append(questions, inputRequest{key: string(key), message: ports.Message{
			Method: jsonscan.Text(jsonscan.Member(value, "method")), Params: jsonscan.Member(value, "params"),
		}})
		return nil
	})
	return questions
}

// inputResponses gathers the host's answers until none is missing.
type inputResponses struct {
	state    json.RawMessage
	supplied func(json.RawMessage, error)

	mu      sync.Mutex
	missing int
	answers json.RawMessage // the members of an object
	err     error
}

func (r *inputResponses) add(q inputRequest, answer ports.Answer, err error) {
	r.mu.Lock()
	r.missing--
	switch {
	case err != nil:
		r.err = err
	case answer.Error != nil:
		r.err = fmt.Errorf("it asked for %s, and %w", q.message.Method, errHostAnswer(answer.Error))
	default:
		r.answers = appendMember(r.answers, q.key, bytes.Clone(answer.Result))
	}
	done := r.missing == 0
	r.mu.Unlock()
	if done {
		r.hand()
	}
}

// hand hands the answers on.
func (r *inputResponses) hand() {
	if r.err != nil {
		r.supplied(nil, r.err)
		return
	}
	var more json.RawMessage
	if r.answers != nil {
		more = appendMember(more, "inputResponses", append(append([]byte{'{'}, r.answers...), '}'))
	}
	r.supplied(appendMember(more, "requestState", r.state), nil)
}
