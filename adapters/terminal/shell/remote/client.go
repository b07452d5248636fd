package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Methods between the two ends that MCP does not have.
const (
	methodConfirm   mcp.MCPMethod = "mcp-workbench/confirm"
	methodInput     mcp.MCPMethod = "mcp-workbench/input"
	methodRestarted mcp.MCPMethod = "notifications/mcp-workbench/restarted"
)

// unlimited is the size of the answers of the workbench, which bounds those of servers.
const unlimited = 1 << 40

// Client are the use cases of a workbench in another process, for one command. Safe for concurrent use.
type Client struct {
	*peer
	connection io.Closer
	toolbox    func(domain.ToolboxName) (domain.Toolbox, error)
	host       *shell.Host
	ended      chan struct{}

	calling  sync.Mutex // guards the fields below
	calls    map[string]ports.ToolCall
	lastCall int
	warnings []string
}

var (
	_ ports.ToolLister     = (*Client)(nil)
	_ ports.ToolUser       = (*Client)(nil)
	_ shell.ResourceReader = (*Client)(nil)
)

// NewClient returns the use cases of the workbench at the other end of a connection. Servers ask the host, and toolbox
// finds a toolbox of the command's configuration. The caller must close the client.
func NewClient(connection io.ReadWriteCloser, host *shell.Host, toolbox func(domain.ToolboxName) (domain.Toolbox, error)) *Client {
	c := &Client{
		peer: newPeer(connection), connection: connection, toolbox: toolbox, host: host, ended: make(chan struct{}), calls: map[string]ports.ToolCall{},
	}
	c.handle = c.answer
	go func() {
		c.run(context.Background(), connection, unlimited)
		close(c.ended)
	}()
	return c
}

// Close ends the connection. The servers stay.
func (c *Client) Close() {
	_ = c.connection.Close() // the workbench notices
	<-c.ended
}

// Warnings returns the warnings about the servers that were listed, for the user.
func (c *Client) Warnings(domain.OpenedToolbox) []string {
	c.calling.Lock()
	defer c.calling.Unlock()
	return c.warnings
}

// place names a server between the two ends.
type place struct {
	Toolbox domain.ToolboxName `json:"toolbox"`
	Server  domain.ServerName  `json:"server"`
}

// listedServer is the answer to tools/list.
type listedServer struct {
	Tools       []listedTool     `json:"tools"`
	NeedYes     map[string]bool  `json:"needYes"`
	OnlyRead    map[string]bool  `json:"onlyRead"`
	Unreachable *sentUnreachable `json:"unreachable"`
	Warnings    []string         `json:"warnings"`
}

type listedTool struct {
	Name       string          `json:"name"`
	Shown      string          `json:"shown"`
	Definition json.RawMessage `json:"definition"`
}

// ListTools implements ports.ToolLister. The workbench lists each server by itself.
func (c *Client) ListTools(
	ctx context.Context, name domain.ToolboxName, server domain.ServerName, each func(domain.OpenedServer),
) (domain.OpenedToolbox, error) {
	toolbox, err := c.toolbox(name)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	listed := domain.OpenedToolbox{Toolbox: toolbox}
	for _, configured := range toolbox.Servers {
		if server == "" || configured.ID.Server == server {
			listed.Servers = append(listed.Servers, domain.OpenedServer{ID: configured.ID})
		}
	}
	var listing sync.WaitGroup
	for i := range listed.Servers {
		listing.Go(func() {
			c.listServer(ctx, &listed.Servers[i])
			each(listed.Servers[i])
		})
	}
	listing.Wait()
	return listed, ctx.Err()
}

// listServer fills in what the workbench lists of a server.
func (c *Client) listServer(ctx context.Context, server *domain.OpenedServer) {
	var got listedServer
	result, err := c.request(ctx, mcp.MethodToolsList, rawjson.MustMarshal(place(server.ID)))
	if err == nil {
		err = json.Unmarshal(result, &got)
	}
	switch {
	case err != nil:
		server.Failure = err
		return
	case got.Unreachable != nil:
		server.Failure = &unreachable{got.Unreachable.Reason, got.Unreachable.error()}
	}
	for _, tool := range got.Tools {
		server.Tools = append(server.Tools, domain.ToolInfo{Name: tool.Name, Shown: tool.Shown, Definition: tool.Definition})
	}
	server.NeedYes, server.OnlyRead = got.NeedYes, got.OnlyRead
	c.calling.Lock()
	defer c.calling.Unlock()
	for _, warning := range got.Warnings {
		if !slices.Contains(c.warnings, warning) {
			c.warnings = append(c.warnings, warning)
		}
	}
}

// UseTool implements ports.ToolUser.
func (c *Client) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	number := c.begin(call)
	params := rawjson.Object{}.Raw("server", rawjson.MustMarshal(place(tool.ServerID()))).Text("tool", tool.Tool).Text("call", number).
		Bool("onlyReads", call.OnlyReads).Raw("arguments", call.Arguments).JSON()
	go func() {
		defer c.end(number)
		result, err := c.request(ctx, mcp.MethodToolsCall, params)
		if err != nil {
			reply(ports.Answer{}, err)
			return
		}
		reply(ports.Answer{Result: rawjson.Member(result, "result"), Error: rawjson.Member(result, "error")}, nil)
	}()
}

