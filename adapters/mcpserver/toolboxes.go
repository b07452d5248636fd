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
	known := s.knownHost(p)
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
		result, tooLong := s.openAnswers.result(opened, known)
		if tooLong != "" {
			s.program.log.Warn("the answer of open_toolbox may be cut", "toolbox", name, "why", tooLong)
		}
		reply(ports.Answer{Result: result})
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
