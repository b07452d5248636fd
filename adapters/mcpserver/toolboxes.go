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
func (s *Server) openToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	opening, problem := readOpening(p.arguments, s.program.listing().selects || s.openAnswers.haveShort())
	if problem != "" {
		reply(toolError(problem))
		return
	}
	name := s.spelled(domain.ToolIdentifier{Toolbox: opening.toolbox}).Toolbox
	showing := s.showing(name)
	ctx, reply, continued := s.openingInRounds(ctx, r, p, name, reply)
	if continued {
		return
	}
	s.accompany(ctx, r, host.OpeningOf(name))
	ctx = ports.WithOpening(ports.WithMeta(ctx, p.meta.forwarded()), ports.Opening{
		Patience: showing.Host.OpenReply, NoLaterRoots: r.modern && rawjson.HasMember(s.host.Capabilities(), "roots"),
	})
	go func() {
		s.host.BeginAnswer(name)
		defer s.host.EndAnswer(name)
		defer s.recoverFrom(r, reply)
		opened, err := s.useCases.Opener.OpenToolbox(ctx, name)
		if err != nil {
			reply(toolError(wording.OpenToolboxFailure(name, opened, err)))
			return
		}
		answer := s.openAnswer(opened, opening, showing)
		if !answer.Form().Short() {
			for _, server := range answer.Servers() {
				s.useCases.Shown.RecordShown(server.ID, server.Tools)
			}
		}
		reply(ports.Answer{Result: answer.Result()})
	}()
}

// openingInRounds lets the opening of a toolbox take several requests of a host of 2026-07-28, since
// the user may have to log in. It returns the context and reply of the opening, or true if the
// request continued one that is under way. An unknown state begins a new opening, which is harmless.
func (s *Server) openingInRounds(
	ctx context.Context, r *request, p params, name domain.ToolboxName, reply replyFunc,
) (openingContext context.Context, to replyFunc, continued bool) {
	if !r.modern {
		return ctx, reply, false
	}
	opening, waiter := host.OpeningOf(name), host.Waiter{Reply: reply}
	if state := rawjson.Text(p.requestState); host.IsOwnState(state) {
		if call := s.host.CallOf(opening, state); call != nil && call.Continue(ctx, p.inputResponses, waiter) {
			return nil, nil, true
		}
	}
	call := s.host.BeginCall(ctx, opening, s.program.settings.InputReply, waiter)
	return call.Context(), func(answer ports.Answer) bool {
		call.Finish(answer)
		return true
	}, false
}

func (s *Server) openAnswer(opened domain.OpenedToolbox, opening opening, showing wording.Showing) *wording.OpenAnswer {
	if !s.program.listing().definitions.ReadTool {
		opened = wording.WithoutReadTool(opened)
	}
	defer s.openAnswers.noteInstructions(opened)
	if opening.selects {
		return wording.NewSelection(s.openAnswers.withoutTold(opened), opening.tools)
	}
	if s.program.settings.UsualPlaces && showing.Host.TakesPlaces && opened.NeedsLogin() {
		opened.Warnings = append(slices.Clip(opened.Warnings), domain.Warning{Kind: domain.LoginElsewhere, Detail: showing.Host.Name})
	}
	answer := wording.NewOpenAnswer(opened, showing)
	if s.openAnswers.note(opened.Toolbox.Name, answer) {
		s.program.log.Warn("the host may cut the answer of open_toolbox", "toolbox", opened.Toolbox.Name, "reason", answer.TooLong())
	}
	return answer
}

// showing returns how much of its tools a toolbox shows to the host of a request.
func (s *Server) showing(toolbox domain.ToolboxName) wording.Showing {
	settings := s.program.listing().definitions
	return wording.Showing{Form: settings.Form(toolbox), Budget: settings.Budget, Host: s.knownHost()}
}

// closeToolbox answers close_toolbox.
func (s *Server) closeToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	closing, problem := readOpening(p.arguments, false)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	name := s.spelled(domain.ToolIdentifier{Toolbox: closing.toolbox}).Toolbox
	go func() {
		s.host.BeginAnswer(name)
		defer s.host.EndAnswer(name)
		defer s.recoverFrom(r, reply)
		closed, err := s.registered.closer.CloseToolbox(ctx, name)
		if err != nil {
			reply(toolError(wording.CloseToolboxFailure(name, err)))
			return
		}
		s.openAnswers.drop(name)
		reply(ports.Answer{Result: wording.TextResult(string(wording.ClosedToolbox(closed)))})
	}()
}
