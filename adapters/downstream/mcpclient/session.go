package mcpclient

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Session is a ports.Session over a Link.
type Session struct {
	link         Link
	messages     *ServerMessages
	server       domain.Server
	clientInfo   clientInfo
	handshake    handshake
	hasResources bool
	hasTasks     bool
	lastToken    atomic.Uint64
	withoutList  sync.Map // of the lists that the server does not have, by their member, to nothing

	mu       sync.Mutex
	logLevel string // last sent to the server
	// subscriptions are the host's, to resources of a server of 2026-07-28, by URI, oldest first.
	subscriptions map[string][]*resourceSubscription
}

// Connect shakes hands over a new link, which was made with the same messages, and returns the
// session. The context bounds the handshake. After a failure the caller closes the link.
//
// Failures: domain.ErrServerUnavailable; the context's.
func Connect(ctx context.Context, link Link, messages *ServerMessages, identity Identity) (*Session, error) {
	clientInfo := clientInfo{
		identity: rawjson.MustMarshal(identity), host: messages.host, version: cmp.Or(messages.Offer, mcp.LATEST_LEGACY_PROTOCOL_VERSION),
	}
	agreed, err := shakeHands(ctx, link, clientInfo)
	if err != nil {
		return nil, messages.Unavailable(ctx, err)
	}
	session := &Session{
		link: link, messages: messages, server: messages.server, clientInfo: clientInfo, handshake: agreed,
		subscriptions: map[string][]*resourceSubscription{},
	}
	session.hasResources = session.Declares("resources")
	session.hasTasks = session.Declares("tasks") || session.Declares("extensions")
	session.listenForChanges()
	return session, nil
}

// Declares implements ports.Session.
func (s *Session) Declares(capability ...string) bool {
	declared := s.handshake.capabilities
	for _, member := range capability {
		declared = rawjson.Member(declared, member)
	}
	return !rawjson.IsNull(declared) && string(declared) != "false"
}

// CallTool implements ports.Session.
//
// Decision: the server is asked for progress even if the host does not want it, since a server that is not asked is
// silent while it works, and a call that works must not end at the limit for silence.
func (s *Session) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	request := Request{Method: mcp.MethodToolsCall, Limit: call.SilenceLimit, TotalLimit: call.TotalLimit, FlushGroup: call.FlushGroup}
	if call.Progress != nil || call.SilenceLimit > 0 {
		request.Token, request.Progress = s.lastToken.Add(1), call.Progress
	}
	if call.LogLevel != "" && !s.handshake.modern() {
		s.SetLogLevel(call.LogLevel)
	}
	request.Params, request.CleanParams = s.callParams(call, request.Token)
	if s.handshake.modern() && call.Input != nil {
		s.callWithInput(ctx, call, request, reply)
		return
	}
	s.link.Request(ctx, request, func(answer Answer, err error) { reply(s.toolAnswer(ctx, answer, err)) })
}

// toolAnswer is like answer, and adds the resources and the task that a tool's result names.
func (s *Session) toolAnswer(ctx context.Context, answer Answer, err error) (ports.Answer, error) {
	outcome, err := s.answer(ctx, answer, err)
	if s.hasResources {
		outcome.Resources = resourcesOf(outcome.Result, "content")
	}
	if s.hasTasks {
		outcome.Task = taskOf(outcome.Result)
	}
	return outcome, err
}

// Request implements ports.Session.
func (s *Session) Request(ctx context.Context, asked ports.Request, reply ports.Reply) {
	request := Request{Method: mcp.MCPMethod(asked.Method), Limit: asked.Limit, TotalLimit: asked.TotalLimit}
	if asked.Progress != nil {
		request.Token, request.Progress = s.lastToken.Add(1), asked.Progress
	}
	if asked.LogLevel != "" && !s.handshake.modern() {
		s.SetLogLevel(asked.LogLevel)
	}
	request.Params = s.withMeta(asked.Params, asked.LogLevel, request.Token)
	finish := func(answer Answer, err error) {
		outcome, err := s.answer(ctx, answer, err)
		if s.hasResources && asked.Method == string(mcp.MethodPromptsGet) {
			outcome.Resources = resourcesOf(outcome.Result, "messages")
		}
		reply(outcome, err)
	}
	if s.handshake.modern() && asked.Input != nil {
		asked.Params = bytes.Clone(asked.Params)
		s.requestWithInput(ctx, request, asked.Input, func(more json.RawMessage) json.RawMessage {
			return s.withMeta(continuedParams(asked.Params, more), asked.LogLevel, request.Token)
		}, finish)
		return
	}
	s.link.Request(ctx, request, finish)
}

// Ping implements ports.Session.
func (s *Session) Ping(ctx context.Context, limit time.Duration, reply func(err error)) {
	ping := ports.Request{Message: ports.Message{Method: string(mcp.MethodPing)}, Limit: limit}
	s.Request(ctx, ping, func(_ ports.Answer, err error) { reply(err) })
}

