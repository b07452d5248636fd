package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ReadArguments returns the arguments of each call: words, an object in the text of a flag, which is nil without the
// flag, or in the file that the text names after "@", or for the word "-" an object in the input, or an object on each
// line of it, for a call each.
//
// Failures: arguments that are given twice or cannot be read.
func ReadArguments(flag *string, words []string, input io.Reader) ([]Arguments, error) {
	var text []byte
	var err error
	switch {
	case flag != nil && len(words) > 0:
		return nil, errors.New("arguments come from --args or from words, not from both")
	case flag != nil && strings.HasPrefix(*flag, "@"):
		text, err = os.ReadFile((*flag)[1:])
	case flag != nil:
		text = []byte(*flag)
	case len(words) == 1 && words[0] == "-":
		text, err = io.ReadAll(input)
		if lines := bytes.Split(bytes.TrimSpace(text), []byte("\n")); err == nil && len(lines) > 1 && isObject(lines[0]) {
			return readLines(lines)
		}
	default:
		pairs, err := ParseArguments(words)
		if err != nil {
			return nil, err
		}
		return []Arguments{{Words: pairs}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	object, err := ReadObject(text)
	if err != nil {
		return nil, err
	}
	return []Arguments{{Object: object}}, nil
}

// isObject reports whether a line of the input is an object by itself, and not the beginning of one.
func isObject(line []byte) bool {
	_, err := ReadObject(line)
	return err == nil
}

// readLines reads an object on each line that is not blank. No call is made if one of them cannot be read.
func readLines(lines [][]byte) ([]Arguments, error) {
	var calls []Arguments
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		object, err := ReadObject(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		calls = append(calls, Arguments{Object: object})
	}
	return calls, nil
}

// Show prints a raw result, with asJSON in the bytes of the server, else as much as fits. Without asJSON, the result of a
// tool that failed goes to screen.
//
// Failures: *CommandError if the tool failed, which was printed; those of printing.
func (p Printer) Show(raw json.RawMessage, screen io.Writer, asJSON bool) error {
	fitted, note := raw, ""
	if !asJSON {
		fitted, note = p.fit(raw)
	}
	result := ReadResult(fitted)
	var err error
	switch {
	case asJSON:
		_, err = p.Out.Write(append(raw, '\n'))
	case result.IsError:
		p.Out = screen
		err = p.Print(result)
	default:
		err = p.Print(result)
	}
	if err == nil && note != "" {
		err = p.text(note)
	}
	if err == nil && result.IsError {
		err = &CommandError{Kind: ToolError}
	}
	return err
}
