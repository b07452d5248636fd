package textedit

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

var (
	// ErrSyntax: the text is not JSON, TOML or YAML in UTF-8.
	ErrSyntax = errors.New("the text cannot be parsed")
	// ErrNotFound: the text has no such member.
	ErrNotFound = errors.New("no such member")
	// ErrNotEditable: the member is, or would be, in a place where a change would affect others.
	ErrNotEditable = errors.New("the text cannot be changed there")
)

func at(path []string) string { return strings.Join(path, ".") }

// checkEncoding refuses texts that are not UTF-8, and names UTF-16, which editors on Windows write.
func checkEncoding(text []byte) error {
	switch {
	case len(text) >= 2 && (text[0] == 0xff && text[1] == 0xfe || text[0] == 0xfe && text[1] == 0xff || text[0] == 0 || text[1] == 0):
		return fmt.Errorf("%w: it is in UTF-16, not in UTF-8", ErrSyntax)
	case !utf8.Valid(text):
		return fmt.Errorf("%w: it is not in UTF-8", ErrSyntax)
	}
	return nil
}

const byteOrderMark = "\ufeff"
