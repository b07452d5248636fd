package jsonrpc

import (
	"encoding/json"
	"regexp"
)

// leadingID and trailingID find the id of a message that cannot be read whole: among the first
// members, if those before it have no nested values, or as the last member, which cannot be
// inside another value. They find only ids that are JSON; invalid UTF-8 counts as U+FFFD.
var (
	leadingID  = regexp.MustCompile(`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?(?:0|[1-9][0-9]*)|"[^"\\\x00-\x1f\x{fffd}]*")\s*,`)
	trailingID = regexp.MustCompile(`,\s*"id"\s*:\s*(-?(?:0|[1-9][0-9]*)|"[^"\\\x00-\x1f\x{fffd}]*")\s*\}\s*$`)
)

// SalvageID returns the id of a message of which only the ends are known, or which is not valid
// JSON, so that the request can be answered. It returns nil if the id is not certain.
func SalvageID(head, tail []byte) json.RawMessage {
	if match := leadingID.FindSubmatch(head); match != nil {
		return match[1]
	}
	if match := trailingID.FindSubmatch(tail); match != nil {
		return match[1]
	}
	return nil
}
