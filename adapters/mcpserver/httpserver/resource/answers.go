package resource

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
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
	// turn is who takes turns for the question.
	turn string
	// The lock of answers guards the fields below. until is when the answer expires, callers is how
	// many wait for it, and cancel ends the question.
	until   time.Time
	callers int
	cancel  context.CancelFunc
}

// answers holds the answers of the issuer that have not expired, up to a maximum number. Safe for
// concurrent use.
type answers struct {
	max int

	mu       sync.Mutex // guards the fields below, and those of answers that say so
	kept     map[digest]*answer
	accepted map[digest]struct{} // tokens that the issuer accepted before, up to the maximum number
	isFailed bool                // whether the last question had no answer
}

func newAnswers(maximum int) *answers {
	return &answers{max: maximum, kept: map[digest]*answer{}, accepted: map[digest]struct{}{}}
}

// find returns the answer about a token from a source, which may not be there yet. If it is new, the caller must ask
// the issuer and call settle.
func (a *answers) find(token digest, source string) (found *answer, isNew bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found := a.kept[token]; found != nil && (found.until.IsZero() || time.Now().Before(found.until)) {
		found.callers++
		return found, false
	}
	if len(a.kept) >= a.max {
		a.makeRoomLocked()
	}
	found = &answer{token: token, done: make(chan struct{}), callers: 1, turn: "source " + source}
	if _, ok := a.accepted[token]; ok {
		found.turn = "token " + string(token[:])
	}
	a.kept[token] = found
	return found, true
}

// begin sets what ends the question about a token.
func (a *answers) begin(found *answer, cancel context.CancelFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found.cancel = cancel
	if found.callers == 0 {
		cancel()
	}
}

// leave is for a caller that does not wait any more. The question ends with its last caller.
func (a *answers) leave(found *answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found.callers--; found.callers > 0 || !found.until.IsZero() {
		return
	}
	if a.kept[found.token] == found {
		delete(a.kept, found.token)
	}
	if found.cancel != nil {
		found.cancel()
	}
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
	for _, isDropped := range []func(*answer) bool{
		func(kept *answer) bool { return !kept.until.IsZero() && kept.err != nil }, // those that were refused first
		func(*answer) bool { return true },
	} {
		for token, kept := range a.kept {
			if len(a.kept) < a.max {
				return
			}
			if isDropped(kept) {
				delete(a.kept, token)
			}
		}
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
	if found.cancel != nil {
		found.cancel()
	}
	a.noteLocked(found, isKept)
	if !isKept && a.kept[found.token] == found {
		delete(a.kept, found.token)
	}
	close(found.done)
}

// noteLocked notes whether the issuer accepts a token.
func (a *answers) noteLocked(found *answer, isKept bool) {
	switch {
	case isKept && found.err != nil:
		delete(a.accepted, found.token)
	case isKept:
		for token := range a.accepted {
			if len(a.accepted) < a.max {
				break
			}
			delete(a.accepted, token)
		}
		a.accepted[found.token] = struct{}{}
	}
}