// AnnounceRootsChanged implements ports.Session.
func (s *Session) AnnounceRootsChanged() {
	if s.handshake.modern() {
		return // that version has no notifications to servers
	}
	// A server that does not read misses it, as ports.Session says.
	_ = s.link.Notify(mcp.MethodNotificationRootsListChanged, nil)
}

// answer converts the outcome of a request to that of ports.Session.
func (s *Session) answer(ctx context.Context, answer Answer, err error) (ports.Answer, error) {
	if limit, ok := errors.AsType[*LimitError](err); ok {
		timedOut := &domain.TimedOutError{ID: s.server.ID, Waited: limit.Waited, Limit: "limits.call", Output: s.messages.Said(limit.Output)}
		if limit.InAll {
			timedOut.Limit = "limits.callTotal"
		}
		return ports.Answer{}, timedOut
	}
	if err != nil {
		return ports.Answer{}, s.messages.Unavailable(ctx, err)
	}
	return ports.Answer{Result: answer.Result, Error: answer.Error, Reading: answer.Reading, FlushGroup: answer.FlushGroup}, nil
}

// levelTime is the longest time a server may take to answer a change of the log level, whose answer nothing waits for.
const levelTime = 10 * time.Second

// SetLogLevel implements ports.Session. A server of 2026-07-28 gets the level with each call, others
// when it changes.
func (s *Session) SetLogLevel(level string) {
	if !s.handshake.modern() && !s.Declares("logging") {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logLevel == level {
		return
	}
	s.logLevel = level
	if s.handshake.modern() {
		return
	}
	params := rawjson.Object{}.Text("level", level).JSON()
	s.link.Request(context.Background(), Request{Method: mcp.MethodSetLogLevel, Params: params, Limit: levelTime}, func(Answer, error) {})
}

func (s *Session) currentLogLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logLevel
}

// callParams builds the parameters without an encoder, so that those of the host keep their bytes. It
// reports whether they are known to be clean.
func (s *Session) callParams(call ports.ToolCall, token uint64) (params json.RawMessage, clean bool) {
	size := len(call.Name) + len(call.Arguments) + len(call.ExtraParams) + len(call.Meta) + 64
	if s.handshake.modern() {
		size += 512
	}
	params = jsonrpc.BodyBuffer(size)
	params = append(params, `{"name":`...)
	params = rawjson.AppendQuote(params, call.Name)
	params = append(params, `,"arguments":`...)
	params = append(params, call.Arguments...)
	end := len(params)
	if call.ExtraParams != nil {
		params = append(params, ',')
		params = append(params, call.ExtraParams...)
	}
	params = append(s.appendMeta(params, call, token), '}')
	return params, call.Reading.Clean(call.Arguments) && jsonrpc.Clean(params[end:])
}

// appendMeta appends the _meta of a call, unless it would be empty.
func (s *Session) appendMeta(params []byte, call ports.ToolCall, token uint64) []byte {
	hasOwn := s.handshake.modern() || token != 0
	if len(call.Meta) == 0 && !hasOwn {
		return params
	}
	params = append(append(params, `,"_meta":{`...), call.Meta...)
	if len(call.Meta) > 0 && hasOwn {
		params = append(params, ',')
	}
	return append(s.appendOwnMeta(params, cmp.Or(call.LogLevel, s.currentLogLevel()), token), '}')
}

// appendOwnMeta appends the members that the workbench adds to the _meta of a request: those that every request to a
// server of 2026-07-28 carries, among them the log level, and the progress token.
func (s *Session) appendOwnMeta(meta []byte, level string, token uint64) []byte {
	if s.handshake.modern() {
		meta = s.clientInfo.appendMeta(meta)
		if level != "" {
			meta = rawjson.AppendQuote(append(meta, `,"`+mcp.MetaKeyLogLevel+`":`...), level)
		}
		if token != 0 {
			meta = append(meta, ',')
		}
	}
	if token != 0 {
		meta = strconv.AppendUint(append(meta, `"progressToken":`...), token, 10)
	}
	return meta
}

// withMeta returns a copy of params, with the members that the workbench adds to their _meta.
func (s *Session) withMeta(params json.RawMessage, level string, token uint64) json.RawMessage {
	if !s.handshake.modern() && token == 0 {
		return bytes.Clone(params)
	}
	meta := append(s.appendOwnMeta([]byte{'{'}, level, token), '}')
	_ = rawjson.EachMember(rawjson.Member(params, "_meta"), func(name, value []byte) error {
		if !rawjson.HasMember(meta, string(name)) {
			meta = rawjson.With(meta, string(name), value)
		}
		return nil
	})
	return rawjson.With(params, "_meta", meta)
}

// Done implements ports.Session.
func (s *Session) Done() <-chan struct{} { return s.link.Done() }

// Err implements ports.Session.
func (s *Session) Err() error {
	if err := s.link.Err(); err != nil {
		return s.messages.Unavailable(context.Background(), err)
	}
	return nil
}

// Close implements ports.Session.
func (s *Session) Close(ctx context.Context) error { return s.link.Close(ctx) }
