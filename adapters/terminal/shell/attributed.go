package shell

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
)

// Limits of what the user is shown of one text of a server.
const (
	maxLines      = 50
	maxCharacters = 4000
	maxTitle      = 300 // of a field or a choice
	maxChoices    = 200 // of a field
)

// attributedText returns a text of a server for the user: after its name, with a mark before every further
// line, so that none looks like a line of the workbench, and cut before it fills the screen.
func attributedText(server domain.ServerID, text string) string {
	lines := strings.Split(strings.TrimRight(shortText(text, maxCharacters), "\r\n"), "\n")
	if excess := len(lines) - maxLines; excess > 0 {
		lines = append(lines[:maxLines], fmt.Sprintf("… %d more lines", excess))
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r")
	}
	return domain.LineText(string(server.Toolbox)+"/"+string(server.Server)) + strings.Join(lines, "\n  | ")
}

// shortText returns at most that many characters of text, and how many were left out.
func shortText(text string, characters int) string {
	count := utf8.RuneCountInString(text)
	if count <= characters {
		return text
	}
	return string([]rune(text)[:characters]) + fmt.Sprintf("… %d more characters", count-characters)
}