// ListResourcesOf implements shell.ResourceReader.
func (c *Client) ListResourcesOf(ctx context.Context, server domain.ServerID, kind domain.ResourceKind) ([]domain.Resource, error) {
	method, member := mcp.MethodResourcesList, "uri"
	if kind == domain.ResourceTemplates {
		method, member = mcp.MethodResourcesTemplatesList, "uriTemplate"
	}
	result, err := c.request(ctx, method, rawjson.MustMarshal(place(server)))
	if err != nil {
		return nil, err
	}
	listed, err := rawjson.Parse(result)
	if err != nil {
		return nil, fmt.Errorf("read the list of the background workbench: %w", err)
	}
	var resources []domain.Resource
	for _, definition := range listed.Parts {
		uri := rawjson.Text(rawjson.Member(definition.Raw, member))
		resources = append(resources, domain.Resource{Server: server, URI: uri, Definition: definition.Raw})
	}
	return resources, nil
}

// RequestResource implements shell.ResourceReader, for reading.
func (c *Client) RequestResource(ctx context.Context, _ string, request ports.ResourceRequest, to domain.ServerID, reply ports.ServerReply) {
	params := rawjson.Object{}.Raw("server", rawjson.MustMarshal(place(to))).Raw("params", request.Params).JSON()
	go func() {
		result, err := c.request(ctx, mcp.MethodResourcesRead, params)
		if err != nil {
			reply(to, ports.Answer{}, err)
			return
		}
		reply(to, ports.Answer{Result: rawjson.Member(result, "result"), Error: rawjson.Member(result, "error")}, nil)
	}()
}

// begin notes a call, whose number is in the messages about it.
func (c *Client) begin(call ports.ToolCall) (number string) {
	c.calling.Lock()
	defer c.calling.Unlock()
	c.lastCall++
	number = strconv.Itoa(c.lastCall)
	c.calls[number] = call
	return number
}

func (c *Client) end(number string) {
	c.calling.Lock()
	defer c.calling.Unlock()
	delete(c.calls, number)
}

// fromServer is a message of the workbench that a server caused. Call is the number of the call that it is about, if it
// is about one.
type fromServer struct {
	Server   place                       `json:"server"`
	Call     string                      `json:"call"`
	Params   json.RawMessage             `json:"params"`
	Text     string                      `json:"text"`
	Question domain.ConfirmationQuestion `json:"question"`
	Before   string                      `json:"before"`
	After    string                      `json:"after"`
}

var errNoCall = errors.New("the call has ended")

// answer handles the messages of the workbench.
func (c *Client) answer(ctx context.Context, method mcp.MCPMethod, params json.RawMessage) (json.RawMessage, error) {
	var message fromServer
	if err := json.Unmarshal(params, &message); err != nil {
		return nil, err
	}
	server := domain.ServerID(message.Server)
	c.calling.Lock()
	call, isUnderWay := c.calls[message.Call]
	c.calling.Unlock()
	switch method {
	case mcp.MethodNotificationMessage:
		c.host.Notify(server, ports.Notification{Kind: ports.LogMessage, Method: string(method), Params: message.Params})
		return nil, nil //nolint:nilnil // a notification has no result
	case methodRestarted:
		c.host.Restarted(server, errors.New(message.Text))
		return nil, nil //nolint:nilnil // likewise
	case mcp.MethodNotificationProgress, methodConfirm, methodInput:
		if !isUnderWay {
			return nil, errNoCall
		}
		return aboutCall(ctx, call, method, message)
	}
	return await(func(done func(json.RawMessage, error)) {
		c.host.Request(ctx, server, ports.Message{Method: string(method), Params: message.Params}, func(answer ports.Answer, err error) {
			done(slices.Clone(answer.Result), err)
		})
	})
}

// aboutCall handles a message about a call that is under way.
func aboutCall(ctx context.Context, call ports.ToolCall, method mcp.MCPMethod, message fromServer) (json.RawMessage, error) {
	switch method {
	case mcp.MethodNotificationProgress:
		call.Progress(ports.Progress{Before: json.RawMessage(message.Before), After: json.RawMessage(message.After)})
		return nil, nil //nolint:nilnil // a notification has no result
	case methodInput:
		return await(func(done func(json.RawMessage, error)) {
			call.Input(message.Params, func(more json.RawMessage, err error) { done(rawjson.MustMarshal(string(more)), err) })
		})
	}
	return await(func(done func(json.RawMessage, error)) {
		call.Confirmer.Confirm(ctx, message.Question, func(answer domain.ConfirmationAnswer) { done(rawjson.MustMarshal(answer), nil) })
	})
}

// await calls a function and waits until it is done.
func await(begin func(done func(json.RawMessage, error))) (json.RawMessage, error) {
	responses := make(chan response, 1)
	begin(func(result json.RawMessage, err error) { responses <- response{result, err} })
	got := <-responses
	return got.result, got.err
}
