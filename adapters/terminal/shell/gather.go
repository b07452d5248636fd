package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// GatherInput returns a function for ports.ToolCall.Input. It answers a result that wants input by asking
// the user at the terminal one question after the other. The context bounds the questions.
func (h *Host) GatherInput(ctx context.Context, server domain.ServerID) func(json.RawMessage, func(json.RawMessage, error)) {
	return func(wanted json.RawMessage, supply func(json.RawMessage, error)) {
		go func() { supply(h.gather(ctx, server, wanted)) }()
	}
}

// gather returns the members of the parameters that continue the call, without braces.
func (h *Host) gather(ctx context.Context, server domain.ServerID, wanted json.RawMessage) (json.RawMessage, error) {
	required, err := rawjson.Parse(wanted)
	if err != nil {
		return nil, fmt.Errorf("read the requests of the server: %w", err)
	}
	requests := required.Member("inputRequests")
	if requests.Exists() && requests.Kind != '{' {
		return nil, errors.New("read the requests of the server: it is not an object")
	}
	var params, responses rawjson.Object
	for _, request := range requests.Parts {
		response, err := h.respond(ctx, server, request.Raw)
		if err != nil {
			return nil, err
		}
		responses = responses.Raw(request.Name, response)
	}
	if len(requests.Parts) > 0 {
		params = params.Raw("inputResponses", responses.JSON())
	}
	if state := required.Member("requestState"); state.Exists() {
		params = params.Raw("requestState", state.Raw)
	}
	object := params.JSON()
	return object[1 : len(object)-1], nil
}

// respond answers one request in a result.
func (h *Host) respond(ctx context.Context, server domain.ServerID, raw json.RawMessage) (json.RawMessage, error) {
	var message struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(raw, &message); err != nil {
		return nil, fmt.Errorf("read the requests of the server: %w", err)
	}
	outcomes := make(chan outcome, 1)
	h.Request(ctx, server, ports.Message{Method: message.Method, Params: message.Params}, func(answer ports.Answer, err error) {
		outcomes <- outcome{answer, err}
	})
	ended := <-outcomes
	if _, isUnsupported := errors.AsType[*ports.UnsupportedError](ended.err); isUnsupported {
		return nil, errors.New("it asked for " + message.Method + ", which a shell does not do")
	}
	return ended.answer.Result, ended.err
}
