package application

import (
	"context"
	"strconv"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Observers are those of the calls and the openings of one host. The use cases tell them; sessions report starts and
// ends of servers. A nil value has none.
//
// Decision: the use cases tell one list of observers, so that a call takes the time once and its reply is wrapped
// once. Without observers nothing is wrapped.
type Observers struct {
	// Calls are told when something begins and when it ended.
	Calls []ports.CallObserver
	// Activity is told when something ended, of a call whose result is cut once it is known how much of it is shown;
	// nil for none.
	Activity ports.ActivityObserver
	// Tools is told of the tools that an opening finds, nil for none.
	Tools ports.ToolsObserver
}

// Call tells the observers of a call that begins. It returns the context of the call, and a reply that tells them of
// its end.
func (o *Observers) Call(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) (context.Context, ports.Reply) {
	if o == nil || len(o.Calls) == 0 && o.Activity == nil {
		return ctx, reply
	}
	observed := o.begin(ctx, domain.ActivityCall, tool, call)
	begun, sent, isFitted := time.Now(), len(call.Arguments), call.Fitted
	return observed, func(answer ports.Answer, err error) {
		ended := domain.Activity{
			Kind: domain.ActivityCall, Time: time.Now(), Tool: tool, Unknown: sessions.NamesUnknown(err), Sent: sent,
			Received: len(answer.Result) + len(answer.Error),
		}
		ended.Duration, ended.Shown = ended.Time.Sub(begun), ended.Received
		ended.Outcome, ended.Code = Outcome(answer, err)
		for _, observer := range o.Calls {
			observer.End(observed, ended, answer, err)
		}
		switch {
		case o.Activity == nil:
		case !isFitted || err != nil || answer.Error != nil:
			o.Activity.Observe(ended)
		default:
			answer.Shown = o.shown(ended)
		}
		reply(answer, err)
	}
}

// shown returns a function that tells the observer of a call with the size of what is shown of its result. It is a
// function of its own so that other calls allocate nothing for it.
func (o *Observers) shown(ended domain.Activity) func(size int) {
	return func(size int) {
		ended.Shown = size
		o.Activity.Observe(ended)
	}
}

// Opening tells the observers of an opening that begins. It returns the context of the opening, and a function that
// tells them of its end.
func (o *Observers) Opening(ctx context.Context, toolbox domain.ToolboxName) (context.Context, func(domain.OpenedToolbox, error)) {
	if o == nil {
		return ctx, func(domain.OpenedToolbox, error) {}
	}
	about := domain.ToolIdentifier{Toolbox: toolbox}
	observed, begun := o.begin(ctx, domain.ActivityOpen, about, ports.ToolCall{Meta: ports.MetaOf(ctx)}), time.Now()
	return observed, func(opened domain.OpenedToolbox, err error) {
		now := time.Now()
		ended := domain.Activity{
			Kind: domain.ActivityOpen, Time: now, Tool: about, Unknown: sessions.NamesUnknown(err), Outcome: sessions.OutcomeFor(err), Duration: now.Sub(begun),
		}
		for _, observer := range o.Calls {
			observer.End(observed, ended, ports.Answer{}, err)
		}
		if o.Activity != nil {
			o.Activity.Observe(ended)
		}
		for _, server := range opened.Servers {
			if o.Tools != nil && server.Failure == nil {
				o.Tools.ObserveTools(server.ID, server.Tools)
			}
		}
	}
}

func (o *Observers) begin(ctx context.Context, kind domain.ActivityKind, tool domain.ToolIdentifier, call ports.ToolCall) context.Context {
	for _, observer := range o.Calls {
		ctx = observer.Begin(ctx, kind, tool, call) //nolint:fatcontext // each of a few observers adds a value once
	}
	return ctx
}

// ActivityObservers are several observers as one. Each is told in turn.
type ActivityObservers []ports.ActivityObserver

// Observe implements ports.ActivityObserver.
func (a ActivityObservers) Observe(activity domain.Activity) {
	for _, observer := range a {
		observer.Observe(activity)
	}
}

// Outcome returns how a call ended, and the code of the server's error.
func Outcome(answer ports.Answer, err error) (domain.Outcome, int) {
	switch {
	case err != nil:
		return sessions.OutcomeFor(err), 0
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
