package selection

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

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

// writeQuestion writes a question with the values for its program. It does not copy the values, since they may be large.
func writeQuestion(to io.Writer, asked question, values []json.RawMessage) error {
	var head bytes.Buffer
	encoder := json.NewEncoder(&head)
	encoder.SetEscapeHTML(false) // which would make a page of HTML six times as long
	if err := encoder.Encode(asked); err != nil {
		return fmt.Errorf("write the question: %w", err)
	}
	writer := bufio.NewWriter(to) // which keeps its first error
	_, _ = writer.Write(bytes.TrimSuffix(head.Bytes(), []byte("}\n")))
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
	decoder.DisallowUnknownFields() // a workbench of another version, whose program was updated, asks in another way
	switch err := decoder.Decode(&read); {
	case err != nil && strings.HasPrefix(err.Error(), "json: unknown field"):
		return question{}, nil, &domain.SelectionError{Kind: domain.SelectionGone}
	case err != nil:
		return question{}, nil, &domain.SelectionError{Kind: domain.SelectionRuntime, Message: fmt.Sprintf("the result cannot be decoded: %v", err)}
	}
	if len(read.Values) == 1 {
		return read.question, read.Values[0], nil
	}
	return read.question, read.Values, nil
}
