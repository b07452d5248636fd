package excerpts

import (
	"encoding/json"
	"strings"
)

// Payload is the part of a result that a model can select from.
type Payload struct {
	// Values are the JSON of a result: its structuredContent, unless that only repeats a text that is
	// JSON; otherwise each JSON object or array that is one of its texts, every line of one, the end of one below other
	// lines, or in a fence of Markdown, in order.
	Values []json.RawMessage
	// Text is all texts of the result, one below the other, or the structuredContent of a result
	// without texts.
	Text string
}

// NewPayload returns the payload of a result.
func NewPayload(result json.RawMessage) Payload {
	contents, _ := read(result)
	var texts []string
	var values []json.RawMessage
	for _, b := range contents.blocks {
		if !b.isText {
			continue
		}
		texts = append(texts, b.text)
		if value := jsonText(b.text); value != nil {
			values = append(values, value)
		} else if lines := jsonLines(b.text); lines != nil {
			values = append(values, lines...)
		} else {
			values = append(values, jsonWithin(b.text)...)
		}
	}
	switch {
	case contents.structured != nil:
		values = []json.RawMessage{contents.structured}
		if len(texts) == 0 {
			texts = []string{string(contents.structured)}
		}
	case len(values) == 0 && contents.repeated != nil:
		values = []json.RawMessage{contents.repeated}
	}
	return Payload{Values: values, Text: strings.Join(texts, "\n")}
}
