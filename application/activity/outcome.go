package activity

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

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

// namesUnknown reports whether a failure means that a caller named something that does not exist or is not
// open.
func namesUnknown(err error) bool { return err != nil && isAny(err, unknownNames) }

var (
	unknownNames = []error{domain.ErrToolboxNotFound, domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound, domain.ErrLockBroken}
	refusals     = []error{domain.ErrToolBlocked, domain.ErrNotConfirmed, domain.ErrNotReadOnly, domain.ErrInvalidArguments, domain.ErrDefinitionChanged, domain.ErrNoTasks}
)

func isAny(err error, failures []error) bool {
	return slices.ContainsFunc(failures, func(failure error) bool { return errors.Is(err, failure) })
}

// Outcome returns how a call ended, and the code of the server's error.
func Outcome(answer ports.Answer, err error) (domain.Outcome, int) {
	switch {
	case err != nil:
		return OutcomeFor(err), 0
	case answer.Error != nil:
		code, _ := strconv.Atoi(string(rawjson.Member(answer.Error, "code"))) // 0 if it is not a number
		return domain.OutcomeError, code
	case isFailure(answer):
		return domain.OutcomeToolError, 0
	}
	return domain.OutcomeOK, 0
}

// isFailure reports whether an answer is the result of a tool that failed.
func isFailure(answer ports.Answer) bool {
	if failed, known := answer.Reading.Failed(answer.Result); known {
		return failed
	}
	return string(rawjson.Member(answer.Result, "isError")) == "true"
}
