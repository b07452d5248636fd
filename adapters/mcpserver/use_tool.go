package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
)

// useTool answers use_tool.
func (s *Server) useTool(ctx context.Context, e *exchange, p params, reply func(answer)) {
	call, problem := readUseTool(p.arguments)
	if problem != "" {
		reply(errorAnswer(problem))
		return
	}
	s.user.UseTool(ctx, call.tool, call.arguments, func(result domain.ToolResult, err error) {
		switch {
		case err != nil:
			reply(errorAnswer(useToolFailure(call.tool, err)))
		case result.Error != nil:
			reply(relayError(result.Error, e.modern))
		default:
			reply(answer{result: result.Result})
		}
	})
}

// relayError passes a server's error object on as it is, unless its code speaks
// of the hop between the workbench and the server: a host would take that for
// its own hop.
func relayError(object json.RawMessage, modern bool) answer {
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	// An object that does not even decode names no such code.
	_ = json.Unmarshal(object, &failure)
	hop := []int{mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION}
	if modern {
		hop = append(hop, mcp.URL_ELICITATION_REQUIRED)
	}
	if slices.Contains(hop, failure.Code) {
		return errorAnswer(failure.Message)
	}
	return answer{err: object}
}

// executionFailure words that a tool could not be called.
func executionFailure(tool domain.ToolIdentifier, reason string) string {
	return fmt.Sprintf("Error executing tool '%s' in server '%s' (toolbox '%s'): %s", tool.Tool, tool.Server, tool.Toolbox, reason)
}
