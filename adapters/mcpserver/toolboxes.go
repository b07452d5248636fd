package mcpserver

import (
	"context"

	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// openToolbox answers open_toolbox.
func (s *Server) openToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	opening, problem := readOpening(p.arguments, s.program.selects)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	name, showing := opening.toolbox, s.showing(opening.toolbox, p)
	go func() {
		if s.dynamic != nil {
			s.host.BeginAnswer(name)
			defer s.host.EndAnswer(name)
		}
		defer s.recoverFrom(r, reply)
		opened, err := s.useCases.Opener.OpenToolbox(ctx, name)
		if err != nil {
			reply(toolError(present.OpenToolboxFailure(name, opened, err)))
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

func (s *Server) openAnswer(opened domain.OpenedToolbox, opening opening, showing present.Showing) *present.OpenAnswer {
	if opening.selects {
		return present.NewSelection(opened, opening.tools)
	}
	answer, made := s.openAnswers.answer(opened, showing)
	if made && answer.TooLong() != "" {
		s.program.log.Warn("the answer of open_toolbox may be cut", "toolbox", opened.Toolbox.Name, "why", answer.TooLong())
	}
	return answer
}

// showing returns how much of its tools a toolbox shows to the host of a request.
func (s *Server) showing(toolbox domain.ToolboxName, p params) present.Showing {
	settings := s.program.definitions
	return present.Showing{Form: settings.Form(toolbox), Budget: settings.Budget, Host: s.knownHost(p)}
}

// closeToolbox answers close_toolbox.
func (s *Server) closeToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	name, problem := readToolboxName(p.arguments)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	go func() {
		s.host.BeginAnswer(name)
		defer s.host.EndAnswer(name)
		defer s.recoverFrom(r, reply)
		closed, err := s.dynamic.closer.CloseToolbox(ctx, name)
		if err != nil {
			reply(toolError(present.CloseToolboxFailure(name, err)))
			return
		}
		s.openAnswers.drop(name)
		reply(ports.Answer{Result: present.TextResult(string(present.ClosedToolbox(closed)))})
	}()
}
