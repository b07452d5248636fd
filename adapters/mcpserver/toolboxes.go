package mcpserver

import (
	"context"

	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/ports"
)

// openToolbox answers open_toolbox.
func (s *Server) openToolbox(ctx context.Context, r *request, p params, reply replyFunc) {
	name, problem := readToolboxName(p.arguments)
	if problem != "" {
		reply(toolError(problem))
		return
	}
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
		reply(ports.Answer{Result: s.openAnswers.result(opened)})
	}()
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
