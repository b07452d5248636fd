package mcpserver

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// complete answers completion/complete (2025-11-25 and 2026-07-28, server/utilities/completion).
func (a *prompts) complete(ctx context.Context, r *request, p params, reply replyFunc) {
	text := func(member string) string { return rawjson.Text(rawjson.Member(p.member("ref"), member)) }
	kind, name, uri := text("type"), text("name"), text("uri")
	// Completions never ask for input, so there is nothing to continue.
	if _, _, ok := a.states.resume(p.continuation, stateOwner{method: r.method, called: name + uri}); !ok {
		reply(failure(mcp.INVALID_PARAMS, wording.ForeignState+wording.RequestAgain))
		return
	}
	switch {
	case kind == "ref/prompt" && name != "":
		a.completePrompt(ctx, r, name, p, reply)
	case kind == "ref/resource" && uri != "":
		a.completeTemplate(ctx, r, uri, p, reply)
	default:
		reply(failure(mcp.INVALID_PARAMS,
			`ref must be {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}`))
	}
}

// completePrompt completes an argument of a prompt. Its server gets the prompt's own name.
func (a *prompts) completePrompt(ctx context.Context, r *request, name string, p params, reply replyFunc) {
	params := a.states.opened(p.relayed(), nil)
	go func() {
		defer a.recoverFrom(r, reply)
		prompt, err := a.reader.FindPrompt(ctx, name)
		if err != nil {
			reply(promptFailure(name, err))
			return
		}
		ref := withOnly(rawjson.Member(params, "ref"), "name", rawjson.Quote(prompt.Prompt))
		message := ports.Message{Method: string(r.method), Params: withOnly(params, "ref", ref)}
		a.completer.CompletePrompt(ctx, prompt, message, func(result ports.Answer, err error) {
			reply(promptAnswer(name, prompt.Server, result, err))
		})
	}()
}

// completeTemplate completes a variable of a URI template.
func (a *prompts) completeTemplate(ctx context.Context, r *request, uri string, p params, reply replyFunc) {
	message := ports.Message{Method: string(r.method), Params: a.states.opened(p.relayed(), nil)}
	a.completer.CompleteTemplate(ctx, uri, message, func(server domain.ServerID, result ports.Answer, err error) {
		switch {
		case errors.Is(err, domain.ErrResourceNotFound):
			reply(failure(mcp.INVALID_PARAMS, wording.TemplateNotFound(uri)))
		case err != nil:
			reply(failure(mcp.INTERNAL_ERROR, wording.ResourceFailure(uri, err)))
		default:
			reply(serverAnswer(server, result))
		}
	})
}
