package selection

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"mcp-workbench/domain"
)

// question asks the process for a selection. The texts follow it unquoted, in the order of Sizes, since they
// may be large.
type question struct {
	// Program is a jq program, Expression a regular expression. One of them is set.
	Program    string `json:"program,omitempty"`
	Expression string `json:"expression,omitempty"`
	// MaxOutput bounds the output, in bytes.
	MaxOutput int   `json:"maxOutput"`
	Sizes     []int `json:"sizes"`
}

// answer has the output of a selection, or the error.
type answer struct {
	Output string                 `json:"output,omitempty"`
	More   bool                   `json:"more,omitempty"`
	Error  *domain.SelectionError `json:"error,omitempty"`
}

func writeQuestion(to io.Writer, asked question, texts []json.RawMessage) error {
	for _, text := range texts {
		asked.Sizes = append(asked.Sizes, len(text))
	}
	if err := json.NewEncoder(to).Encode(asked); err != nil {
		return fmt.Errorf("write the question: %w", err)
	}
	for _, text := range texts {
		if _, err := to.Write(text); err != nil {
			return fmt.Errorf("write the texts: %w", err)
		}
	}
	return nil
}

// maxInput is the maximum size of all texts of a question, in bytes: twice the size of the results that are kept
// for a host.
const maxInput = 128 << 20

func readQuestion(from io.Reader) (question, [][]byte, error) {
	reader := bufio.NewReader(from)
	line, err := reader.ReadBytes('\n')
	if err != nil {
		return question{}, nil, fmt.Errorf("read the question: %w", err)
	}
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return question{}, nil, fmt.Errorf("read the question: %w", err)
	}
	var texts [][]byte
	left := maxInput
	for _, size := range asked.Sizes {
		if left -= size; size < 0 || left < 0 {
			return question{}, nil, errors.New("the texts are too long")
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(reader, text); err != nil {
			return question{}, nil, fmt.Errorf("read the texts: %w", err)
		}
		texts = append(texts, text)
	}
	return asked, texts, nil
}
