package mcpserver_test

import (
	"bytes"
	"context"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakePrompts stands in for the use cases of prompts.
type fakePrompts struct {
	listed   func() ([]domain.RegisteredPrompt, error)
	find     func(name string) (domain.PromptIdentifier, error)
	get      func(ctx context.Context, prompt domain.PromptIdentifier, request ports.Request, reply ports.Reply)
	complete func(subject string, request ports.Message, reply ports.Reply)
}

func (f *fakePrompts) ListPrompts(context.Context) ([]domain.RegisteredPrompt, error) {
	return f.listed()
}

func (f *fakePrompts) FindPrompt(_ context.Context, name string) (domain.PromptIdentifier, error) {
	return f.find(name)
}

func (f *fakePrompts) GetPrompt(ctx context.Context, prompt domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
	request.Params = bytes.Clone(request.Params)
	f.get(ctx, prompt, request, reply)
}

func (f *fakePrompts) CompletePrompt(_ context.Context, prompt domain.PromptIdentifier, request ports.Message, reply ports.Reply) {
	f.complete("prompt "+prompt.Prompt, request, reply)
}

func (f *fakePrompts) CompleteTemplate(_ context.Context, template string, request ports.Message, reply ports.ServerReply) {
	f.complete("template "+template, request, func(answer ports.Answer, err error) { reply(review.Server, answer, err) })
}
