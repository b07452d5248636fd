package oauth

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// minSecret is the length in bytes from which a secret is hidden; see domain.Secrets.
const minSecret = 8

// Secrets are tokens, codes, verifiers and keys that no message may contain. The zero value has
// none. Safe for concurrent use.
type Secrets struct {
	mu       sync.RWMutex
	known    map[string]bool
	replacer *strings.Replacer // nil until it is needed after a change
}

// Learn hides a secret from now on, also as URLs encode it.
func (s *Secrets) Learn(secret string) {
	if len(secret) < minSecret {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known[secret] {
		return
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[secret], s.replacer = true, nil
}

// Redact returns the text without the secrets.
func (s *Secrets) Redact(text string) string {
	s.mu.RLock()
	replacer, hasSecrets := s.replacer, len(s.known) > 0
	s.mu.RUnlock()
	if !hasSecrets {
		return text
	}
	if replacer == nil {
		replacer = s.makeReplacer()
	}
	return replacer.Replace(text)
}

func (s *Secrets) makeReplacer() *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pairs []string
	for _, secret := range longestFirst(s.known) {
		pairs = append(pairs, secret, "***")
		if encoded := url.QueryEscape(secret); encoded != secret {
			pairs = append(pairs, encoded, "***")
		}
	}
	s.replacer = strings.NewReplacer(pairs...)
	return s.replacer
}

// longestFirst returns the secrets so that one that contains another comes before it.
func longestFirst(known map[string]bool) []string {
	return slices.SortedFunc(maps.Keys(known), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}
