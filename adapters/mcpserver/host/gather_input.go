package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// GatherInput asks a host with a handshake for the input that a server of 2026-07-28
// requires before it gives a result. Required is that "input_required" result. Done
// gets the members of the parameters that continue the call, without the braces of
// an object, or why there are none. GatherInput does not wait for the host.
func (h *Host) GatherInput(ctx context.Context, server domain.ServerID, required json.RawMessage, done func(json.RawMessage, error)) {
	var state json.RawMessage
	var requests []keyedRequest
	// The caller has seen that it is an object.
	_ = rawjson.EachMember(required, func(name, value []byte) error {
		switch string(name) {
		case "requestState":
			state = value
		case "inputRequests":
			requests = readInputRequests(value)
		}
		return nil
	})
	if slices.ContainsFunc(requests, keyedRequest.foreign) {
		done(nil, errForeignRequest)
		return
	}
	responses := &inputResponses{missing: len(requests), state: state, done: done}
	if len(requests) == 0 {
		responses.finish()
		return
	}
	for _, request := range requests {
		h.Request(ctx, server, request.message, func(answer ports.Answer, err error) { responses.add(request, answer, err) })
	}
}

// keyedRequest is one entry of inputRequests.
type keyedRequest struct {
	key     string
	message ports.Message
}

// foreign reports whether hosts are asked for nothing of that kind.
func (r keyedRequest) foreign() bool {
	_, known := requiredCapability[r.message.Method]
	return !known
}

func readInputRequests(raw json.RawMessage) []keyedRequest {
	var requests []keyedRequest
	// Anything but an object has no requests.
	_ = rawjson.EachMember(raw, func(key, value []byte) error {
		requests = append(requests, keyedRequest{key: string(key), message: ports.Message{
			Method: rawjson.Text(rawjson.Member(value, "method")), Params: rawjson.Member(value, "params"),
		}})
		return nil
	})
	return requests
}

// inputResponses gathers the host's answers until none is missing.
type inputResponses struct {
	state json.RawMessage
	done  func(json.RawMessage, error)

	mu      sync.Mutex
	missing int
	answers rawjson.Object
	some    bool // answers has members
	err     error
}

func (r *inputResponses) add(request keyedRequest, answer ports.Answer, err error) {
	r.mu.Lock()
	r.missing--
	switch {
	case err != nil:
		r.err = err
	case answer.Error != nil:
		r.err = fmt.Errorf("it asked for %s, and %w", request.message.Method, hostError(answer.Error))
	default:
		r.answers, r.some = r.answers.Raw(request.key, answer.Result), true
	}
	last := r.missing == 0
	r.mu.Unlock()
	if last {
		r.finish()
	}
}

// finish hands the answers on. No answer is missing, so nothing changes any more.
func (r *inputResponses) finish() {
	if r.err != nil {
		r.done(nil, r.err)
		return
	}
	var params rawjson.Object
	if r.some {
		params = params.Raw("inputResponses", r.answers.JSON())
	}
	if r.state != nil {
		params = params.Raw("requestState", r.state)
	}
	object := params.JSON()
	if len(object) == len("{}") {
		r.done(nil, nil)
		return
	}
	r.done(object[1:len(object)-1], nil)
}

// hostError makes an error of the raw error object that the host answered with.
func hostError(object json.RawMessage) error {
	message := rawjson.Text(rawjson.Member(object, "message"))
	if message == "" {
		message = string(object)
	}
	return errors.New("the host answered: " + message)
}
