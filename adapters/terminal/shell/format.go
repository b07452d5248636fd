package shell

import (
	"net/mail"
	"net/url"
	"time"
)

// format is a format of strings in a form.
type format struct {
	name, example string
	fits          func(text string) bool
}

// formats are those of MCP 2025-11-25, elicitation.
var formats = map[string]format{
	"email": {"an email address", "me@example.com", func(text string) bool {
		address, err := mail.ParseAddress(text)
		return err == nil && address.Address == text
	}},
	"uri": {"an address with its scheme", "https://example.com/a", func(text string) bool {
		address, err := url.Parse(text)
		return err == nil && address.Scheme != "" && (address.Host != "" || address.Opaque != "" || address.Path != "")
	}},
	"date":      {"a date", "2026-01-31", isTime(time.DateOnly)},
	"date-time": {"a date and a time with its zone", "2026-01-31T09:30:00Z", isTime(time.RFC3339)},
}

// isTime returns a function that reports whether a text is a time in a layout.
func isTime(layout string) func(string) bool {
	return func(text string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	}
}
