package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// tool is a tool of the demo server. The function call returns the text of the result. The
// text of its error becomes a result with isError.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	call        func(ctx context.Context, arguments json.RawMessage, progress func(done, total int)) (string, error)
}

func (s *server) tools() []tool {
	return []tool{
		{
			Name: "add_note", Description: "Keeps a note in memory until the server exits",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
			call:        s.addNote,
		},
		{
			Name: "list_notes", Description: "Lists the kept notes",
			InputSchema: json.RawMessage(`{"type":"object"}`),
			call:        s.listNotes,
		},
		{
			Name: "text_statistics", Description: "Counts the lines, words and characters of a text",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
			call:        textStatistics,
		},
		{
			Name: "count_slowly", Description: "Counts up to a number, one step every 200 ms, and reports its progress",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"integer","minimum":1,"maximum":100}},"required":["to"]}`),
			call:        countSlowly,
		},
	}
}

func (s *server) addNote(_ context.Context, arguments json.RawMessage, _ func(int, int)) (string, error) {
	text, err := textArgument(arguments)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, text)
	return fmt.Sprintf("Kept as note %d.", len(s.notes)), nil
}

func (s *server) listNotes(context.Context, json.RawMessage, func(int, int)) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.notes) == 0 {
		return "There are no notes.", nil
	}
	var list strings.Builder
	for i, note := range s.notes {
		fmt.Fprintf(&list, "%d. %s\n", i+1, note)
	}
	return strings.TrimSuffix(list.String(), "\n"), nil
}

func textStatistics(_ context.Context, arguments json.RawMessage, _ func(int, int)) (string, error) {
	text, err := textArgument(arguments)
	if err != nil {
		return "", err
	}
	lines := len(strings.Split(text, "\n"))
	return fmt.Sprintf("%d lines, %d words, %d characters", lines, len(strings.Fields(text)), utf8.RuneCountInString(text)), nil
}

const countStep = 200 * time.Millisecond

func countSlowly(ctx context.Context, arguments json.RawMessage, progress func(int, int)) (string, error) {
	var want struct {
		To int `json:"to"`
	}
	if err := json.Unmarshal(arguments, &want); err != nil || want.To < 1 || want.To > 100 {
		return "", errors.New("'to' must be a whole number from 1 to 100")
	}
	for done := 1; done <= want.To; done++ {
		select {
		case <-time.After(countStep):
			progress(done, want.To)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return fmt.Sprintf("Counted to %d.", want.To), nil
}

func textArgument(arguments json.RawMessage) (string, error) {
	var given struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(arguments, &given); err != nil || given.Text == nil {
		return "", errors.New("'text' must be a string")
	}
	return *given.Text, nil
}
