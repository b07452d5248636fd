package domain

import (
	"net/url"
	"slices"
	"strings"
)

// PathClimbs reports whether a path of an address has "." or ".." segments, also such that readers of addresses make
// of it, an escape that is broken or hides a slash, or a control character, which they leave out. Behind the address of
// a server such a path can lead to another one.
func PathClimbs(path string) bool {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), func(segment string) bool {
		plain, err := url.PathUnescape(segment)
		return err != nil || plain == "." || plain == ".." || strings.ContainsAny(plain, "/\\")
	})
}
