package setup

import (
	"errors"
	"regexp"
	"strings"

	"mcp-workbench/domain/rawjson"
)

// publishedName matches what can name a server of a registry, with or without a version.
var publishedName = regexp.MustCompile(`^[A-Za-z0-9._/-]+(@[^\s{}"]*)?$`)

// Pasted reads the words of add as text that a page of a server prints: JSON, alone or behind a name. Such text can have
// secrets in it, so no message repeats it, and it is never asked of a registry.
//
// Failures: JSON without a name; a link of an editor; a command line in quotation marks; whatever else is no name.
func Pasted(words []string, dash int) (name string, text []byte, isPasted bool, err error) {
	if dash >= 0 || len(words) == 0 {
		return "", nil, false, nil
	}
	for _, word := range words {
		scheme, _, _ := strings.Cut(strings.ToLower(word), ":")
		if scheme != strings.ToLower(word) && (scheme == "cursor" || strings.HasPrefix(scheme, "vscode")) {
			return "", nil, false, errors.New("a link of an editor is not read; add what it describes: 'mcp-workbench add NAME -- COMMAND ARGS…' or 'mcp-workbench add NAME URL'")
		}
	}
	last := strings.TrimSpace(words[len(words)-1])
	switch {
	case strings.HasPrefix(last, "{") && len(words) == 2:
		return words[0], []byte(last), true, nil
	case strings.HasPrefix(last, "{") && len(words) == 1:
		if name = rawjson.Text(rawjson.Member([]byte(last), "name")); name == "" {
			err = errors.New("the JSON names no server; write 'mcp-workbench add NAME JSON'")
		}
		return name, []byte(last), err == nil, err
	case strings.ContainsAny(words[0], " \t\r\n{}\"'"):
		return "", nil, false, errors.New("this is no name of a server; write a command behind '--': 'mcp-workbench add NAME -- COMMAND ARGS…'")
	case len(words) == 1 && !isAddress(words[0]) && !strings.Contains(words[0], "=") && !publishedName.MatchString(words[0]):
		return "", nil, false, errors.New("this can be no name of a server of the registry; 'mcp-workbench search WORDS' finds names")
	}
	return "", nil, false, nil
}
