package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// elicitation are the parameters of elicitation/create.
type elicitation struct {
	Mode            string          `json:"mode"`
	Message         string          `json:"message"`
	RequestedSchema json.RawMessage `json:"requestedSchema"`
}

// form is a requested schema: an object of flat fields.
type form struct {
	Properties json.RawMessage `json:"properties"`
	Required   []string        `json:"required"`
}

// What a person can do with a request for input.
const (
	accept  = "accept"
	decline = "decline"
	cancel  = "cancel"
)

// elicit asks a person what a server wants to know.
func (h *Host) elicit(ctx context.Context, server domain.ServerID, params json.RawMessage) (ports.Answer, error) {
	var wanted elicitation
	if err := json.Unmarshal(params, &wanted); err != nil {
		return refused("the parameters of " + domain.MethodElicitationCreate + " cannot be read")
	}
	from := fmt.Sprintf("%s/%s asks: %s", server.Toolbox, server.Server, wanted.Message)
	switch {
	case wanted.Mode != "" && wanted.Mode != "form":
		h.screen.Print(from + " (declined, since a shell opens no pages)")
		return result(map[string]any{"action": decline})
	case !h.asker.canAsk():
		h.screen.Print(from + " (declined, since there is no terminal to ask on)")
		return result(map[string]any{"action": decline})
	}
	h.asking.Lock()
	defer h.asking.Unlock()
	h.screen.pause()
	defer h.screen.resume()
	h.screen.Print(from)
	return h.fillIn(ctx, wanted.RequestedSchema)
}

// errCancelled and errDeclined are what a person decided.
var (
	errCancelled = errors.New("cancelled")
	errDeclined  = errors.New("declined")
)

// fillIn asks for each field of a form.
func (h *Host) fillIn(ctx context.Context, schema json.RawMessage) (ports.Answer, error) {
	fields, err := readFields(schema)
	if err != nil {
		h.screen.Print("declined: " + err.Error())
		return result(map[string]any{"action": decline})
	}
	if len(fields) == 0 {
		return h.confirm(ctx)
	}
	h.screen.Print("(an empty line takes the default or leaves a field out; !decline or !cancel ends the form)")
	content := map[string]json.RawMessage{}
	for _, field := range fields {
		value, err := h.askField(ctx, field)
		switch {
		case errors.Is(err, errDeclined):
			return result(map[string]any{"action": decline})
		case errors.Is(err, errCancelled), errors.Is(err, errInputEnded):
			return result(map[string]any{"action": cancel})
		case err != nil:
			return ports.Answer{}, err
		case value != nil:
			content[field.name] = value
		}
	}
	return result(map[string]any{"action": accept, "content": content})
}

// confirm asks for a yes to a form without fields.
func (h *Host) confirm(ctx context.Context) (ports.Answer, error) {
	line, err := h.asker.ask(ctx, "yes or no? ")
	switch {
	case errors.Is(err, errInputEnded):
		return result(map[string]any{"action": cancel})
	case err != nil:
		return ports.Answer{}, err
	case slices.Contains([]string{"y", "yes"}, strings.ToLower(line)):
		return result(map[string]any{"action": accept, "content": map[string]any{}})
	}
	return result(map[string]any{"action": decline})
}

// askField asks for one field until the answer fits. The value is nil when the field
// was left out.
func (h *Host) askField(ctx context.Context, f field) (json.RawMessage, error) {
	for _, choice := range f.choices {
		h.screen.Print("  " + choice.shown())
	}
	for {
		line, err := h.asker.ask(ctx, f.question())
		switch {
		case err != nil:
			return nil, err
		case line == "!decline":
			return nil, errDeclined
		case line == "!cancel":
			return nil, errCancelled
		case line == "" && f.preset != nil:
			return f.preset, nil
		case line == "" && !f.required:
			return nil, nil
		}
		value, err := f.read(line)
		if err == nil {
			return value, nil
		}
		h.screen.Print("  " + err.Error())
	}
}
