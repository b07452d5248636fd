package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Request is a request of a host to the model.
type Request struct {
	// Body is the raw JSON.
	Body []byte
	// Text is the text that the model reads: every string in the body, unquoted, one after the other.
	Text string
	// Tools are the names of the tools that the host offers.
	Tools []string
	// Results are the texts of the tool results in the conversation so far.
	Results []string

	stream bool
}

// readRequest reads a request of any of the formats: the wanted values are in members
// with unique names and types.
func readRequest(body []byte) (Request, error) {
	var whole object
	if err := json.Unmarshal(body, &whole); err != nil {
		return Request{}, fmt.Errorf("read the host's request: %w", err)
	}
	request := Request{Body: body, Text: textOf(whole), Tools: toolNames(whole["tools"])}
	request.stream, _ = whole["stream"].(bool)
	walk(whole, func(o object) bool {
		if response, ok := o["functionResponse"]; ok {
			request.Results = append(request.Results, textOf(response))
			return false
		}
		if o["type"] == "tool_result" || o["type"] == "function_call_output" || o["role"] == "tool" {
			request.Results = append(request.Results, textOf(o))
			return false
		}
		return true
	})
	return request, nil
}

// toolNames returns the names of the tools in the value of "tools".
func toolNames(tools any) []string {
	var names []string
	list, _ := tools.([]any)
	for _, element := range list {
		tool, _ := element.(object)
		if declared, ok := tool["functionDeclarations"]; ok {
			names = append(names, toolNames(declared)...)
			continue
		}
		if function, ok := tool["function"].(object); ok {
			tool = function
		}
		if name, ok := tool["name"].(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// walk visits every object, below those for which visit reports true.
func walk(value any, visit func(object) bool) {
	switch value := value.(type) {
	case object:
		if !visit(value) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			walk(value[name], visit)
		}
	case []any:
		for _, element := range value {
			walk(element, visit)
		}
	}
}

// textOf returns the names of members and the texts below a value, each on a separate
// line.
func textOf(value any) string {
	var text strings.Builder
	appendText(&text, value)
	return text.String()
}

func appendText(text *strings.Builder, value any) {
	switch value := value.(type) {
	case string:
		text.WriteString(value + "\n")
	case object:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			text.WriteString(name + "\n")
			appendText(text, value[name])
		}
	case []any:
		for _, element := range value {
			appendText(text, element)
		}
	}
}
