package domain

import "strings"

// ShellWord returns a text as one word of a command line, quoted if a POSIX shell would interpret it
// otherwise. A Windows path is quoted for the shells of Windows, unless it has a character that they
// would expand.
func ShellWord(text string) string {
	if drive, rest, ok := strings.Cut(text, `:\`); ok && len(drive) == 1 && !needsQuotes(rune(drive[0])) && !strings.Contains(rest, "%") {
		switch rest = strings.NewReplacer(`\`, "", "~", "").Replace(rest); {
		case !strings.ContainsFunc(rest, needsQuotes):
			return text
		case !strings.ContainsFunc(strings.NewReplacer(" ", "", "(", "", ")", "", "'", "", "&", "").Replace(rest), needsQuotes):
			return `"` + text + `"`
		}
	}
	if text != "" && !strings.ContainsFunc(text, needsQuotes) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// QuotedCommand returns a command line as a message quotes it: in single quotes, or in backquotes if
// one of its words is in single quotes itself.
func QuotedCommand(commandLine string) string {
	if strings.Contains(commandLine, "'") {
		return "`" + commandLine + "`"
	}
	return "'" + commandLine + "'"
}

// needsQuotes reports whether a character can have a meaning for a shell.
func needsQuotes(r rune) bool {
	isWord := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r > 0x7f && !Unseen(r)
	return !isWord && !strings.ContainsRune("-_./@%+=:,", r)
}
