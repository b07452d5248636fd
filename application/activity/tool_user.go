package activity

import (
	"context"
	"strconv"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// toolUser tells an observer of the calls of another tool user.
type toolUser struct {
	next     ports.ToolUser
	observer ports.ActivityObserver
}

// NewToolUser returns a tool user that tells the observer of the calls of another one.
func NewToolUser(next ports.ToolUser, observer ports.ActivityObserver) ports.ToolUser {
	return &toolUser{next: next, observer: observer}
}

// UseTool implements ports.ToolUser.
func (u *toolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	begun, sent, isFitted := time.Now(), len(call.Arguments), call.Fitted
	u.next.UseTool(ctx, tool, call, func(answer ports.Answer, err error) {
		ended := domain.Activity{
			Kind: domain.ActivityCall, Time: time.Now(), Tool: tool, Unknown: IsUnknown(err), Sent: sent,
			Received: len(answer.Result) + len(answer.Error),
		}
		ended.Took, ended.Shown = ended.Time.Sub(begun), ended.Received
		ended.Outcome, ended.Code = Outcome(answer, err)
		if !isFitted || err != nil || answer.Error != nil {
			u.observer.Observe(ended)
			reply(answer, err)
			return
		}
		fitted := ended // a copy, so that other calls allocate nothing for it
		answer.Shown = func(size int) {
			fitted.Shown = size
			u.observer.Observe(fitted)
		}
		reply(answer, nil)
	})
}

// Outcome returns how a call ended, and the code of the server's error.
func Outcome(answer ports.Answer, err error) (domain.Outcome, int) {
	switch {
	case err != nil:
		return OutcomeFor(err), 0
	case answer.Error != nil:
		code, _ := strconv.Atoi(string(rawjson.Member(answer.Error, "code"))) // 0 if it is not a number
		return domain.OutcomeError, code
	case failed(answer):
		return domain.OutcomeToolError, 0
	}
	return domain.OutcomeOK, 0
}

// failed reports whether an answer is the result of a tool that failed.
func failed(answer ports.Answer) bool {
	if failed, known := answer.Reading.Failed(answer.Result); known {
		return failed
	}
	return string(rawjson.Member(answer.Result, "isError")) == "true"
}
