package protocol

import (
	"encoding/base64"
	"strings"

	"mcp-workbench/domain"
)

// Headers of MCP over HTTP (2026-07-28, SEP-2243; earlier versions, Streamable HTTP).
const (
	HeaderProtocolVersion = "Mcp-Protocol-Version"
	HeaderSessionID       = "Mcp-Session-Id"
	HeaderLastEventID     = "Last-Event-ID"
	// HeaderMethod repeats the method of the body.
	HeaderMethod = "Mcp-Method"
	// HeaderName repeats the name or the URI in the body.
	HeaderName = "Mcp-Name"
	// HeaderArgumentPrefix begins the headers that repeat arguments of a call.
	HeaderArgumentPrefix = "Mcp-Param-"
)

const encodedPrefix, encodedSuffix = "=?base64?", "?="

// RequiresHeaderName reports whether a request with this method carries HeaderName.
func RequiresHeaderName(method string) bool {
	return method == domain.MethodToolsCall || method == domain.MethodResourcesRead || method == domain.MethodPromptsGet
}

// EncodeHeaderValue returns text as the value of a header: itself, or in base64 with a mark
// around it if the text has characters that a header loses or cannot have (SEP-2243).
func EncodeHeaderValue(text string) string {
	isSafe := strings.Trim(text, " \t") == text && !isMarked(text) &&
		!strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
	if isSafe {
		return text
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(text)) + encodedSuffix
}

// DecodeHeaderValue returns the text that EncodeHeaderValue encoded. It reports false if the
// value is marked as base64, but is not valid base64.
func DecodeHeaderValue(value string) (string, bool) {
	if !isMarked(value) {
		return value, true
	}
	text, err := base64.StdEncoding.DecodeString(value[len(encodedPrefix) : len(value)-len(encodedSuffix)])
	return string(text), err == nil
}

func isMarked(value string) bool {
	return len(value) >= len(encodedPrefix)+len(encodedSuffix) &&
		strings.HasPrefix(value, encodedPrefix) && strings.HasSuffix(value, encodedSuffix)
}
