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

// inputRequired is the result with which a server of 2026-07-28 requests input.
type inputRequired struct {
	InputRequests json.RawMessage `json:"inputRequests"`
	RequestState  json.RawMessage `json:"requestState"`
}

// GatherInput returns a function that answers such a result (ports.ToolCall.Input), asking the person at
// the terminal one question after the other. The context bounds the questions.
func (h *Host) GatherInput(ctx context.Context, server domain.ServerID) func(json.RawMessage, func(json.RawMessage, error)) {
	return func(wanted json.RawMessage, supply func(json.RawMessage, error)) {
		go func() { supply(h.gather(ctx, server, wanted)) }()
	}
}

// gather returns the members of the parameters that continue the call, without braces.
func (h *Host) gather(ctx context.Context, server domain.ServerID, wanted json.RawMessage) (json.RawMessage, error) {
	var required inputRequired
	if err := json.Unmarshal(wanted, &required); err != nil {
		return nil, fmt.Errorf("read the requests of the server: %w", err)
	}
	requests := rawjson.Value{}
	if len(required.InputRequests) > 0 {
		var err error
		if requests, err = rawjson.Parse(required.InputRequests); err != nil || requests.Kind != '{' {
			return nil, errors.New("read the requests of the server: it is not an object")
		}
	}
	params := map[string]any{}
	responses := map[string]json.RawMessage{}
	for _, request := range requests.Parts {
		response, err := h.respond(ctx, server, request.Raw)
		if err != nil {
			return nil, err
		}
		responses[request.Name] = response
	}
	if len(responses) > 0 {
		params["inputResponses"] = responses
	}
	if required.RequestState != nil {
		params["requestState"] = required.RequestState
	}
	object, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("write the answers: %w", err)
	}
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
	answered := make(chan ports.Answer, 1)
	failed := make(chan error, 1)
	h.Request(ctx, server, ports.Message{Method: message.Method, Params: message.Params}, func(answer ports.Answer, err error) {
		failed <- err
		answered <- answer
	})
	if err := <-failed; err != nil {
		return nil, err
	}
	answer := <-answered
	if answer.Error != nil {
		return nil, errors.New("it asked for " + message.Method + ", which a shell does not do")
	}
	return answer.Result, nil
}
