package shell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Tools lists and calls the tools of servers for the user at a terminal, and reads their resources.
type Tools struct {
	Lister ports.ToolLister
	User   ports.ToolUser
	Reader ResourceReader
	// Warnings returns the warnings about what was listed, for the user.
	Warnings func(domain.OpenedToolbox) []string
	// Results runs jq programs over results.
	Results ports.ResultKeeper
	Host    *Host
	Screen  *terminal.Output
	Starts  *Starts
	// KeepNames keeps the names of tools, and those of their arguments, for completion.
	KeepNames func(server domain.Server, tools []domain.ToolInfo) error
	Log       *slog.Logger
}

// List starts the servers of a place and lists their tools, while the screen shows what they
// are doing. It calls each with each server that has answered or failed, from any goroutine.
func (t *Tools) List(ctx context.Context, place Place, each func(domain.OpenedServer)) (domain.OpenedToolbox, error) {
	servers := place.Toolbox.Servers
	if server, ok := place.Toolbox.Server(place.Server); ok {
		servers = []domain.Server{server}
	}
	end := t.Starts.Begin(servers)
	defer end()
	listed, err := t.Lister.ListTools(ctx, place.Toolbox.Name, place.Server, func(server domain.OpenedServer) {
		t.Starts.Done(server.ID)
		each(server)
	})
	if err != nil {
		return listed, fmt.Errorf("list the tools of the toolbox %q: %w", place.Toolbox.Name, err)
	}
	for i, server := range listed.Servers {
		if server.Failure != nil {
			continue
		}
		if err := t.KeepNames(servers[i], server.Tools); err != nil {
			// Commands log only errors, and the user should know who can change this folder.
			t.Log.Error("cannot store the names of tools for completion", "error", err)
			break
		}
	}
	return listed, nil
}

// Arguments are the arguments of a call: an object, or words whose types the tool's schema
// decides.
type Arguments struct {
	Object json.RawMessage
	Words  []Argument
	// OnlyReads refuses a tool that is not marked as one that only reads.
	OnlyReads bool
}

// Call starts the server of a tool, calls the tool and returns its raw result. A timeout of 0
// waits without a limit.
//
// Failures: *CommandError, and any other cause.
func (t *Tools) Call(ctx context.Context, place Place, arguments Arguments, timeout time.Duration) (json.RawMessage, error) {
	listed, err := t.List(ctx, place, func(domain.OpenedServer) {})
	if err != nil {
		return nil, err
	}
	server := listed.Servers[0]
	if server.Failure != nil {
		return nil, CallFailed(server.Failure)
	}
	// The use case reports a tool that does not exist.
	tool := domain.ToolList{Tools: server.Tools}.Index()[place.Tool]
	object := arguments.Object
	if object == nil {
		if object, err = Object(arguments.Words, tool.Definition); err != nil {
			return nil, usageError("%w", err)
		}
	}
	unknown := unknownArguments(tool, object)
	for _, line := range unknown {
		t.Screen.Print("mcp-workbench: " + line)
	}
	calling := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		calling, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	asked := &confirmer{Host: t.Host}
	identifier := domain.ToolIdentifier{Toolbox: place.Toolbox.Name, Server: place.Server, Tool: place.Tool}
	answer, err := t.use(calling, identifier, ports.ToolCall{
		Arguments: object, Confirmer: asked, Intent: ports.Intent{Waits: true, OnlyReads: arguments.OnlyReads},
	})
	switch {
	case err != nil && calling.Err() != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("no result within %s; the server was told to stop", timeout)
	case err != nil:
		if wrong, isRefused := errors.AsType[*domain.InvalidArgumentsError](err); isRefused && unknown == nil {
			return nil, usageError("%w: %s; %s", err, wrong.Problems, signatureLine(tool))
		}
		return nil, asked.refusal(err)
	case answer.Error != nil:
		return nil, &CommandError{ToolError, fmt.Errorf("the server answered with an error: %s", domain.LineText(string(answer.Error)))}
	}
	return answer.Result, nil
}

// outcome holds the arguments of a reply function.
type outcome struct {
	answer ports.Answer
	err    error
}

// use makes the call and waits for its answer, whose bytes are the caller's.
func (t *Tools) use(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall) (ports.Answer, error) {
	outcomes := make(chan outcome, 1)
	t.Host.calls.Store(true)
	defer t.Host.calls.Store(false)
	t.Screen.Show("calling " + tool.Tool)
	defer t.Screen.Show()
	call.Progress, call.Input = Progress(t.Screen, tool.Tool), t.Host.GatherInput(ctx, tool.ServerID())
	t.User.UseTool(ctx, tool, call, func(answer ports.Answer, err error) {
		outcomes <- outcome{ports.Answer{Result: bytes.Clone(answer.Result), Error: bytes.Clone(answer.Error)}, err}
	})
	ended := <-outcomes
	return ended.answer, ended.err
}
