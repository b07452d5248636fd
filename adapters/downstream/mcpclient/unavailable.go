package mcpclient

import (
	"context"
	"errors"
	"strings"

	"mcp-workbench/domain"
)

// Spoken is an error that quotes the server. Spoken returns the quote, and Error's text without it.
type Spoken interface {
	error
	Spoken() (words, without string)
}

// reason returns the text of an error, without what no message about the server may show, on one line:
// the words of a server must not look like other lines.
func reason(server domain.Server, err error) string {
	text := err.Error()
	eachSpoken(err, func(spoken Spoken) {
		if words, without := spoken.Spoken(); words != "" && server.Said(server.Redact(words)) == "" {
			text = strings.ReplaceAll(text, spoken.Error(), without)
		}
	})
	return domain.Brief(server.Redact(text))
}

// eachSpoken visits every error of a tree that quotes the server.
func eachSpoken(err error, visit func(Spoken)) {
	var node any = err // the error itself, not what it wraps
	if spoken, ok := node.(Spoken); ok {
		visit(spoken)
	}
	switch wrapping := node.(type) {
	case interface{ Unwrap() error }:
		if inner := wrapping.Unwrap(); inner != nil {
			eachSpoken(inner, visit)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range wrapping.Unwrap() {
			eachSpoken(inner, visit)
		}
	}
}

// Unavailable converts the failure of a link or a transport to one of ports.Session: the context's if it
// ended, else domain.ErrServerUnavailable with err's text as the reason, without what no message about
// the server may show. It keeps a *domain.LoginRequiredError.
func Unavailable(ctx context.Context, server domain.Server, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	if required, ok := errors.AsType[*domain.LoginRequiredError](err); ok {
		if required.Wanted != "" && server.Said(required.Wanted) == "" {
			silent := *required
			silent.Wanted = ""
			required = &silent
		}
		return required
	}
	unavailable := &domain.ServerUnavailableError{ID: server.ID, Reason: errors.New(reason(server, err))}
	if _, tooLarge := errors.AsType[*TooLargeError](err); tooLarge {
		unavailable.Cause = domain.ErrAnswerTooLarge
	}
	return unavailable
}
