package oauth

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// maxChallenge is the maximum length of a header line with challenges, in bytes. Its scopes are
// shown to people and models.
const maxChallenge = 8 << 10

// ReadChallenge reads the Bearer challenges of a response as one: the first value of each
// parameter counts. The time is not set. A response may have several header lines, and a line several challenges. It
// ignores what it cannot read.
func ReadChallenge(header http.Header) logins.Challenge {
	var challenge logins.Challenge
	for _, line := range header.Values("WWW-Authenticate") {
		if len(line) > maxChallenge {
			continue
		}
		scanner := challengeScanner{rest: line}
		for scanner.next() {
			if strings.EqualFold(scanner.scheme, "Bearer") {
				takeParameter(&challenge, scanner.name, scanner.value)
			}
		}
	}
	return challenge
}

// takeParameter sets a parameter of a challenge, unless it is set.
func takeParameter(c *logins.Challenge, name, value string) {
	switch strings.ToLower(name) {
	case "resource_metadata":
		c.ResourceMetadata = cmp.Or(c.ResourceMetadata, value)
	case "scope":
		if c.Scopes == nil {
			c.Scopes = scopesOf(value)
		}
	case "error":
		c.Error = cmp.Or(c.Error, value)
	}
}

// challengeScanner reads the parameters of the challenges in one header line (RFC 9110
// section 11.6.1). A comma separates parameters as well as challenges; a word that is not followed
// by "=" begins a challenge.
type challengeScanner struct {
	rest                string
	scheme, name, value string
}

// next reads the next parameter, if there is one.
func (s *challengeScanner) next() bool {
	for {
		s.rest = strings.TrimLeft(s.rest, ", \t")
		if s.rest == "" {
			return false
		}
		word := s.word()
		after := strings.TrimLeft(s.rest, " \t")
		switch {
		case word == "": // not a token, so the rest cannot be read
			return false
		case strings.HasPrefix(after, "=") && !isToken68End(after):
			s.rest = strings.TrimLeft(after[1:], " \t")
			s.name, s.value = word, s.parameter()
			return true
		case strings.HasPrefix(after, "="): // the padding of a token68, which has no parameters
			s.rest = strings.TrimLeft(after, "=")
		default:
			s.scheme = word
		}
	}
}

// isToken68End reports whether text that begins with "=" is the end of a token68, such
// as that of Negotiate, and not a parameter's "=".
func isToken68End(text string) bool {
	after := strings.TrimLeft(text, "=")
	return after == "" || strings.HasPrefix(after, ",")
}

func (s *challengeScanner) word() string {
	end := strings.IndexFunc(s.rest, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`",;=()<>@\[]?{}`, c)
	})
	if end < 0 {
		end = len(s.rest)
	}
	word := s.rest[:end]
	s.rest = s.rest[end:]
	return word
}

// parameter reads a value: a quoted string, or what comes before the next comma.
func (s *challengeScanner) parameter() string {
	if !strings.HasPrefix(s.rest, `"`) {
		value, rest, _ := strings.Cut(s.rest, ",")
		s.rest = rest
		return strings.TrimSpace(value)
	}
	var value strings.Builder
	for i := 1; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '"':
			s.rest = s.rest[i+1:]
			return value.String()
		case c == '\\' && i+1 < len(s.rest):
			i++
			value.WriteByte(s.rest[i])
		default:
			value.WriteByte(c)
		}
	}
	s.rest = "" // the string is not closed
	return value.String()
}

// scopesOf returns the scopes in a text of scopes, each once.
func scopesOf(text string) []string { return union(strings.Fields(text)) }

// union returns the scopes of all lists, each once, in their order.
func union(lists ...[]string) []string {
	var scopes []string
	for _, scope := range slices.Concat(lists...) {
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}
