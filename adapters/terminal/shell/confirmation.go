package shell

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Approvals keep calls that a person can allow later.
type Approvals interface {
	// Ask keeps a call, and returns the id under which a person can allow it.
	Ask(question domain.ConfirmationQuestion) (id string, err error)
	// Take reports whether a person allowed exactly this call, once for each yes.
	Take(question domain.ConfirmationQuestion) bool
}

// confirmer asks about one call.
type confirmer struct {
	*Host
	// later says how a person can allow the call later, once it was asked about without a terminal.
	later atomic.Pointer[string]
}

var _ ports.Confirmer = (*confirmer)(nil)

// CanConfirm implements ports.Confirmer.
func (c *confirmer) CanConfirm() bool { return true }

// Confirm implements ports.Confirmer: it asks at the terminal, and without one looks for the yes of a person. A command
// makes one call, so there is no answer for a session.
func (c *confirmer) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	go func() {
		if c.screen.CanAsk() {
			reply(c.confirmCall(ctx, question))
			return
		}
		reply(c.lookUp(question))
	}()
}

// lookUp returns the yes of a person, and else keeps the call.
func (c *confirmer) lookUp(question domain.ConfirmationQuestion) domain.ConfirmationAnswer {
	if c.Approvals == nil {
		return domain.ConfirmationImpossible
	}
	if c.Approvals.Take(question) {
		return domain.ConfirmedOnce
	}
	id, err := c.Approvals.Ask(question)
	later := "to allow this one call, a person runs: mcp-workbench allow " + id
	if err != nil {
		later = "a person cannot allow it later: " + domain.LineText(err.Error())
	}
	c.later.Store(&later)
	return domain.ConfirmationImpossible
}

// refusal returns the failure of the call, with how a person can allow it.
func (c *confirmer) refusal(err error) error {
	failed := CallFailed(err)
	if later := c.later.Load(); later != nil && errors.Is(err, domain.ErrNotConfirmed) {
		return &CommandError{NotAllowed, fmt.Errorf("%w; %s", failed, *later)}
	}
	return failed
}

// confirmCall asks for a yes. Every other line is a no, as in the other questions at a terminal.
func (h *Host) confirmCall(ctx context.Context, question domain.ConfirmationQuestion) domain.ConfirmationAnswer {
	asking := h.screen.Begin()
	defer asking.End()
	if asking.Print(wording.ConfirmationQuestion(question)) != nil {
		return domain.ConfirmationFailed
	}
	line, err := asking.Ask(ctx, "Allow this call? [y/N] ")
	yes, _ := terminal.ReadYesNo(line)
	switch {
	case errors.Is(err, terminal.ErrAborted):
		return domain.ConfirmationUnclear
	case ctx.Err() != nil:
		return domain.ConfirmationWithdrawn
	case err != nil:
		return domain.ConfirmationFailed
	case yes:
		return domain.ConfirmedOnce
	}
	return domain.ConfirmationDeclined
}
