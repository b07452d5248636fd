package wording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Limits of how much of a model's text the user is shown, in characters.
const (
	maxReadableName      = 200
	maxReadableArgument  = 500
	maxReadableArguments = 3000
	unlimited            = 1 << 30
)

// ConfirmationQuestion returns the question for the user. Names and arguments, which come
// from servers and models, are between quotation marks and on one line: control characters, and
// what reorders or hides text, are shown as escapes.
func ConfirmationQuestion(q domain.ConfirmationQuestion) string {
	return confirmationQuestion(q, maxReadableArgument, maxReadableArguments)
}

// WholeConfirmationQuestion is ConfirmationQuestion with arguments of any length.
func WholeConfirmationQuestion(q domain.ConfirmationQuestion) string {
	return confirmationQuestion(q, unlimited, unlimited)
}

// confirmationQuestion shows as many characters of each argument, and of all of them.
func confirmationQuestion(q domain.ConfirmationQuestion, each, all int) string {
	var text strings.Builder
	text.WriteString(domain.WorkbenchAsks + "\nA call needs your approval. The tool is called only if you allow it.\n")
	if q.OfUnknownPage {
		text.WriteString("A page calls it. Pages of several servers are shown, and the host does not say which of them calls.\n")
	}
	fmt.Fprintf(&text, "Tool: %s\n", readableName(q.Tool.Tool))
	fmt.Fprintf(&text, "Server: %s in the toolbox %s\n", readableName(string(q.Tool.Server)), readableName(string(q.Tool.Toolbox)))
	lines := readableArguments(q.Arguments, each, all)
	if len(lines) == 0 {
		text.WriteString("Arguments: none")
		return text.String()
	}
	text.WriteString("Arguments:")
	for _, line := range lines {
		text.WriteString("\n  " + line)
	}
	return text.String()
}

// readableName returns a name in quotation marks.
func readableName(name string) string {
	shown := domain.NewLimitedText(maxReadableName)
	shown.Quote(name)
	return shown.String()
}

// readableArguments returns the members of a JSON object, one per line, with values as JSON. A
// line that is cut ends with the number of characters that are left out.
func readableArguments(object json.RawMessage, each, all int) []string {
	var lines []string
	left, more, hidden := all, 0, 0
	err := rawjson.EachMember(object, func(name, value []byte) error {
		argument := domain.NewLimitedText(each)
		argument.Quote(string(name))
		argument.Add(": ")
		addValue(argument, value)
		if argument.Shown() > left {
			more++
			hidden += argument.Shown() + argument.Hidden()
			return nil
		}
		left -= argument.Shown()
		lines = append(lines, argument.String())
		return nil
	})
	if err != nil {
		// Arguments that are not an object are shown unparsed.
		whole := domain.NewLimitedText(all)
		whole.Quote(string(object))
		return []string{whole.String()}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("… %s with %s", domain.Counted(more, "more argument"), domain.Counted(hidden, "character")))
	}
	return lines
}

// spaced puts a space after each comma and colon, and removes all other spaces.
var spaced = strings.NewReplacer(",", ", ", ":", ": ", " ", "", "\t", "", "\r", "", "\n", "")

// addValue adds valid JSON text, spaced.
func addValue(to *domain.LimitedText, value []byte) {
	at := 0
	rawjson.EachString(value, func(quoted []byte) {
		begin := at + bytes.IndexByte(value[at:], '"')
		to.Add(spaced.Replace(string(value[at:begin])))
		to.Quote(rawjson.Text(quoted))
		at = begin + len(quoted)
	})
	to.Add(spaced.Replace(string(value[at:])))
}
