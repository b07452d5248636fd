package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

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
			reply(errorAnswer(closeToolboxFailure(name, err)))
			return
		}
		reply(textAnswer(string(describeClosed(closed)), false))
	}()
}

// describeClosed writes the JSON of tests/acceptance/CONTRACT.md section 8.
func describeClosed(closed domain.ClosedToolbox) []byte {
	text := jsonscan.AppendQuote([]byte(`{"toolbox":`), string(closed.Toolbox))
	text = append(text, `,"closed":true,"tools_removed":`...)
	return append(strconv.AppendInt(text, int64(closed.Removed), 10), '}')
}

// closeToolboxFailure words a failure of CloseToolbox.
func closeToolboxFailure(name domain.ToolboxName, err error) string {
	if notFound, ok := errors.AsType[*domain.ToolboxNotFoundError](err); ok {
		return toolboxNotFound(notFound)
	}
	if errors.Is(err, domain.ErrToolboxNotOpen) {
		return fmt.Sprintf("Error: Toolbox '%s' is not open.", name)
	}
	return fmt.Sprintf("Error closing toolbox '%s': %s", name, reason(err))
}
