package selection

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"mcp-workbench/domain"
)

// question asks the process for a selection.
type question struct {
	// Program is a jq program, Expression a regular expression for Text. One of them is set.
	Program    string `json:"program,omitempty"`
	Expression string `json:"expression,omitempty"`
	Text       string `json:"text,omitempty"`
}

// answer has the output of a selection, or the error.
type answer struct {
	Output string                 `json:"output,omitempty"`
	More   bool                   `json:"more,omitempty"`
	Error  *domain.SelectionError `json:"error,omitempty"`
}

// writeQuestion writes a question with the values for its program. It does not copy them, since they may be large.
func writeQuestion(to io.Writer, asked question, values []json.RawMessage) error {
	head, err := json.Marshal(asked)
	if err != nil {
		return fmt.Errorf("write the question: %w", err)
	}
	writer := bufio.NewWriter(to) // which keeps its first error
	_, _ = writer.Write(head[:len(head)-1])
	_, _ = writer.WriteString(`,"values":[`)
	for i, value := range values {
		if i > 0 {
			_ = writer.WriteByte(',')
		}
		_, _ = writer.Write(value)
	}
	_, _ = writer.WriteString("]}")
	if err := writer.Flush(); err != nil {
		return fmt.Errorf("write the question: %w", err)
	}
	return nil
}

// readQuestion returns a question, and the input for its program: the only value, or a list of several. Numbers keep
// their digits.
func readQuestion(from io.Reader) (asked question, input any, failure *domain.SelectionError) {
	var read struct {
		question
		Values []any `json:"values"`
	}
	decoder := json.NewDecoder(from)
	decoder.UseNumber()
	decoder.DisallowUnknownFields() // a workbench of another version asks in another way
	if err := decoder.Decode(&read); err != nil {
		return question{}, nil, &domain.SelectionError{Kind: domain.SelectionRuntime, Message: fmt.Sprintf("the result cannot be decoded: %v", err)}
	}
	if len(read.Values) == 1 {
		return read.question, read.Values[0], nil
	}
	return read.question, read.Values, nil
}
