package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	. "github.com/onsi/gomega"

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

// failingUse fails every call.
func failingUse(err error) func(context.Context, domain.ToolIdentifier, ports.ToolCall, ports.Reply) {
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

// modernMeta is in the _meta of every request of 2026-07-28.
const modernMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

// initialize shakes hands, declaring what the host can do.
func initialize(capabilities string) string {
	return request(`"hello"`, "initialize",
		`{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"spec","version":"1"}}`)
}

// request returns the line of a request; params may be empty.
func request(id, method, params string) string {
	if params != "" {
		params = `,"params":` + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, params)
}

// modern returns the line of a request of 2026-07-28 with these members of params.
func modern(id, method, members string) string {
	if members != "" {
		members += ","
	}
	return request(id, method, `{`+members+`"_meta":{`+modernMeta+`}}`)
}

func notification(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

func cancellation(id string) string {
	return notification("notifications/cancelled", `{"requestId":`+id+`}`)
}

// openToolbox calls open_toolbox with these arguments.
func openToolbox(id, arguments string) string {
	return request(id, "tools/call", `{"name":"open_toolbox","arguments":`+arguments+`}`)
}

// useTool calls use_tool with these arguments.
func useTool(id, arguments string) string {
	return request(id, "tools/call", `{"name":"use_tool","arguments":`+arguments+`}`)
}

// read is the tool that most specs use.
const read = `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":{"n":1}}`

// resultLine is the line of a result.
func resultLine(id, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// errorLine is the line of an error.
func errorLine(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, quote(message))
}

// textLine is the line of a tool's result with one text.
func textLine(id, text string) string {
	return resultLine(id, `{"content":[{"type":"text","text":`+quote(text)+`}]}`)
}

// failedLine is the line of a tool's result that is an error with one text.
func failedLine(id, text string) string {
	return resultLine(id, `{"content":[{"type":"text","text":`+quote(text)+`}],"isError":true}`)
}

func quote(text string) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	Expect(encoder.Encode(text)).To(Succeed())
	return strings.TrimSuffix(quoted.String(), "\n")
}

// fields decodes a line.
func fields(line string) map[string]any {
	var decoded map[string]any
	Expect(json.Unmarshal([]byte(line), &decoded)).To(Succeed())
	return decoded
}
