package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// prompts answers requests about the prompts of servers, and completes their arguments and the variables of templates.
type prompts struct {
	*session
	reader    ports.PromptReader
	completer ports.Completer
}

// listPrompts answers prompts/list with the prompts of the connected servers.
func (a *prompts) listPrompts(ctx context.Context, r *request, p params, reply replyFunc) {
	a.answerList(ctx, r, p, reply, "prompts", func() (iter.Seq[[]byte], error) {
		prompts, err := a.reader.ListPrompts(ctx)
		return func(yield func([]byte) bool) {
			for _, prompt := range prompts {
				if !yield(withOnly(wording.ListedPrompt(rawjson.WithoutTags(prompt.Definition)), "name", rawjson.Quote(prompt.Name))) {
					return
				}
			}
		}, err
	})
}

// withOnly returns the object with that value for the member, exactly once: for readers that take
// the first of repeated members, and for those that take the last.
func withOnly(object json.RawMessage, member string, value []byte) json.RawMessage {
	count := 0
	// Anything but an object becomes one.
	_ = rawjson.EachMember(object, func(name, _ []byte) error {
		if string(name) == member {
			count++
		}
		return nil
	})
	if count > 1 {
		object = rawjson.Without(object, member)
	}
	return rawjson.With(object, member, value)
}

// relayed returns a copy of the parameters for the server that gets the request. Of _meta it has
// only the members for the server.
func (p params) relayed() json.RawMessage {
	if meta := p.meta.forwarded(); meta != nil {
		return withOnly(p.raw, "_meta", rawjson.Object{}.Members(meta).JSON())
	}
	return bytes.Clone(rawjson.Without(p.raw, "_meta"))
}

// promptRequest is a copy of a request for a prompt.
type promptRequest struct {
	name   string
	params json.RawMessage // for the server, except for the name
	continuation
	logLevel string
}

// getPrompt answers prompts/get.
func (a *prompts) getPrompt(ctx context.Context, r *request, p params, reply replyFunc) {
	asked := promptRequest{
		name: rawjson.Text(p.name), params: p.relayed(), logLevel: p.meta.logLevel,
		continuation: continuation{bytes.Clone(p.requestState), bytes.Clone(p.inputResponses)},
	}
	if asked.name == "" {
		reply(failure(mcp.INVALID_PARAMS, "name must be the name of a prompt"))
		return
	}
	go func() {
		defer a.recoverFrom(r, reply)
		prompt, err := a.reader.FindPrompt(ctx, asked.name)
		if err != nil {
			reply(promptFailure(asked.name, err))
			return
		}
		a.getFound(ctx, r, prompt, asked, reply)
	}()
}

// getFound gets a prompt of a server, or continues a request for one that waits for input of the
// host.
func (a *prompts) getFound(ctx context.Context, r *request, prompt domain.PromptIdentifier, asked promptRequest, reply replyFunc) {
	logLevel := a.host.WantLogs(ctx, r.connection(), prompt.Server, asked.logLevel)
	a.accompany(ctx, r, prompt.Server)
	if own := rawjson.Text(asked.requestState); r.modern && host.IsOwnState(own) {
		call := a.host.CallOf(prompt.Server, own)
		// Only the same call continues a call of a tool that the user was asked to confirm.
		if call == nil || call.NeedsYes() || !call.Continue(ctx, asked.inputResponses, host.Waiter{Progress: r.progress, Reply: reply}) {
			reply(failure(mcp.INVALID_PARAMS, wording.PromptEnded))
		}
		return
	}
	owner := stateOwner{method: r.method, server: prompt.Server, name: prompt.Prompt, called: asked.name}
	_, state, ok := a.states.resume(asked.continuation, owner)
	if !ok {
		reply(failure(mcp.INVALID_PARAMS, wording.ForeignState+wording.GetPromptAgain))
		return
	}
	params := a.states.opened(asked.params, state)
	request := ports.Request{
		Message:  ports.Message{Method: string(r.method), Params: withOnly(params, "name", rawjson.Quote(prompt.Prompt))},
		LogLevel: logLevel, Progress: r.progress,
	}
	if !r.modern {
		request.Input = func(required json.RawMessage, done func(json.RawMessage, error)) {
			a.host.GatherInput(ctx, prompt.Server, required, done)
		}
		a.reader.GetPrompt(ctx, prompt, request, func(result ports.Answer, err error) {
			reply(promptAnswer(asked.name, prompt.Server, result, err))
		})
		return
	}
	rounds := a.host.BeginCall(ctx, prompt.Server, a.program.settings.InputReply, host.Waiter{Progress: r.progress, Reply: reply})
	if request.Progress != nil {
		request.Progress = rounds.Progress
	}
	a.reader.GetPrompt(withReports(ctx, rounds), prompt, request, func(result ports.Answer, err error) {
		rounds.Finish(a.states.seal(promptAnswer(asked.name, prompt.Server, result, err), owner))
	})
}

// promptAnswer returns the answer for the host to a request about a prompt.
func promptAnswer(name string, server domain.ServerID, result ports.Answer, err error) ports.Answer {
	if err != nil {
		return promptFailure(name, err)
	}
	return serverAnswer(server, result)
}

// serverAnswer turns a server's answer to anything but a call into the answer for the host: questions name the
// server.
func serverAnswer(server domain.ServerID, answer ports.Answer) ports.Answer {
	answer, err := host.Attributed(server, answer)
	if err != nil {
		return failure(mcp.INTERNAL_ERROR, wording.AnswerFailure(server, err))
	}
	if answer.Error == nil {
		return ports.Answer{Result: answer.Result}
	}
	return ports.Answer{Error: hostError(answer.Error)}
}

func promptFailure(name string, err error) ports.Answer {
	if errors.Is(err, domain.ErrPromptNotFound) {
		return failure(mcp.INVALID_PARAMS, wording.PromptNotFound(name))
	}
	return failure(mcp.INTERNAL_ERROR, wording.PromptFailure(name, err))
}
