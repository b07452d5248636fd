package wording

import (
	"fmt"

	"mcp-workbench/domain"
)

// notConfirmed says that a call was not made because the user did not allow it. It does
// not tell the model how to continue without that.
func notConfirmed(tool domain.ToolIdentifier, unconfirmed *domain.NotConfirmedError) string {
	called := fmt.Sprintf("%s in %s was not called: ", toolOf(tool), serverOf(tool))
	switch unconfirmed.Answer {
	case domain.ConfirmationDeclined:
		return called + "the user did not allow this call. Do not try it again unless the user asks for it."
	case domain.ConfirmationTimedOut:
		return called + fmt.Sprintf("it needs the user's approval, and got no answer within %.0f minutes.", domain.ConfirmationTime.Minutes())
	case domain.ConfirmationImpossible:
		return called + "each call needs the user's approval, and this host shows no forms to ask for it (elicitation). " +
			"The user can use another host, run `mcp-workbench call` in a terminal, or change \"confirm\" in the configuration."
	case domain.ConfirmationFailed:
		return called + "it needs the user's approval, and the host could not ask for it."
	default:
		return called + "it needs the user's approval, and got no answer."
	}
}
