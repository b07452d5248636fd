package domain

import (
	"cmp"
	"slices"
	"strings"
)

// shortestSecret is the length in bytes from which a value is taken out of
// text: shorter ones ("1", "true", "debug") would take ordinary words with them.
const shortestSecret = 8

// Secret is a value that came from the environment or from a server's "env".
type Secret struct {
	Value string
	// Shown stands in a message where the value would, for example "${TOKEN}".
	Shown string
}

// Secrets are the values that no message about a server may show.
type Secrets []Secret

// Redact returns text with every secret of 8 bytes or more replaced by what is
// shown for it, longer values first where one holds the other.
func (s Secrets) Redact(text string) string { return s.Redactor()(text) }

// Redactor returns Redact prepared for many texts. It is safe for concurrent
// use.
func (s Secrets) Redactor() func(text string) string {
	sorted := slices.SortedStableFunc(slices.Values(s), func(a, b Secret) int {
		return cmp.Compare(len(b.Value), len(a.Value))
	})
	var pairs []string
	for _, secret := range sorted {
		if len(secret.Value) >= shortestSecret {
			pairs = append(pairs, secret.Value, secret.Shown)
		}
	}
	if pairs == nil {
		return func(text string) string { return text }
	}
	return strings.NewReplacer(pairs...).Replace
}
