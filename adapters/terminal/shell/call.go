package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadArguments returns the arguments of a call: words, an object in the text of a flag, which is nil
// without the flag, or for the word "-" an object in the input.
//
// Failures: arguments that are given twice or cannot be read.
func ReadArguments(flag *string, words []string, input io.Reader) (Arguments, error) {
	var text []byte
	switch {
	case flag != nil && len(words) > 0:
		return Arguments{}, errors.New("arguments come from --args or from words, not from both")
	case flag != nil:
		text = []byte(*flag)
	case len(words) == 1 && words[0] == "-":
		var err error
		if text, err = io.ReadAll(input); err != nil {
			return Arguments{}, fmt.Errorf("read the arguments: %w", err)
		}
	default:
		pairs, err := ParseArguments(words)
		return Arguments{Words: pairs}, err
	}
	object, err := ReadObject(text)
	return Arguments{Object: object}, err
}

// Show prints a raw result, with asJSON in the bytes of the server. Without asJSON, the result of a tool
// that failed goes to screen.
//
// Failures: *CommandError if the tool failed, which was printed; those of printing.
func (p Printer) Show(raw json.RawMessage, screen io.Writer, asJSON bool) error {
	result, err := ReadResult(raw)
	switch {
	case err != nil:
		return err
	case asJSON:
		_, err = p.Out.Write(append(raw, '\n'))
	case result.IsError:
		p.Out = screen
		err = p.Print(result)
	default:
		err = p.Print(result)
	}
	if err == nil && result.IsError {
		err = &CommandError{Kind: ToolError}
	}
	return err
}
