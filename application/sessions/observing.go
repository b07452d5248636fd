package sessions

import (
	"context"
	"errors"
	"slices"
	"time"

	"mcp-workbench/domain"
)

// observeStart tells the observer that an attempt has succeeded, or failed with an error. Call it before the
// attempt is finished: the observer then learns of a start before it learns of the calls that waited for the
// start.
func (s *Sessions) observeStart(attempt *Attempt, kind domain.ActivityKind, err error) {
	s.observe(attempt, kind, OutcomeFor(err), attempt.Since())
}

// observeEnd tells the observer that the session of an attempt is over.
func (s *Sessions) observeEnd(ended *Attempt) {
	outcome := domain.OutcomeOK
	if _, failed := ended.connection.life.failure(); failed && !s.isEnding() {
		outcome = domain.OutcomeError
	}
	s.observe(ended, domain.ActivityEnd, outcome, ended.up)
}

// isEnding reports whether servers end because the host is gone.
func (s *Sessions) isEnding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending
}

func (s *Sessions) observe(attempt *Attempt, kind domain.ActivityKind, outcome domain.Outcome, since time.Time) {
	if s.observer == nil {
		return
	}
	id, now := attempt.server.ID, time.Now()
	s.observer.Observe(domain.Activity{
		Kind: kind, Time: now, Tool: domain.ToolIdentifier{Toolbox: id.Toolbox, Server: id.Server}, Outcome: outcome, Duration: now.Sub(since),
	})
}

// OutcomeFor returns the outcome for a failure, domain.OutcomeOK for nil.
func OutcomeFor(err error) domain.Outcome {
	switch {
	case err == nil:
		return domain.OutcomeOK
	case errors.Is(err, domain.ErrTimedOut), errors.Is(err, context.DeadlineExceeded):
		return domain.OutcomeTimeout
	case errors.Is(err, context.Canceled), errors.Is(err, domain.ErrShuttingDown):
		return domain.OutcomeCancelled
	case isDeclined(err):
		return domain.OutcomeDeclined
	case isAny(err, unknownNames), isAny(err, refusals):
		return domain.OutcomeRefused
	}
	return domain.OutcomeError
}

func isDeclined(err error) bool {
	unconfirmed, ok := errors.AsType[*domain.NotConfirmedError](err)
	return ok && unconfirmed.Answer == domain.ConfirmationDeclined
}

// NamesUnknown reports whether a failure means that a caller named something that does not exist or is not
// open.
func NamesUnknown(err error) bool { return err != nil && isAny(err, unknownNames) }

var (
	unknownNames = []error{domain.ErrToolboxNotFound, domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound, domain.ErrLockBroken}
	refusals     = []error{domain.ErrToolBlocked, domain.ErrNotConfirmed, domain.ErrNotReadOnly, domain.ErrInvalidArguments, domain.ErrDefinitionChanged, domain.ErrNoTasks}
)

func isAny(err error, failures []error) bool {
	return slices.ContainsFunc(failures, func(failure error) bool { return errors.Is(err, failure) })
}
