package mcpclient

import (
	"context"
	"errors"
	"strings"

	"mcp-workbench/domain"
)

// QuotingError is an error that quotes the server. Quote returns the quote, and Error's text without it.
type QuotingError interface {
	error
	Quote() (quote, without string)
}

// Said returns words of the server if messages can show them, "" otherwise. The words contain no secret.
func (m *ServerMessages) Said(words string) string {
	if words == "" || m.policy.Withholds(words) {
		return ""
	}
	return words
}

// reason returns the text of an error on one line, so that a server's words cannot look like other
// lines, and without anything that messages about the server must not show.
func (m *ServerMessages) reason(err error) string {
	text := err.Error()
	eachQuoting(err, func(quoting QuotingError) {
		if quote, without := quoting.Quote(); quote != "" && m.Said(m.redact(quote)) == "" {
			text = strings.ReplaceAll(text, quoting.Error(), without)
		}
	})
	return domain.Brief(m.redact(text))
}

// eachQuoting visits every error of a tree that quotes the server.
func eachQuoting(err error, visit func(QuotingError)) {
	var node any = err // the error itself, not what it wraps
	if quoting, ok := node.(QuotingError); ok {
		visit(quoting)
	}
	switch wrapping := node.(type) {
	case interface{ Unwrap() error }:
		if inner := wrapping.Unwrap(); inner != nil {
			eachQuoting(inner, visit)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range wrapping.Unwrap() {
			eachQuoting(inner, visit)
		}
	}
}

// Unavailable converts the failure of a link or a transport to one of ports.Session: the context's error
// if it ended, else domain.ErrServerUnavailable with err's text as the reason, without anything that
// messages about the server must not show. It keeps a *domain.LoginRequiredError.
func (m *ServerMessages) Unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if required, ok := errors.AsType[*domain.LoginRequiredError](err); ok {
		if required.Wanted != "" && m.Said(required.Wanted) == "" {
			silent := *required
			silent.Wanted = ""
			required = &silent
		}
		return required
	}
	unavailable := &domain.ServerUnavailableError{ID: m.server.ID, Reason: errors.New(m.reason(err))}
	if _, tooLarge := errors.AsType[*TooLargeError](err); tooLarge {
		unavailable.Cause = domain.ErrAnswerTooLarge
	}
	return unavailable
}
