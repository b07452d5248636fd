package application

import (
	"context"
	"encoding/json"
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Completer is the use case of completing arguments of prompts and variables of URI
// templates.
//
// Decision: a host does not ask a server that declares no completions. The workbench
// always declares them, so it answers requests for such a server with a result without
// values.
type Completer struct {
	prompts   *PromptReader
	resources *ResourceReader
}

// NewCompleter returns the use case over the readers, which know the server of a prompt or
// template.
func NewCompleter(prompts *PromptReader, resources *ResourceReader) *Completer {
	return &Completer{prompts: prompts, resources: resources}
}

// noCompletion is a result without values.
var noCompletion = json.RawMessage(`{"completion":{"values":[]}}`)

// CompletePrompt implements ports.Completer.
func (c *Completer) CompletePrompt(ctx context.Context, prompt domain.PromptIdentifier, request ports.Message, reply ports.Reply) {
	if connection, _ := c.prompts.sessions.Last(prompt.Server); connection != nil && !completes(connection) {
		reply(ports.Answer{Result: noCompletion}, nil)
		return
	}
	c.prompts.GetPrompt(ctx, prompt, ports.Request{Message: request}, reply)
}

// CompleteTemplate implements ports.Completer.
func (c *Completer) CompleteTemplate(ctx context.Context, template string, request ports.Message, reply ports.ServerReply) {
	listed := c.listing(template)
	if len(listed) > 0 {
		c.ask(ctx, listed, request, reply)
		return
	}
	request.Params = slices.Clone(request.Params)
	go func() {
		if _, err := c.resources.ListResources(ctx, domain.ResourceTemplates); err != nil {
			reply(domain.ServerID{}, ports.Answer{}, err)
			return
		}
		if listed = c.listing(template); len(listed) == 0 {
			// A server may know a template that no server lists.
			listed = slices.DeleteFunc(c.resources.candidates(template, c.resources.connections()),
				func(connection *sessions.Connection) bool { return !completes(connection) })
		}
		if len(listed) == 0 {
			reply(domain.ServerID{}, ports.Answer{}, domain.ErrResourceNotFound)
			return
		}
		c.ask(ctx, listed, request, reply)
	}()
}

// listing returns the connections to servers that listed a template.
func (c *Completer) listing(template string) []*sessions.Connection {
	return ofServers(c.resources.connections(), c.resources.owners.listingTemplate(template))
}

// ask asks one server after the other for a completion, as for a resource. Servers without
// completions are skipped.
func (c *Completer) ask(ctx context.Context, connections []*sessions.Connection, request ports.Message, reply ports.ServerReply) {
	connections = slices.DeleteFunc(connections, func(connection *sessions.Connection) bool { return !completes(connection) })
	if len(connections) == 0 {
		reply(domain.ServerID{}, ports.Answer{Result: noCompletion}, nil)
		return
	}
	request.Params = slices.Clone(request.Params)
	c.resources.askInTurn(ctx, connections, ports.ResourceRequest{Message: request}, func(asked *sessions.Connection, answer ports.Answer, err error) {
		reply(asked.Server.ID, answer, err)
	})
}

func completes(connection *sessions.Connection) bool {
	return connection.Session.Declares("completions")
}
