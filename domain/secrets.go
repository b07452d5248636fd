package domain

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// minSecret is the length in bytes from which a value is redacted in text. Redacting shorter ones
// ("1", "true", "debug") would hide ordinary words too.
const minSecret = 8

// Secret is a value from the environment, from a server's "env" or "headers", or from a login in its
// address.
type Secret struct {
	Value string
	// Shown replaces the value in a message, for example "${TOKEN}".
	Shown string
}

// Secrets are the values that no message about a server may show.
type Secrets []Secret

// Redact replaces every secret, and every line of one, that has 8 bytes or more by its Shown text,
// longer values first.
func (s Secrets) Redact(text string) string { return s.Redactor()(text) }

// Redactor returns a function that does what Redact does, prepared for many texts. The function is safe
// for concurrent use.
func (s Secrets) Redactor() func(text string) string {
	var forms Secrets
	for _, secret := range s {
		forms = append(forms, secret.forms()...)
	}
	slices.SortStableFunc(forms, func(a, b Secret) int { return cmp.Compare(len(b.Value), len(a.Value)) })
	var pairs []string
	for _, form := range forms {
		if len(form.Value) >= minSecret {
			pairs = append(pairs, form.Value, form.Shown)
		}
	}
	if pairs == nil {
		return func(text string) string { return text }
	}
	return strings.NewReplacer(pairs...).Replace
}

// forms returns the secret in every form in which a message can contain it: whole, quoted, as part of
// a URL and decoded from one, without white space around it, and, since servers are read line by
// line, each of its lines.
func (s Secret) forms() Secrets {
	forms := Secrets{s}
	other := []string{EncodeURL(s.Value), url.PathEscape(s.Value), url.QueryEscape(s.Value), strings.TrimSpace(s.Value)}
	if decoded, err := url.PathUnescape(s.Value); err == nil {
		other = append(other, decoded)
	}
	for _, value := range other {
		if value != s.Value {
			forms = append(forms, Secret{Value: value, Shown: s.Shown})
		}
	}
	if quoted := strconv.Quote(s.Value); len(quoted) > len(s.Value)+2 {
		forms = append(forms, Secret{Value: quoted[1 : len(quoted)-1], Shown: s.Shown})
	}
	if !strings.Contains(s.Value, "\n") {
		return forms
	}
	for line := range strings.Lines(s.Value) {
		forms = append(forms, Secret{Value: strings.TrimSpace(line), Shown: s.Shown})
	}
	return forms
}
