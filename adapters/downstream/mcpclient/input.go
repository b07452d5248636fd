package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// maxRounds is the number of times that a call may ask for input before it counts as a loop.
const maxRounds = 32

// callWithInput calls a tool of a server of 2026-07-28 for a caller that supplies input.
func (s *Session) callWithInput(ctx context.Context, call ports.ToolCall, request Request, reply ports.Reply) {
	request.FlushGroup = nil       // the call is continued later
	call.Reading = ports.Reading{} // it describes bytes that are not kept
	call.Arguments, call.Meta = bytes.Clone(call.Arguments), bytes.Clone(call.Meta)
	params := func(more json.RawMessage) json.RawMessage {
		call.ExtraParams = more
		whole, _ := s.callParams(call, request.Token)
		return whole
	}
	s.requestWithInput(ctx, request, call.Input, params, func(answer Answer, err error) {
		reply(s.toolAnswer(ctx, answer, err))
	})
}

// requestWithInput makes a request to a server of 2026-07-28, and continues it with what input supplies
// until a result does not ask for more. The function params returns the parameters of a continued request.
func (s *Session) requestWithInput(
	ctx context.Context, request Request, input func(json.RawMessage, func(json.RawMessage, error)),
	params func(more json.RawMessage) json.RawMessage, reply Reply,
) {
	e := &exchange{link: s.link, input: input, params: params, reply: reply}
	e.send(ctx, request)
}

// exchange is a request that its server answers with questions until it has all input. No two of its functions run at a time.
type exchange struct {
	link   Link
	input  func(question json.RawMessage, answer func(json.RawMessage, error))
	params func(more json.RawMessage) json.RawMessage
	reply  Reply
	rounds int // that asked for input
}

// send makes the request, or continues it.
func (e *exchange) send(ctx context.Context, request Request) {
	e.link.Request(ctx, request, func(answer Answer, err error) {
		if err != nil || !wantsInput(answer) {
			e.reply(answer, err)
			return
		}
		e.ask(ctx, request, answer.Result)
	})
}

// ask asks for the input that a result wants, and continues the request with it.
func (e *exchange) ask(ctx context.Context, request Request, result []byte) {
	if e.rounds++; e.rounds > maxRounds {
		e.reply(Answer{}, fmt.Errorf("it asked for input %d times and gave no result", maxRounds))
		return
	}
	e.input(bytes.Clone(result), func(more json.RawMessage, err error) {
		if err != nil {
			e.reply(Answer{}, err)
			return
		}
		request.Params, request.CleanParams = e.params(more), false
		e.send(ctx, request)
	})
}

// continuedParams returns parameters with the members in more, which replace their own.
func continuedParams(params, more json.RawMessage) json.RawMessage {
	for _, member := range []string{"inputResponses", "requestState"} {
		params = rawjson.Without(params, member)
	}
	_ = rawjson.EachMember(rawjson.Object{}.Members(more).JSON(), func(name, value []byte) error {
		params = rawjson.With(params, string(name), value)
		return nil
	})
	return params
}

// wantsInput reports whether the result in an answer, of 2026-07-28, asks for input. The text search avoids
// a scan of nearly every result whose type was not noticed while it was read.
func wantsInput(answer Answer) bool {
	result := answer.Result
	return answer.Reading.ResultType(result) == ports.UnknownResult && bytes.Contains(result, []byte(`"`+string(mcp.ResultTypeInputRequired)+`"`)) &&
		rawjson.Text(rawjson.Member(result, "resultType")) == string(mcp.ResultTypeInputRequired)
}
