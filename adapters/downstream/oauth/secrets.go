package oauth

import (
	"cmp"
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
	known    []string          // one that contains another comes before it
	replacer *strings.Replacer // nil for none
}

// Learn hides a secret from now on, also as URLs encode it.
func (s *Secrets) Learn(secret string) {
	if len(secret) < minSecret {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, isKnown := slices.BinarySearchFunc(s.known, secret, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	if isKnown {
		return
	}
	s.known = slices.Insert(s.known, at, secret)
	var pairs []string
	for _, known := range s.known {
		pairs = append(pairs, known, "***")
		if encoded := url.QueryEscape(known); encoded != known {
			pairs = append(pairs, encoded, "***")
		}
	}
	s.replacer = strings.NewReplacer(pairs...)
}

// Redact returns the text without the secrets.
func (s *Secrets) Redact(text string) string {
	s.mu.RLock()
	replacer := s.replacer
	s.mu.RUnlock()
	if replacer == nil {
		return text
	}
	return replacer.Replace(text)
}
