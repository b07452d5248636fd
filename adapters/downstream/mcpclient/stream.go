package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// ErrOutputEnded: the server closed its output.
var ErrOutputEnded = errors.New("the server closed its output")

// Stream carries requests and answers as lines over a pair of byte streams. It
// is what a Link over pipes or sockets is made of: the owner of the streams adds
// Close, and calls Fail when it knows why the server is gone. Safe for
// concurrent use.
type Stream struct {
	source io.Reader
	writer *jsonrpc.Writer
	limit  int64
	log    *slog.Logger

	mu      sync.Mutex
	lastID  uint64
	pending map[uint64]chan reply
	failure error
	done    chan struct{}
}

// reply is what a pending request is woken with.
type reply struct {
	answer Answer
	err    error
}

// NewStream returns a stream that reads source and writes to writer. Messages
// from the server may hold limit bytes. Nothing happens before Run.
func NewStream(source io.Reader, writer *jsonrpc.Writer, limit int64, log *slog.Logger) *Stream {
	return &Stream{
		source: source, writer: writer, limit: limit, log: log,
		pending: map[uint64]chan reply{}, done: make(chan struct{}),
	}
}

// Done is closed once Fail was called.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Fail ends every pending request with err and refuses later ones with it. The
// first call counts.
func (s *Stream) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return
	}
	s.failure = err
	for id, waiting := range s.pending {
		delete(s.pending, id)
		waiting <- reply{err: err}
	}
	close(s.done)
}

// Request implements Link.
func (s *Stream) Request(ctx context.Context, method string, params json.RawMessage) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	id, waiting, err := s.enter()
	if err != nil {
		return Answer{}, err
	}
	// A write that fails for another reason means that the link is broken: its
	// owner is about to say why.
	if err := s.writer.Write(ctx, jsonrpc.Request(id, method, params)); err != nil && ctx.Err() != nil {
		s.leave(id)
		return Answer{}, ctx.Err()
	}
	select {
	case woken := <-waiting:
		return woken.answer, woken.err
	case <-ctx.Done():
		if s.leave(id) && method != string(mcp.MethodInitialize) {
			s.cancel(id, ctx.Err())
		}
		return Answer{}, ctx.Err()
	}
}

// enter registers a request and returns its id and what its answer arrives on.
func (s *Stream) enter() (uint64, chan reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return 0, nil, s.failure
	}
	s.lastID++
	waiting := make(chan reply, 1)
	s.pending[s.lastID] = waiting
	return s.lastID, waiting, nil
}

// leave gives a request up and reports whether it was still waiting.
func (s *Stream) leave(id uint64) bool {
	_, waiting := s.take(id)
	return waiting
}

func (s *Stream) take(id uint64) (chan reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting, ok := s.pending[id]
	delete(s.pending, id)
	return waiting, ok
}

// cancel tells the server that nobody waits for a request any more. It goes out
// behind the request itself, so it needs no room to wait for.
func (s *Stream) cancel(id uint64, cause error) {
	reason := "the caller gave the request up"
	if errors.Is(cause, context.DeadlineExceeded) {
		reason = "the limit on the request ran out"
	}
	params := mustMarshal(struct {
		RequestID uint64 `json:"requestId"`
		Reason    string `json:"reason"`
	}{id, reason})
	if err := s.writer.Post(jsonrpc.Notification(string(mcp.MethodNotificationCancelled), params)); err != nil {
		s.log.Debug("could not tell the server of a cancelled request", "error", err)
	}
}

// Notify implements Link.
func (s *Stream) Notify(ctx context.Context, method string, params json.RawMessage) error {
	return s.writer.Write(ctx, jsonrpc.Notification(method, params))
}

// Run reads until the source ends and returns why it did. A last line without an
// end is no message. It fails nothing: the owner knows the better reason.
func (s *Stream) Run() error {
	lines := jsonrpc.NewLineReader(s.source, s.limit)
	scanner := jsonrpc.NewScanner()
	for first := true; ; first = false {
		line, err := lines.Next()
		if jsonrpc.IsEnd(err) {
			if errors.Is(err, io.EOF) {
				return ErrOutputEnded
			}
			return err
		}
		if err != nil {
			s.refuse(err)
			continue
		}
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		s.receive(scanner, lines, line)
	}
}

// refuse fails the request that an oversize answer belongs to.
func (s *Stream) refuse(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	id, ok := requestID(jsonrpc.SalvageID(tooLong.Head, tooLong.Tail))
	s.log.Warn("dropped a message of the server", "bytes", tooLong.Size, "limit", tooLong.Limit)
	if waiting, found := s.take(id); ok && found {
		waiting <- reply{err: &TooLargeError{Size: tooLong.Size, Limit: int64(tooLong.Limit)}}
	}
}

// receive handles one line. Whatever is no message is noted and passed over:
// servers print banners, logs and worse.
func (s *Stream) receive(scanner *jsonrpc.Scanner, lines *jsonrpc.LineReader, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := scanner.Message(line)
	switch {
	case err != nil:
		s.log.Debug("passed over a line of the server's output", "bytes", len(line), "why", err)
	case message.IsResponse():
		s.deliver(message, lines)
	case message.IsRequest():
		s.answer(message)
	}
}

func (s *Stream) deliver(message jsonrpc.Message, lines *jsonrpc.LineReader) {
	id, ok := requestID(message.ID)
	waiting, found := s.take(id)
	if !ok || !found {
		s.log.Debug("passed over an answer that nobody waits for", "id", string(message.ID))
		return
	}
	// Some servers send the other member too, as null.
	if jsonrpc.IsNull(message.Error) {
		waiting <- reply{answer: Answer{Result: lines.Keep(message.Result)}}
	} else {
		waiting <- reply{answer: Answer{Error: lines.Keep(message.Error)}}
	}
}

// answer answers a request of the server: ping always, nothing else.
func (s *Stream) answer(message jsonrpc.Message) {
	id := bytes.Clone(message.ID)
	frame := jsonrpc.Error(id, jsonrpc.CodeMethodNotFound, "the workbench does not know the method "+message.Method)
	if message.Method == string(mcp.MethodPing) {
		frame = jsonrpc.Result(id, json.RawMessage("{}"))
	}
	if err := s.writer.Post(frame); err != nil {
		s.log.Debug("could not answer a request of the server", "method", message.Method, "error", err)
	}
}

// requestID returns the request that a raw id of an answer names. Servers are
// seen that echo a number as a string or as a fraction.
func requestID(raw json.RawMessage) (uint64, bool) {
	text := bytes.Trim(raw, `"`)
	text = bytes.TrimSuffix(text, []byte(".0"))
	id, err := strconv.ParseUint(string(text), 10, 64)
	return id, err == nil
}
