package jsonrpc

import (
	"encoding/json"
	"regexp"
	"sync"
)

// leadingID and trailingID find the id of a message that cannot be read whole:
// as one of the first members, none before it holding a nested value, or as the
// very last member, which cannot be inside anything else. They are compiled on
// first use: nearly no run needs them.
var (
	leadingID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?[0-9]+|"[^"\\]*")\s*,`)
	})
	trailingID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`,\s*"id"\s*:\s*(-?[0-9]+|"[^"\\]*")\s*\}\s*$`)
	})
)

// SalvageID returns the id of a message of which only the ends are known, or that is
// not valid JSON, so that its request can be answered. It returns nil when the ends do
// not show an id beyond doubt.
func SalvageID(head, tail []byte) json.RawMessage {
	if match := leadingID().FindSubmatch(head); match != nil {
		return match[1]
	}
	if match := trailingID().FindSubmatch(tail); match != nil {
		return match[1]
	}
	return nil
}
