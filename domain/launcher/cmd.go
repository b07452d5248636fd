package launcher

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// InterpretedByCmd returns the first argument of "cmd /c PROGRAM ARGUMENTS" that cmd.exe would not pass on but take as
// further commands, by its number from 1, and the character; 0 if there is none. A single text after /c is a command
// line of the user's own, as after "sh -c", and so are words such as "&&".
func InterpretedByCmd(command string, args []string) (number int, character string) {
	at := slices.IndexFunc(args, func(arg string) bool { return strings.EqualFold(arg, "/c") || strings.EqualFold(arg, "/k") })
	if domain.ProgramName(command) != "cmd" || at < 0 || len(args)-at <= 2 {
		return 0, ""
	}
	for i := at + 1; i < len(args); i++ {
		if found := interpreted(args[i]); found != "" {
			return i + 1, found
		}
	}
	return 0, ""
}

// interpreted returns the first character of an argument that cmd.exe interprets, "" for none. Arguments with blanks
// are passed in quotes, which protect them unless they have quotes themselves.
func interpreted(arg string) string {
	at := strings.IndexAny(arg, "&|<>^\r\n")
	switch {
	case at < 0, strings.Trim(arg, "&|<>0123456789") == "":
		return ""
	case strings.ContainsAny(arg, " \t") && !strings.ContainsAny(arg, "\"\r\n"):
		return ""
	case arg[at] == '\r', arg[at] == '\n':
		return "a line break"
	}
	return "'" + arg[at:at+1] + "'"
}
