package application

import (
	"context"
	"log/slog"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/ports"
)

// Confirmations ask the user before calls that need a yes. Each call has a question of its
// own; a yes for the whole session also releases the waiting calls of the tool.
// sessions.Connection.CallTool ensures that no call is made without its yes. Confirmations
// belong to one host. Safe for concurrent use.
type Confirmations struct {
	log *slog.Logger

	mu      sync.Mutex // guards waiting; nothing blocks under it
	waiting map[*waitingCall]bool
}

// NewConfirmations returns the use case for one host.
func NewConfirmations(log *slog.Logger) *Confirmations {
	return &Confirmations{log: log, waiting: map[*waitingCall]bool{}}
}

// waitingCall is a call about which the user is asked.
type waitingCall struct {
	tool domain.ToolIdentifier
	// released is closed when the user, asked about another call, allowed all calls of
	// the tool with the definition that it had then.
	released chan struct{}
}

// await asks the user about a call of the host if it needs a yes and the given one does not cover it,
// and returns the yes that the call has afterwards. If waited is set, the server or its tools may
// have changed in the meantime.
func (c *Confirmations) await(
	ctx context.Context, on *sessions.Connection, listed domain.ToolInfo, called domain.ToolIdentifier,
	call ports.ToolCall, yes *domain.Confirmation,
) (now *domain.Confirmation, waited bool, err error) {
	tool := called
	tool.Tool = listed.Name
	given := call.Arguments
	call = adjustedCall(listed, call)
	if !on.CallNeedsYes(listed, call.NeedsYes) || yes.Covers(tool, listed.Definition, call.Arguments) {
		return yes, false, nil
	}
	waiting := c.begin(on, tool, listed, call.NeedsYes)
	if waiting == nil {
		return yes, false, nil
	}
	defer c.end(waiting)
	question := domain.ConfirmationQuestion{
		Tool: tool, Called: called.Tool, Definition: listed.Definition, Given: given, Arguments: call.Arguments, OfUnknownPage: call.NeedsYes, Meta: call.Meta,
	}
	shown := question
	if listed.Adjusted != nil {
		shown.Arguments = arguments.Redacted(listed, call.Arguments, on.Server.Redact)
	}
	answer := waiting.ask(ctx, call.Confirmer, shown)
	if answer == released {
		return yes, true, nil
	}
	c.log.Info("asked whether a call may be made", "toolbox", tool.Toolbox, "server", tool.Server, "tool", tool.Tool, "decision", answer)
	switch {
	case answer == domain.ConfirmedForSession:
		c.allow(ctx, on, listed, tool)
	case ctx.Err() != nil:
		return nil, true, ctx.Err()
	case !answer.IsYes():
		return nil, true, &domain.NotConfirmedError{Tool: tool, Answer: answer}
	}
	return domain.NewConfirmation(question), true, nil
}

// released takes the place of an answer that is no longer needed.
const released domain.ConfirmationAnswer = -1

// ask asks the user, and waits for the answer.
func (w *waitingCall) ask(ctx context.Context, confirmer ports.Confirmer, question domain.ConfirmationQuestion) domain.ConfirmationAnswer {
	if confirmer == nil || !confirmer.CanConfirm() {
		return domain.ConfirmationImpossible
	}
	asking, cancel := context.WithTimeout(ctx, domain.ConfirmationTime)
	defer cancel()
	answers := make(chan domain.ConfirmationAnswer, 1)
	confirmer.Confirm(asking, question, func(answer domain.ConfirmationAnswer) {
		select {
		case answers <- answer:
		default: // later answers are ignored
		}
	})
	answer := released
	select {
	case answer = <-answers:
	case <-w.released:
		select {
		case answer = <-answers: // the answer about this call comes first
		default:
		}
	case <-asking.Done():
	}
	switch {
	case ctx.Err() != nil:
		return domain.ConfirmationWithdrawn
	case asking.Err() != nil: // an answer at that moment is late
		return domain.ConfirmationTimedOut
	}
	return answer
}

// begin notes that a call waits for its yes. It returns nil if all calls of the tool were
// allowed just now.
func (c *Confirmations) begin(on *sessions.Connection, tool domain.ToolIdentifier, listed domain.ToolInfo, always bool) *waitingCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !on.CallNeedsYes(listed, always) {
		return nil
	}
	waiting := &waitingCall{tool: tool, released: make(chan struct{})}
	c.waiting[waiting] = true
	return waiting
}

func (c *Confirmations) end(waiting *waitingCall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, waiting)
}

// allow allows all calls of a tool, including those that wait. It refreshes the tools
// first, since the definition may have changed while the user was deciding.
func (c *Confirmations) allow(ctx context.Context, on *sessions.Connection, listed domain.ToolInfo, tool domain.ToolIdentifier) {
	on.Refresh(ctx)
	on.Allow(listed)
	c.mu.Lock()
	defer c.mu.Unlock()
	for waiting := range c.waiting {
		if waiting.tool == tool {
			close(waiting.released)
			delete(c.waiting, waiting)
		}
	}
}
