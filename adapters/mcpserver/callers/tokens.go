package callers

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"slices"
)

// Token is a configured token.
type Token struct {
	// Name is the name of the token in logs.
	Name string
	// Value is the token itself. An empty one admits no caller.
	Value string
	// Toolboxes are those that its callers can see, nil for all.
	Toolboxes []string
}

// knownTokens holds the tokens that are accepted. It never changes.
type knownTokens struct {
	// open says that callers need no token; openEnded is closed when that ends.
	open      bool
	openEnded chan struct{}
	tokens    []knownToken
	// versions counts how often the token of each name changed.
	versions map[string]int
}

// knownToken is a token that is accepted.
type knownToken struct {
	name   string
	digest [sha256.Size]byte
	access Access
	ended  chan struct{} // closing it revokes the access
}

// newKnownTokens returns the tokens that replace others: tokens that did not change keep their
// identity. Once a token is needed, one is always needed.
func newKnownTokens(tokens []Token, before *knownTokens) *knownTokens {
	after := &knownTokens{
		open: before.open && len(tokens) == 0, openEnded: before.openEnded, versions: maps.Clone(before.versions),
	}
	for _, token := range tokens {
		if token.Value != "" {
			after.tokens = append(after.tokens, after.known(token, before))
		}
	}
	return after
}

func (k *knownTokens) known(token Token, before *knownTokens) knownToken {
	digest := sha256.Sum256([]byte(token.Value))
	for _, old := range before.tokens {
		if old.name == token.Name && old.digest == digest && sameToolboxes(old.access.Toolboxes, token.Toolboxes) {
			return old
		}
	}
	identity := fmt.Sprintf("token %q", token.Name)
	if k.versions[token.Name]++; k.versions[token.Name] > 1 {
		identity += fmt.Sprintf(" (%d)", k.versions[token.Name])
	}
	ended := make(chan struct{})
	return knownToken{
		name: token.Name, digest: digest, ended: ended,
		access: Access{Identity: identity, Toolboxes: token.Toolboxes, Revoked: ended},
	}
}

// sameToolboxes reports whether two lists name the same toolboxes. A nil list, which means
// all, differs from an empty one.
func sameToolboxes(a, b []string) bool {
	return (a == nil) == (b == nil) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// find returns the token of that value, nil if there is none. How long it takes does not
// depend on the value.
func (k *knownTokens) find(value string) *knownToken {
	digest := sha256.Sum256([]byte(value))
	var found *knownToken
	for i := range k.tokens {
		if subtle.ConstantTimeCompare(k.tokens[i].digest[:], digest[:]) == 1 {
			found = &k.tokens[i]
		}
	}
	return found
}

// SetTokens replaces the configured tokens. Requests with tokens that are no longer accepted
// end immediately. ended reports whether an access came from such a token.
func (g *Gate) SetTokens(tokens []Token) (ended func(Access) bool) {
	before := g.known.Load()
	after := newKnownTokens(tokens, before)
	g.known.Store(after)
	gone := map[string]bool{}
	if before.open && !after.open {
		g.log.Warn("a token is needed from now on")
		close(before.openEnded)
		gone[""] = true
	}
	for _, old := range before.tokens {
		if !slices.ContainsFunc(after.tokens, func(t knownToken) bool { return t.access.Identity == old.access.Identity }) {
			close(old.ended)
			gone[old.access.Identity] = true
		}
	}
	for _, now := range after.tokens {
		if !slices.ContainsFunc(before.tokens, func(t knownToken) bool { return t.access.Identity == now.access.Identity }) {
			g.log.Warn("a token is new or has other toolboxes than before", "token", now.name)
		}
	}
	for identity := range gone {
		g.log.Info("an identity is no longer accepted, so its sessions and calls end", "identity", identity)
	}
	return func(a Access) bool { return gone[a.Identity] }
}
