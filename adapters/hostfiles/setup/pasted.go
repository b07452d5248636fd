package setup

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"strings"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/rawjson"
)

// publishedName matches what can name a server of a registry, with or without a version.
var publishedName = regexp.MustCompile(`^[A-Za-z0-9._/-]+(@[^\s{}"]*)?$`)

// Pasted is text that a page of a server prints: JSON, alone or behind a name, or a link of an editor.
type Pasted struct {
	Name string
	Text []byte
	// IsLinked is true for a link, whose settings its reader does not see.
	IsLinked bool
}

// ReadPasted reads the words of add as such text. It can have secrets in it, so no message repeats it, and it is never
// asked of a registry.
//
// Failures: JSON without a name; a link that cannot be read; a command line in quotation marks; whatever else is no name.
func ReadPasted(words []string, dash int) (pasted Pasted, isPasted bool, err error) {
	if dash >= 0 || len(words) == 0 {
		return Pasted{}, false, nil
	}
	last := strings.TrimSpace(words[len(words)-1])
	named, text, isLink := linked(last)
	if isJSON := strings.HasPrefix(last, "{") || strings.HasPrefix(last, `"`) && strings.Contains(last, "{"); isJSON {
		text, named = []byte(last), hostfiles.NameIn([]byte(last))
	}
	switch {
	case isLink && (text == nil || len(words) > 2):
		return Pasted{}, false, errors.New("this link of an editor has no server that can be read; add what it describes: " +
			"'mcp-workbench add NAME -- COMMAND ARGS…' or 'mcp-workbench add NAME URL'")
	case text != nil && len(words) == 2:
		return Pasted{words[0], text, isLink}, true, nil
	case text != nil && len(words) == 1:
		if named == "" {
			err = errors.New("the text names no server, or several; write 'mcp-workbench add NAME JSON', or 'mcp-workbench import -' for several")
		}
		return Pasted{named, text, isLink}, err == nil, err
	case strings.ContainsAny(words[0], " \t\r\n{}\"'"):
		return Pasted{}, false, errors.New("this is no name of a server; write a command behind '--': 'mcp-workbench add NAME -- COMMAND ARGS…'")
	case len(words) == 1 && !isAddress(words[0]) && !strings.Contains(words[0], "=") && !publishedName.MatchString(words[0]):
		return Pasted{}, false, errors.New("this can be no name of a server of the registry; 'mcp-workbench search WORDS' finds names")
	}
	return Pasted{}, false, nil
}

// linkPages are the pages that lead to an editor, which installs the server.
var linkPages = regexp.MustCompile(`^https://((www\.)?cursor\.com/.*install-mcp|(insiders\.)?vscode\.dev/redirect)`)

// linked returns the server of a link with which a page installs it in an editor, as far as the link has one, and whether
// a word is such a link.
func linked(word string) (name string, text []byte, isLink bool) {
	address, err := url.Parse(word)
	if err != nil || address.Scheme != "cursor" && !strings.HasPrefix(address.Scheme, "vscode") && !linkPages.MatchString(word) {
		return "", nil, false
	}
	query := address.Query()
	if inner := query.Get("url"); inner != "" {
		name, text, _ = linked(inner)
		return name, text, true
	}
	server := query.Get("config")
	if whole, err := url.QueryUnescape(address.RawQuery); err == nil && strings.HasPrefix(whole, "{") {
		server = whole
	} else if decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.ReplaceAll(server, " ", "+"), "=")); err == nil {
		server = string(decoded)
	}
	if !strings.HasPrefix(server, "{") {
		return "", nil, true
	}
	return cmp.Or(query.Get("name"), rawjson.Text(rawjson.Member([]byte(server), "name"))), []byte(server), true
}
