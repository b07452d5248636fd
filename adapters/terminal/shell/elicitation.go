package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/terminal"
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

// The actions in the answer to an elicitation.
const (
	accept  = "accept"
	decline = "decline"
	cancel  = "cancel"
)

// elicit asks the user at the terminal for what a server requests.
func (h *Host) elicit(ctx context.Context, server domain.ServerID, params json.RawMessage) (ports.Answer, error) {
	var wanted elicitation
	if err := json.Unmarshal(params, &wanted); err != nil {
		return ports.Answer{}, &ports.UnsupportedError{Reason: "the parameters of " + string(mcp.MethodElicitationCreate) + " cannot be read"}
	}
	from := attributedText(server, " asks: "+wanted.Message)
	switch {
	case wanted.Mode != "" && wanted.Mode != "form":
		h.screen.Print(from + " (declined, since a shell opens no pages)")
		return result(map[string]any{"action": decline})
	case !h.screen.CanAsk():
		h.screen.Print(from + " (declined, since there is no terminal to ask on)")
		return result(map[string]any{"action": decline})
	}
	asking := h.screen.Begin()
	defer asking.End()
	if err := asking.Print(from); err != nil {
		return ports.Answer{}, err
	}
	return fillIn(ctx, asking, wanted.RequestedSchema)
}

// errDeclined means that the user declined a form. One that they cancelled is terminal.ErrAborted.
var errDeclined = errors.New("declined")

// fillIn asks for each field of a form.
func fillIn(ctx context.Context, asking *terminal.Question, schema json.RawMessage) (ports.Answer, error) {
	fields, err := readFields(schema)
	if err != nil {
		_ = asking.Print("declined: " + domain.LineText(err.Error())) // the answer is the same
		return result(map[string]any{"action": decline})
	}
	if len(fields) == 0 {
		return confirm(ctx, asking)
	}
	_ = asking.Print("(an empty line means the default, or leaves an optional field out; !decline or !cancel ends the form)") // if this fails, so do the questions
	content := map[string]json.RawMessage{}
	for _, field := range fields {
		value, err := askField(ctx, asking, field)
		switch {
		case errors.Is(err, errDeclined):
			return result(map[string]any{"action": decline})
		case errors.Is(err, terminal.ErrAborted):
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
func confirm(ctx context.Context, asking *terminal.Question) (ports.Answer, error) {
	line, err := asking.Ask(ctx, "yes or no? ")
	yes, _ := terminal.ReadYesNo(line)
	switch {
	case errors.Is(err, terminal.ErrAborted):
		return result(map[string]any{"action": cancel})
	case err != nil:
		return ports.Answer{}, err
	case yes:
		return result(map[string]any{"action": accept, "content": map[string]any{}})
	}
	return result(map[string]any{"action": decline})
}

// askField asks for one field until the answer is valid. The value is nil when the field was left
// out.
func askField(ctx context.Context, asking *terminal.Question, f field) (json.RawMessage, error) {
	for _, choice := range f.choices[:min(len(f.choices), maxChoices)] {
		_ = asking.Print("  " + choice.line()) // if this fails, so does the question
	}
	if more := len(f.choices) - maxChoices; more > 0 {
		_ = asking.Print(fmt.Sprintf("  … %d more", more))
	}
	for {
		line, err := asking.Ask(ctx, f.question())
		switch {
		case err != nil:
			return nil, err
		case line == "!decline":
			return nil, errDeclined
		case line == "!cancel":
			return nil, terminal.ErrAborted
		case line == "" && f.Default != nil:
			return f.Default, nil
		case line == "" && !f.required:
			return nil, nil
		}
		value, err := f.read(line)
		if err == nil {
			return value, nil
		}
		_ = asking.Print("  " + err.Error()) // if this fails, so does the next question
	}
}
