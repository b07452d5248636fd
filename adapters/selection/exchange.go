package selection

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/excerpts"
)

// question asks the process for a selection. It is a line, after which the result follows.
type question struct {
	// Program is a jq program, Expression a regular expression. One of them is set.
	Program    string `json:"program,omitempty"`
	Expression string `json:"expression,omitempty"`
	// Size is that of the result, in bytes.
	Size int `json:"size,omitempty"`
}

// answer has the output of a selection, or the error.
type answer struct {
	Output string                 `json:"output,omitempty"`
	More   bool                   `json:"more,omitempty"`
	Error  *domain.SelectionError `json:"error,omitempty"`
}

// writeQuestion writes a question and the result, which it does not copy, since it may be large.
func writeQuestion(to io.Writer, asked question, result json.RawMessage) error {
	asked.Size = len(result)
	err := json.NewEncoder(to).Encode(asked)
	if err == nil {
		_, err = to.Write(result)
	}
	if err != nil {
		return fmt.Errorf("write the question: %w", err)
	}
	return nil
}

// readQuestion returns a question with its input: for a program the only value of the result, or a list of several, and
// for an expression the lines of its text. Numbers keep their digits.
func readQuestion(from io.Reader) (asked question, input any, failure *domain.SelectionError) {
	reader := bufio.NewReader(from)
	head, err := reader.ReadBytes('\n')
	decoder := json.NewDecoder(bytes.NewReader(head))
	decoder.DisallowUnknownFields() // a workbench of another version, whose program was updated, asks in another way
	if decodeErr := decoder.Decode(&asked); decodeErr != nil && strings.HasPrefix(decodeErr.Error(), "json: unknown field") {
		return question{}, nil, &domain.SelectionError{Kind: domain.SelectionGone}
	} else if err = errors.Join(err, decodeErr); err != nil {
		return question{}, nil, undecodable(err)
	}
	result := make([]byte, asked.Size)
	if _, err := io.ReadFull(reader, result); err != nil {
		return question{}, nil, undecodable(err)
	}
	payload := excerpts.NewPayload(result)
	if asked.Expression != "" {
		return asked, inLines(payload), nil
	}
	if len(payload.Values) == 0 {
		return question{}, nil, &domain.SelectionError{Kind: domain.SelectionRuntime, Message: domain.NoJSON}
	}
	values := make([]any, len(payload.Values))
	for i, value := range payload.Values {
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.UseNumber()
		if err := decoder.Decode(&values[i]); err != nil {
			return question{}, nil, undecodable(err)
		}
	}
	if len(values) == 1 {
		return asked, values[0], nil
	}
	return asked, values, nil
}

func undecodable(err error) *domain.SelectionError {
	return &domain.SelectionError{Kind: domain.SelectionRuntime, Message: fmt.Sprintf("the result cannot be decoded: %v", err)}
}
