package mcpserver

import (
	"context"
	"slices"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// openToolbox answers open_toolbox.
func (c *calls) openToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	opening, problem := readOpening(p.arguments, c.program.listing().selects || c.openAnswers.haveShort())
	if problem != "" {
		reply(toolError(problem))
		return
	}
	name := c.spelled(domain.ToolIdentifier{Toolbox: opening.toolbox}).Toolbox
	showing := c.showing(name)
	ctx, reply, continued := c.openingInRounds(ctx, r, p, name, reply)
	if continued {
		return
	}
	c.accompany(ctx, r, host.OpeningOf(name))
	ctx = ports.WithOpening(ports.WithMeta(ctx, p.meta.forwarded()), ports.Opening{
		Patience: showing.Host.OpenReply, NoLaterRoots: r.modern && rawjson.HasMember(c.host.Capabilities(), "roots"),
	})
	go func() {
		c.host.BeginAnswer(name)
		defer c.host.EndAnswer(name)
		defer c.recoverFrom(r, reply)
		opened, err := c.opener.OpenToolbox(ctx, name)
		if err != nil {
			reply(toolError(wording.OpenToolboxFailure(name, opened, err)))
			return
		}
		var answer *wording.OpenAnswer
		err = c.makeInTurn(ctx, func() {
			answer = c.openAnswer(opened, opening, showing)
			if !answer.Form().Short() {
				for _, server := range answer.Servers() {
					c.shown.RecordShown(server.ID, server.Tools)
				}
			}
		})
		if err != nil {
			reply(toolError(wording.OpenToolboxFailure(name, opened, err)))
			return
		}
		reply(ports.Answer{Result: answer.Result()})
	}()
}

// openingInRounds lets the opening of a toolbox take several requests of a host of 2026-07-28, since
// the user may have to log in. It returns the context and reply of the opening, or true if the
// request continued one that is under way. An unknown state begins a new opening, which is harmless.
func (c *calls) openingInRounds(
	ctx context.Context, r *request, p params, name domain.ToolboxName, reply replyFunc,
) (openingContext context.Context, to replyFunc, continued bool) {
	if !r.modern {
		return ctx, reply, false
	}
	opening, waiter := host.OpeningOf(name), host.Waiter{Progress: r.progress, Reply: reply}
	if state := rawjson.Text(p.requestState); host.IsOwnState(state) {
		if call := c.host.CallOf(opening, state); call != nil && call.Continue(ctx, p.inputResponses, waiter) {
			return nil, nil, true
		}
	}
	call := c.host.BeginCall(ctx, opening, c.program.settings.InputReply, waiter)
	return withReports(ctx, call), func(answer ports.Answer) bool {
		call.Finish(answer)
		return true
	}, false
}

func (c *calls) openAnswer(opened domain.OpenedToolbox, opening opening, showing wording.Showing) *wording.OpenAnswer {
	if !c.program.listing().definitions.ReadTool {
		opened = wording.WithoutReadTool(opened)
	}
	defer c.openAnswers.noteInstructions(opened)
	if opening.selects {
		return wording.NewSelection(c.openAnswers.withoutTold(opened), opening.tools)
	}
	if c.program.settings.UsualPlaces && showing.Host.TakesPlaces && opened.NeedsLogin() {
		opened.Warnings = append(slices.Clip(opened.Warnings), domain.Warning{Kind: domain.LoginElsewhere, Detail: showing.Host.Name})
	}
	answer := wording.NewOpenAnswer(opened, showing)
	if c.openAnswers.note(opened.Toolbox.Name, answer) {
		c.program.log.Warn("the host may cut the answer of open_toolbox", "toolbox", opened.Toolbox.Name, "reason", answer.TooLong())
	}
	return answer
}

// showing returns how much of its tools a toolbox shows to the host of a request.
func (c *calls) showing(toolbox domain.ToolboxName) wording.Showing {
	settings := c.program.listing().definitions
	return wording.Showing{Form: settings.Form(toolbox), Budget: settings.Budget, Host: c.knownHost()}
}

// closeToolbox answers close_toolbox.
func (c *calls) closeToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	closing, problem := readOpening(p.arguments, false)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	name := c.spelled(domain.ToolIdentifier{Toolbox: closing.toolbox}).Toolbox
	go func() {
		c.host.BeginAnswer(name)
		defer c.host.EndAnswer(name)
		defer c.recoverFrom(r, reply)
		closed, err := c.registered.closer.CloseToolbox(ctx, name)
		if err != nil {
			reply(toolError(wording.CloseToolboxFailure(name, err)))
			return
		}
		c.openAnswers.drop(name)
		reply(ports.Answer{Result: wording.TextResult(string(wording.ClosedToolbox(closed)))})
	}()
}
