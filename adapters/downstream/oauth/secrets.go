package oauth

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
)

const (
	// minSecret is the length in bytes from which a secret is hidden; see domain.Secrets. Below minPhrase it is hidden
	// only if it has the letters and digits of a token.
	minSecret, minPhrase = 8, 20
	// maxSecret is the length in bytes up to which a token is accepted and a secret is hidden.
	maxSecret = 16 << 10
	// maxSecrets and maxSecretBytes bound all that are hidden. Beyond them, those that were not seen for longest are
	// forgotten. Those of a login are seen with each of its requests.
	maxSecrets, maxSecretBytes = 512, 1 << 20
)

// Secrets are tokens, codes, verifiers and keys that no message may contain. The zero value has
// none. Safe for concurrent use.
//
// Decision: a server chooses its tokens, and must not choose which words are left out of the messages and the log about
// others. So a text is hidden only if no sentence and no address can contain it.
type Secrets struct {
	mu       sync.Mutex
	seen     map[string]int64 // when each was last learned, as a count
	count    int64
	size     int               // of all, in bytes
	replacer *strings.Replacer // of those seen, nil until Redact needs it
}

// Learn hides a secret of a server from now on, also as URLs encode it. It ignores texts that may be the words of a
// message.
func (s *Secrets) Learn(secret string) {
	if looksLikeSecret(secret) {
		s.learn(secret)
	}
}

// LearnOwn hides a secret of the user, which may be any text from minSecret bytes on.
func (s *Secrets) LearnOwn(secret string) {
	if minSecret <= len(secret) && len(secret) <= maxSecret {
		s.learn(secret)
	}
}

func (s *Secrets) learn(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	_, isKnown := s.seen[secret]
	if s.seen == nil {
		s.seen = map[string]int64{}
	}
	s.seen[secret] = s.count
	if isKnown {
		return
	}
	for s.size += len(secret); s.size > maxSecretBytes || len(s.seen) > maxSecrets; {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(s.seen)), func(a, b string) int { return cmp.Compare(s.seen[a], s.seen[b]) })
		delete(s.seen, oldest)
		s.size -= len(oldest)
	}
	s.replacer = nil
}

// looksLikeSecret reports whether no message has the text for another reason than that it shows the secret.
func looksLikeSecret(text string) bool {
	if len(text) < minSecret || len(text) > maxSecret || !isSendable(text) {
		return false
	}
	if len(text) >= minPhrase {
		return !canBePartOfLine(text)
	}
	hasLetter, hasDigit, isPlain := false, false, true
	for _, c := range text {
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
		isDigit := '0' <= c && c <= '9'
		hasLetter, hasDigit, isPlain = hasLetter || isLetter, hasDigit || isDigit, isPlain && (isLetter || isDigit || c == '-' || c == '_')
	}
	return hasLetter && hasDigit && isPlain
}

// canBePartOfLine reports whether a text without blanks can stand in a line of the log for another reason: as an attribute,
// an address, a list of these, a name of a key or a path.
func canBePartOfLine(text string) bool {
	const digits = "0123456789"
	const ofAddresses = digits + "abcdefABCDEF.:"
	hasMarks := strings.ContainsAny(text, ".:/")
	return strings.ContainsAny(strings.TrimRight(text, "="), `"'=[]%,`) || strings.Contains(text, "://") ||
		hasMarks && (!strings.ContainsAny(text, digits) || strings.Trim(text, ofAddresses) == "")
}

// isSendable reports whether a text can be sent in a header as it is: it has visible ASCII characters only.
func isSendable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}

// Redact returns the text without the secrets.
func (s *Secrets) Redact(text string) string {
	s.mu.Lock()
	if s.replacer == nil {
		s.replacer = s.replacerLocked()
	}
	replacer := s.replacer
	s.mu.Unlock()
	return replacer.Replace(text)
}

func (s *Secrets) replacerLocked() *strings.Replacer {
	// One that contains another comes before it.
	known := slices.SortedFunc(maps.Keys(s.seen), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs []string
	for _, secret := range known {
		pairs = append(pairs, secret, "***")
		if encoded := url.QueryEscape(secret); encoded != secret {
			pairs = append(pairs, encoded, "***")
		}
	}
	return strings.NewReplacer(pairs...)
}
