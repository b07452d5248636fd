package mcpserver

import (
	"context"

	"mcp-workbench/adapters/mcpserver/present"
)

// openToolbox answers open_toolbox.
func (s *Server) openToolbox(ctx context.Context, e *exchange, p params, reply func(answer)) {
	name, problem := readToolboxName(p.arguments)
	if problem != "" {
		reply(errorAnswer(problem))
		return
	}
	go func() {
		if s.dynamic != nil {
			s.host.beginAnswer(name)
			defer s.host.endAnswer(name)
		}
		defer s.recoverFrom(e, reply)
		opened, err := s.opener.OpenToolbox(ctx, name)
		if err != nil {
			reply(errorAnswer(present.OpenToolboxFailure(name, opened, err)))
			return
		}
		reply(answer{result: present.TextResult(string(present.OpenedToolbox(opened)))})
	}()
}

// closeToolbox answers close_toolbox.
func (s *Server) closeToolbox(ctx context.Context, e *exchange, p params, reply func(answer)) {
	name, problem := readToolboxName(p.arguments)
	if problem != "" {
		reply(errorAnswer(problem))
		return
	}
	go func() {
		s.host.beginAnswer(name)
		defer s.host.endAnswer(name)
		defer s.recoverFrom(e, reply)
		closed, err := s.dynamic.closer.CloseToolbox(ctx, name)
		if err != nil {
			reply(errorAnswer(present.CloseToolboxFailure(name, err)))
			return
		}
		reply(answer{result: present.TextResult(string(present.ClosedToolbox(closed)))})
	}()
}
