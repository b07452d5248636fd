package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// GatherInput asks a host with a handshake for the input that a server of 2026-07-28 requires.
// required is the server's result, an object. It calls done with the members of the parameters
// that continue the call, without the braces of an object, or with an error. GatherInput does not
// wait for the host.
func (h *Host) GatherInput(ctx context.Context, server domain.ServerID, required json.RawMessage, done func(json.RawMessage, error)) {
	var requests []keyedRequest
	// Anything but an object has no requests.
	_ = rawjson.EachMember(rawjson.Member(required, "inputRequests"), func(key, value []byte) error {
		requests = append(requests, readRequest(key, value))
		return nil
	})
	if slices.ContainsFunc(requests, keyedRequest.foreign) {
		done(nil, errForeignRequest)
		return
	}
	responses := &inputResponses{missing: len(requests), state: rawjson.Member(required, "requestState"), done: done}
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

func readRequest(key, value []byte) keyedRequest {
	return keyedRequest{key: string(key), message: ports.Message{
		Method: rawjson.Text(rawjson.Member(value, "method")), Params: rawjson.Member(value, "params"),
	}}
}

// foreign reports whether hosts cannot be asked for this kind of request.
func (r keyedRequest) foreign() bool {
	_, known := requiredCapability[mcp.MCPMethod(r.message.Method)]
	return !known
}

// inputResponses gathers the host's answers until it has all of them.
type inputResponses struct {
	state json.RawMessage
	done  func(json.RawMessage, error)

	mu      sync.Mutex
	missing int
	answers rawjson.Object
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
		r.answers = r.answers.Raw(request.key, answer.Result)
	}
	last := r.missing == 0
	r.mu.Unlock()
	if last {
		r.finish()
	}
}

// finish passes the answers on. All of them have arrived, so r no longer changes.
func (r *inputResponses) finish() {
	if r.err != nil {
		r.done(nil, r.err)
		return
	}
	var params rawjson.Object
	if !r.answers.IsEmpty() {
		params = params.Raw("inputResponses", r.answers.JSON())
	}
	if r.state != nil {
		params = params.Raw("requestState", r.state)
	}
	r.done(params.Inside(), nil)
}

// hostError returns an error for the raw error object of the host's answer.
func hostError(object json.RawMessage) error {
	message := rawjson.Text(rawjson.Member(object, "message"))
	if message == "" {
		message = string(object)
	}
	return errors.New("the host answered: " + message)
}
