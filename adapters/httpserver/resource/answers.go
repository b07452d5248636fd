package resource

import (
	"crypto/sha256"
	"sync"
	"time"

	"mcp-workbench/adapters/httpserver/access"
)

// digest identifies a token, so that tokens themselves are not kept.
type digest = [sha256.Size]byte

// answer is what the issuer answered about a token.
type answer struct {
	token digest
	// done is closed when the fields below are set; they do not change afterwards.
	done   chan struct{}
	access access.Access
	err    error
	// until is when the answer expires, guarded by the lock of answers.
	until time.Time
}

// answers holds the answers of the issuer that have not expired, up to a maximum number. Safe for
// concurrent use.
type answers struct {
	max int

	mu       sync.Mutex // guards the fields below, and answer.until
	kept     map[digest]*answer
	isFailed bool // whether the last question had no answer
}

func newAnswers(maximum int) *answers { return &answers{max: maximum, kept: map[digest]*answer{}} }

// find returns the answer about a token, which may not be there yet. If it is new, the caller must ask
// the issuer and call settle.
func (a *answers) find(token digest) (found *answer, isNew bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found := a.kept[token]; found != nil && (found.until.IsZero() || time.Now().Before(found.until)) {
		return found, false
	}
	if len(a.kept) >= a.max {
		a.makeRoomLocked()
	}
	found = &answer{token: token, done: make(chan struct{})}
	a.kept[token] = found
	return found, true
}

// makeRoomLocked drops the expired answers, and any other one if that makes no room. The issuer is asked
// again about a dropped token.
func (a *answers) makeRoomLocked() {
	now := time.Now()
	for token, kept := range a.kept {
		if !kept.until.IsZero() && !now.Before(kept.until) {
			delete(a.kept, token)
		}
	}
	for token := range a.kept {
		if len(a.kept) < a.max {
			return
		}
		delete(a.kept, token)
	}
}

// hasChanged records whether a question was answered, and reports whether that differs from the question
// before. Before the first question, it assumes an answer.
func (a *answers) hasChanged(isAnswered bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	changed := a.isFailed == isAnswered
	a.isFailed = !isAnswered
	return changed
}

// settle sets an answer. It is valid for [introspectionTime] if it is kept, otherwise only for the
// callers that wait for it.
func (a *answers) settle(found *answer, granted access.Access, err error, isKept bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found.access, found.err = granted, err
	found.until = time.Now().Add(introspectionTime)
	if !isKept && a.kept[found.token] == found {
		delete(a.kept, found.token)
	}
	close(found.done)
}
