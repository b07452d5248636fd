package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Session serves the commands of one session of a shell, one after another and several at the same time. Its servers
// outlive the commands: to them it is the host. Safe for concurrent use.
type Session struct {
	lister ports.ToolLister
	user   ports.ToolUser
	reader shell.ResourceReader

	mu       sync.Mutex // guards commands and what each of them uses
	commands []*command // in the order in which they came
}

// command is a command that is connected.
type command struct {
	*peer
	session *Session
	uses    map[domain.ServerID]int // the number of its requests to each server; guarded by the session
}

var (
	_ ports.Host           = (*Session)(nil)
	_ ports.RestartWatcher = (*Session)(nil)
)

// Use sets the use cases of the session. It must be called before Serve.
func (s *Session) Use(lister ports.ToolLister, user ports.ToolUser, reader shell.ResourceReader) {
	s.lister, s.user, s.reader = lister, user, reader
}

// Serve serves a command until it is gone or the context ends. The messages of the command have at most limit bytes.
func (s *Session) Serve(ctx context.Context, from io.Reader, to io.Writer, limit int64) {
	served := &command{peer: newPeer(to), session: s, uses: map[domain.ServerID]int{}}
	served.handle = served.answer
	s.mu.Lock()
	s.commands = append(s.commands, served)
	s.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		served.run(ctx, from, limit) // until the caller closes the connection
	}()
	select {
	case <-gone:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = slices.DeleteFunc(s.commands, func(other *command) bool { return other == served })
}

// toCall are the parameters of tools/call.
type toCall struct {
	Server    place           `json:"server"`
	Tool      string          `json:"tool"`
	Call      string          `json:"call"`
	OnlyReads bool            `json:"onlyReads"`
	Arguments json.RawMessage `json:"arguments"`
}

// answer handles the messages of a command.
func (c *command) answer(ctx context.Context, method mcp.MCPMethod, params json.RawMessage) (json.RawMessage, error) {
	switch method {
	case mcp.MethodToolsList:
		var named place
		if err := json.Unmarshal(params, &named); err != nil {
			return nil, err
		}
		defer c.begin(domain.ServerID(named))()
		return c.list(ctx, named)
	case mcp.MethodToolsCall:
		var wanted toCall
		if err := json.Unmarshal(params, &wanted); err != nil {
			return nil, err
		}
		defer c.begin(domain.ServerID(wanted.Server))()
		return c.call(ctx, wanted)
	case mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		var named place
		if err := json.Unmarshal(params, &named); err != nil {
			return nil, err
		}
		defer c.begin(domain.ServerID(named))()
		return c.listResources(ctx, domain.ServerID(named), method)
	case mcp.MethodResourcesRead:
		var wanted toRead
		if err := json.Unmarshal(params, &wanted); err != nil {
			return nil, err
		}
		defer c.begin(domain.ServerID(wanted.Server))()
		return c.read(ctx, wanted)
	}
	return nil, &ports.UnsupportedError{Reason: "a command cannot ask for " + string(method)}
}

// begin notes that the command uses a server, until end is called.
func (c *command) begin(server domain.ServerID) (end func()) {
	c.note(server, 1)
	return func() { c.note(server, -1) }
}

func (c *command) note(server domain.ServerID, more int) {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	c.uses[server] += more
}

// list lists a server.
func (c *command) list(ctx context.Context, named place) (json.RawMessage, error) {
	listed, err := c.session.lister.ListTools(ctx, named.Toolbox, named.Server, func(domain.OpenedServer) {})
	if err != nil {
		return nil, err
	}
	server := listed.Servers[0]
	tools := []byte{'['}
	for i, tool := range server.Tools {
		if i > 0 {
			tools = append(tools, ',')
		}
		// By hand, since encoding/json would change the bytes of the definition.
		tools = append(tools, rawjson.Object{}.Text("name", tool.Name).Text("shown", tool.Shown).Raw("definition", tool.Definition).JSON()...)
	}
	needYes, onlyRead := maps.Clone(server.NeedYes), maps.Clone(server.OnlyRead)
	return rawjson.Object{}.Raw("tools", append(tools, ']')).Raw("needYes", rawjson.MustMarshal(needYes)).Raw("onlyRead", rawjson.MustMarshal(onlyRead)).
		Raw("unreachable", rawjson.MustMarshal(newUnreachable(server.Failure))).Texts("warnings", wording.UserWarnings(listed)).JSON(), nil
}

