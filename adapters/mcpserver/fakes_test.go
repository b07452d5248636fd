package mcpserver_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakeUseCases stands in for the use cases. Its functions
// are set while nothing is under way.
type fakeUseCases struct {
	fakePrompts
	open     func(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error)
	use      func(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply)
	list     func(kind domain.ResourceKind) ([]domain.Resource, error)
	resource func(uri string, request ports.Message, reply ports.Reply)
	task     func(task string, request ports.Message, reply ports.Reply)

	mu sync.Mutex
	// The last requests: what one about a resource was for, and whether one about a task ended it.
	purpose   ports.ResourcePurpose
	ends      bool
	used      []usedTool
	announced []string
	shown     []string // "server: tools" of what was shown whole
}

// usedTool is a call that arrived, with copies of its bytes.
type usedTool struct {
	tool                  domain.ToolIdentifier
	arguments, more, meta string
	logLevel              string
	asTask, onlyReads     bool
}

func (f *fakeUseCases) OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error) {
	return f.open(ctx, toolbox)
}

func (f *fakeUseCases) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	f.mu.Lock()
	f.used = append(f.used, usedTool{
		tool: tool, arguments: string(call.Arguments), more: string(call.ExtraParams), meta: string(call.Meta),
		logLevel: call.LogLevel, asTask: call.AsTask, onlyReads: call.OnlyReads,
	})
	f.mu.Unlock()
	f.use(ctx, tool, call, reply)
}

func (f *fakeUseCases) RecordShown(server domain.ServerID, tools []domain.ToolInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, tool := range tools {
		f.shown = append(f.shown, string(server.Server)+"/"+tool.Name)
	}
}

func (f *fakeUseCases) shownWhole() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.shown)
}

func (f *fakeUseCases) ListResources(_ context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	return f.list(kind)
}

func (f *fakeUseCases) RequestResource(
	_ context.Context, uri string, request ports.ResourceRequest, to domain.ServerID, reply ports.ServerReply,
) {
	if (to == domain.ServerID{}) {
		to = domain.ServerID{Toolbox: "dev", Server: "files"}
	}
	f.mu.Lock()
	f.purpose = request.Purpose
	f.mu.Unlock()
	f.resource(uri, request.Message, func(answer ports.Answer, err error) { reply(to, answer, err) })
}

// lastPurpose returns what the last request about a resource was for.
func (f *fakeUseCases) lastPurpose() ports.ResourcePurpose {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.purpose
}

// lastEnds returns whether the last request about a task ended it.
func (f *fakeUseCases) lastEnds() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ends
}

func (f *fakeUseCases) RequestTask(_ context.Context, task string, request ports.TaskRequest, reply ports.ServerReply) {
	f.mu.Lock()
	f.ends = request.Ends
	f.mu.Unlock()
	f.task(task, request.Message, func(answer ports.Answer, err error) {
		reply(domain.ServerID{Toolbox: "dev", Server: "files"}, answer, err)
	})
}

func (f *fakeUseCases) AnnounceRootsChanged() { f.announce("roots") }

func (f *fakeUseCases) SetLogLevel(level string) { f.announce("log level " + level) }

func (f *fakeUseCases) StartServers() { f.announce("start of servers") }

func (f *fakeUseCases) announce(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.announced = append(f.announced, what)
}

func (f *fakeUseCases) heard() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.announced)
}

func (f *fakeUseCases) calls() []usedTool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.used)
}

// result answers every call with that result.
func result(raw string) func(context.Context, domain.ToolIdentifier, ports.ToolCall, ports.Reply) {
	return func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
		reply(ports.Answer{Result: json.RawMessage(raw)}, nil)
	}
}

// failing fails every call.
func failing(err error) func(context.Context, domain.ToolIdentifier, ports.ToolCall, ports.Reply) {
	return func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
		reply(ports.Answer{}, err)
	}
}

// opens answers every opening.
func opens(opened domain.OpenedToolbox, err error) func(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) {
	return func(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) { return opened, err }
}

// fakeInstructions tell of toolboxes without problems.
type fakeInstructions []domain.Toolbox

func (f fakeInstructions) BuildInstructions() domain.Instructions {
	return domain.Instructions{Toolboxes: f}
}
