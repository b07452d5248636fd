package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// maxRounds is how often one call may ask for input before it counts as a loop.
const maxRounds = 32

// callWithInput makes a call to a server of 2026-07-28 for a caller that supplies the
// input that the server asks for, and continues the call until there is a result.
func (s *Session) callWithInput(ctx context.Context, call ports.ToolCall, request Request, reply ports.Reply) {
	request.FlushGroup = nil // the call is continued later
	call.Arguments, call.Meta = bytes.Clone(call.Arguments), bytes.Clone(call.Meta)
	rounds := 0
	var once func(request Request)
	once = func(request Request) {
		s.link.Request(ctx, request, func(answer Answer, err error) {
			if err != nil || !wantsInput(answer.Result) {
				reply(s.toolAnswer(ctx, answer, err))
				return
			}
			if rounds++; rounds > maxRounds {
				err = fmt.Errorf("it asked for more %d times and gave no result", maxRounds)
				reply(ports.Answer{}, Unavailable(ctx, s.server, err))
				return
			}
			call.Input(bytes.Clone(answer.Result), func(more json.RawMessage, err error) {
				if err != nil {
					reply(ports.Answer{}, Unavailable(ctx, s.server, err))
					return
				}
				call.ExtraParams = more
				next := request
				next.Params = s.callParams(call, request.Token)
				once(next)
			})
		})
	}
	once(request)
}

// wantsInput reports whether a result of 2026-07-28 asks for more. The search for
// the word avoids the scan of nearly every result.
func wantsInput(result json.RawMessage) bool {
	return bytes.Contains(result, []byte(`"`+string(mcp.ResultTypeInputRequired)+`"`)) &&
		jsonscan.Text(jsonscan.Member(result, "resultType")) == string(mcp.ResultTypeInputRequired)
}
