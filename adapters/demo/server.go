package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// maxMessageSize is the maximum length of a message to the demo server, in bytes.
const maxMessageSize = 10 << 20

// server is the state of one run.
type server struct {
	version string
	writer  *jsonrpc.Writer

	mu      sync.Mutex
	notes   []string
	pending map[string]context.CancelFunc
}

// Serve answers the messages in input until input ends. The context cancels calls. The
// handshake reports the version as that of the server.
func Serve(ctx context.Context, version string, input io.Reader, output io.Writer) error {
	s := &server{version: version, writer: jsonrpc.NewWriter(output, nil), pending: map[string]context.CancelFunc{}}
	calling, cancel := context.WithCancel(ctx)
	defer cancel()
	var calls sync.WaitGroup
	lines := jsonrpc.NewLineReader(input, maxMessageSize)
	scanner := rawjson.NewScanner()
	for {
		line, err := lines.Next()
		if jsonrpc.IsEnd(err) {
			cancel()
			calls.Wait()
			closeErr := s.writer.Close(ctx)
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return errors.Join(err, closeErr)
		}
		if message, err := jsonrpc.ParseMessage(scanner, bytes.Clone(line)); err == nil {
			s.receive(calling, message, &calls)
		}
	}
}

func (s *server) receive(ctx context.Context, message jsonrpc.Message, calls *sync.WaitGroup) {
	switch {
	case message.Method == mcp.MethodNotificationCancelled:
		var cancelled struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(message.Params, &cancelled) == nil {
			s.cancel(string(cancelled.RequestID))
		}
	case message.IsRequest():
		ctx, cancel := context.WithCancel(ctx)
		s.mu.Lock()
		s.pending[string(message.ID)] = cancel
		s.mu.Unlock()
		calls.Go(func() {
			defer s.cancel(string(message.ID))
			s.answer(ctx, message)
		})
	}
}

func (s *server) cancel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.pending[id]; ok {
		cancel()
		delete(s.pending, id)
	}
}

func (s *server) answer(ctx context.Context, message jsonrpc.Message) {
	var result any
	switch message.Method {
	case mcp.MethodInitialize:
		result = s.greeting(message.Params)
	case mcp.MethodPing:
		result = struct{}{}
	case mcp.MethodToolsList:
		result = map[string]any{"tools": s.tools()}
	case mcp.MethodToolsCall:
		s.call(ctx, message)
		return
	default:
		s.write(jsonrpc.Error(message.ID, mcp.METHOD_NOT_FOUND, "method not found: "+string(message.Method)))
		return
	}
	s.write(jsonrpc.Result(message.ID, marshal(result)))
}

func (s *server) greeting(params json.RawMessage) any {
	var hello struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	// If the params cannot be read, the newest version is used.
	_ = json.Unmarshal(params, &hello)
	return map[string]any{
		"protocolVersion": mcp.NegotiateLegacyVersion(cmp.Or(hello.ProtocolVersion, mcp.LATEST_LEGACY_PROTOCOL_VERSION)),
		"capabilities":    map[string]any{"tools": struct{}{}},
		"serverInfo":      map[string]any{"name": "mcp-workbench-demo", "version": s.version},
		"instructions":    "Notes are kept until this server exits.",
	}
}

func (s *server) call(ctx context.Context, message jsonrpc.Message) {
	var params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	// If the params cannot be read, the name is empty and the tool is unknown.
	_ = json.Unmarshal(message.Params, &params)
	tools := s.tools()
	i := slices.IndexFunc(tools, func(t tool) bool { return t.Name == params.Name })
	if i < 0 {
		s.write(jsonrpc.Error(message.ID, mcp.INVALID_PARAMS, fmt.Sprintf("Unknown tool: %s", params.Name)))
		return
	}
	progress := func(done, total int) {
		if params.Meta.ProgressToken != nil {
			s.write(jsonrpc.Notification(mcp.MethodNotificationProgress, marshal(map[string]any{
				"progressToken": params.Meta.ProgressToken, "progress": done, "total": total,
			})))
		}
	}
	text, err := tools[i].call(ctx, params.Arguments, progress)
	if ctx.Err() != nil {
		return
	}
	result := map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}}
	if err != nil {
		result = map[string]any{"content": []any{map[string]string{"type": "text", "text": err.Error()}}, "isError": true}
	}
	s.write(jsonrpc.Result(message.ID, marshal(result)))
}

// write writes a frame. It ignores errors, since the input ends when the host is gone.
func (s *server) write(frame jsonrpc.Frame) { _ = s.writer.Write(context.Background(), frame) }

// marshal marshals values of this package, which never fails.
func marshal(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("marshal %T: %v", value, err))
	}
	return raw
}
