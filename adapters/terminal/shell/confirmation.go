package shell

import (
	"context"
	"errors"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ ports.Confirmer = (*Host)(nil)

// CanConfirm implements ports.Confirmer.
func (h *Host) CanConfirm() bool { return h.screen.CanAsk() }

// Confirm implements ports.Confirmer: it asks at the terminal. A command makes one call, so there is
// no answer for a session.
func (h *Host) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	go func() { reply(h.confirmCall(ctx, question)) }()
}

// confirmCall asks until the answer is yes or no.
func (h *Host) confirmCall(ctx context.Context, question domain.ConfirmationQuestion) domain.ConfirmationAnswer {
	if !h.screen.CanAsk() {
		return domain.ConfirmationImpossible
	}
	asking := h.screen.Begin()
	defer asking.End()
	if asking.Print(wording.ConfirmationQuestion(question)) != nil {
		return domain.ConfirmationFailed
	}
	for {
		line, err := asking.Ask(ctx, "Allow this call (yes or no)? ")
		yes, isAnswer := terminal.ReadYesNo(line)
		switch {
		case errors.Is(err, terminal.ErrAborted):
			return domain.ConfirmationUnclear
		case ctx.Err() != nil:
			return domain.ConfirmationWithdrawn
		case err != nil:
			return domain.ConfirmationFailed
		case yes:
			return domain.ConfirmedOnce
		case isAnswer:
			return domain.ConfirmationDeclined
		}
	}
}