// call calls a tool.
func (c *command) call(ctx context.Context, wanted toCall) (json.RawMessage, error) {
	about := func() rawjson.Object {
		return rawjson.Object{}.Raw("server", rawjson.MustMarshal(wanted.Server)).Text("call", wanted.Call)
	}
	tool := domain.ToolIdentifier{Toolbox: wanted.Server.Toolbox, Server: wanted.Server.Server, Tool: wanted.Tool}
	return await(func(done func(json.RawMessage, error)) {
		c.session.user.UseTool(ctx, tool, ports.ToolCall{
			Arguments: wanted.Arguments, Intent: ports.Intent{Waits: true, OnlyReads: wanted.OnlyReads},
			Progress: func(update ports.Progress) {
				c.notify(mcp.MethodNotificationProgress, about().Text("before", string(update.Before)).Text("after", string(update.After)).JSON())
			},
			Input: func(wanted json.RawMessage, supply func(json.RawMessage, error)) {
				params := about().Raw("params", wanted).JSON()
				go func() {
					var more string
					result, err := c.request(ctx, methodInput, params)
					if err == nil {
						err = json.Unmarshal(result, &more)
					}
					supply(json.RawMessage(more), err)
				}()
			},
			Confirmer: &confirmer{c, about},
		}, func(answer ports.Answer, err error) {
			done(encodedAnswer(answer, err), err)
		})
	})
}

// listResources lists the resources of a server, or their templates.
func (c *command) listResources(ctx context.Context, server domain.ServerID, method mcp.MCPMethod) (json.RawMessage, error) {
	kind := domain.Resources
	if method == mcp.MethodResourcesTemplatesList {
		kind = domain.ResourceTemplates
	}
	resources, err := c.session.reader.ListResourcesOf(ctx, server, kind)
	if err != nil {
		return nil, err
	}
	return shell.DefinitionsOf(resources), nil
}

// toRead are the parameters of resources/read: the server, and those that it gets.
type toRead struct {
	Server place           `json:"server"`
	Params json.RawMessage `json:"params"`
}

// read reads a resource.
func (c *command) read(ctx context.Context, wanted toRead) (json.RawMessage, error) {
	request := ports.ResourceRequest{Message: ports.Message{Method: string(mcp.MethodResourcesRead), Params: wanted.Params}, Purpose: ports.ReadResource}
	return await(func(done func(json.RawMessage, error)) {
		uri := rawjson.Text(rawjson.Member(wanted.Params, "uri"))
		c.session.reader.RequestResource(ctx, uri, request, domain.ServerID(wanted.Server), func(_ domain.ServerID, answer ports.Answer, err error) {
			done(encodedAnswer(answer, err), err)
		})
	})
}

// encodedAnswer returns an answer of a server as the command reads it.
func encodedAnswer(answer ports.Answer, err error) json.RawMessage {
	result := rawjson.Object{}
	if answer.Error != nil {
		result = result.Raw("error", answer.Error)
	} else if err == nil {
		result = result.Raw("result", answer.Result)
	}
	return bytes.Clone(result.JSON())
}

// confirmer asks the user of a command about a call.
type confirmer struct {
	command *command
	about   func() rawjson.Object
}

// CanConfirm implements ports.Confirmer: the command decides.
func (c *confirmer) CanConfirm() bool { return true }

// Confirm implements ports.Confirmer.
func (c *confirmer) Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer)) {
	params := c.about().Raw("question", rawjson.MustMarshal(question)).JSON()
	go func() {
		answer := domain.ConfirmationFailed
		result, err := c.command.request(ctx, methodConfirm, params)
		switch {
		case ctx.Err() != nil:
			answer = domain.ConfirmationWithdrawn
		case err == nil && json.Unmarshal(result, &answer) != nil:
			answer = domain.ConfirmationFailed
		}
		reply(answer)
	}()
}

// Capabilities implements ports.Host: those of a shell.
func (s *Session) Capabilities() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{}},"roots":{}}`)
}

// commandOf returns the last command that uses a server, nil for none.
func (s *Session) commandOf(server domain.ServerID) *command {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, command := range slices.Backward(s.commands) {
		if command.uses[server] > 0 {
			return command
		}
	}
	return nil
}

// Notify implements ports.Host. Log messages go to the command that uses the server, and are lost without one.
func (s *Session) Notify(server domain.ServerID, notification ports.Notification) {
	if notification.Kind != ports.LogMessage || notification.Params == nil {
		return
	}
	if command := s.commandOf(server); command != nil {
		command.notify(mcp.MethodNotificationMessage, of(server).Raw("params", notification.Params).JSON())
	}
}

// Restarted implements ports.RestartWatcher.
func (s *Session) Restarted(server domain.ServerID, why error) {
	if command := s.commandOf(server); command != nil {
		command.notify(methodRestarted, of(server).Text("text", wording.UserReason(why)).JSON())
	}
}

// Request implements ports.Host. The command that uses the server answers.
func (s *Session) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	command := s.commandOf(server)
	if command == nil {
		reply(ports.Answer{}, &ports.UnsupportedError{Reason: "no command in the shell uses the server now"})
		return
	}
	params := of(server)
	if request.Params != nil {
		params = params.Raw("params", request.Params)
	}
	text := params.JSON()
	go func() {
		result, err := command.request(ctx, mcp.MCPMethod(request.Method), text)
		reply(ports.Answer{Result: result}, err)
	}()
}

// of begins the parameters of a message that a server caused.
func of(server domain.ServerID) rawjson.Object {
	return rawjson.Object{}.Raw("server", rawjson.MustMarshal(place(server)))
}
