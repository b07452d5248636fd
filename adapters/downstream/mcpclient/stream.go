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
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// ErrOutputEnded means that the server closed its output.
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
	pending map[uint64]*pending
	alarm   alarm
	failure error
	done    chan struct{}
}

// NewStream returns a stream that reads source and writes to writer. Messages
// from the server may hold limit bytes. Nothing happens before Run.
func NewStream(source io.Reader, writer *jsonrpc.Writer, limit int64, log *slog.Logger) *Stream {
	return &Stream{
		source: source, writer: writer, limit: limit, log: log,
		pending: map[uint64]*pending{}, done: make(chan struct{}),
	}
}

// Done is closed once Fail was called.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Fail ends every pending request with err and refuses later ones with it. The
// first call counts.
func (s *Stream) Fail(err error) {
	s.mu.Lock()
	if s.failure != nil {
		s.mu.Unlock()
		return
	}
	s.failure = err
	failed := s.pending
	s.pending = map[uint64]*pending{}
	s.alarm.stop()
	s.mu.Unlock()
	close(s.done)
	for _, request := range failed {
		request.end(Answer{}, err)
	}
}

// Request implements Link.
func (s *Stream) Request(ctx context.Context, request Request, reply Reply) {
	if err := ctx.Err(); err != nil {
		reply(Answer{}, err)
		return
	}
	id, err := s.enter(ctx, request, reply)
	if err != nil {
		reply(Answer{}, err)
		return
	}
	frame := jsonrpc.Request(id, request.Method, request.Params)
	if err := s.writer.Offer(frame); errors.Is(err, jsonrpc.ErrQueueFull) {
		go s.writeLater(ctx, id, frame)
	}
	// A write that fails for another reason means that the link is broken: its
	// owner is about to say why.
}

// enter registers a request and returns its id.
func (s *Stream) enter(ctx context.Context, request Request, reply Reply) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return 0, s.failure
	}
	s.lastID++
	id := s.lastID
	entered := &pending{method: request.Method, reply: reply}
	entered.forget = afterEnd(ctx, func() { s.giveUp(id, ctx.Err()) })
	if request.Limit > 0 {
		entered.deadline = time.Now().Add(request.Limit)
		s.alarm.set(entered.deadline, s.expire)
	}
	s.pending[id] = entered
	return id, nil
}

// writeLater writes a request when the server reads again, unless it is given up
// before.
func (s *Stream) writeLater(ctx context.Context, id uint64, frame jsonrpc.Frame) {
	if err := s.writer.Write(ctx, frame); err != nil && ctx.Err() != nil {
		if request, ok := s.take(id); ok {
			request.end(Answer{}, ctx.Err())
		}
	}
}

// take removes a pending request, if it is still one.
func (s *Stream) take(id uint64) (*pending, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request, ok := s.pending[id]
	delete(s.pending, id)
	return request, ok
}

// expire gives up every request whose limit ran out.
func (s *Stream) expire() {
	now := time.Now()
	var expired []uint64
	var next time.Time
	s.mu.Lock()
	for id, request := range s.pending {
		switch deadline := request.deadline; {
		case deadline.IsZero():
		case !deadline.After(now):
			expired = append(expired, id)
		case next.IsZero() || deadline.Before(next):
			next = deadline
		}
	}
	s.alarm.rang()
	if !next.IsZero() && s.failure == nil {
		s.alarm.set(next, s.expire)
	}
	s.mu.Unlock()
	for _, id := range expired {
		s.giveUp(id, ErrLimit)
	}
}

// giveUp ends a request that nobody waits for any longer, and tells the server.
func (s *Stream) giveUp(id uint64, cause error) {
	request, ok := s.take(id)
	if !ok {
		return
	}
	defer request.end(Answer{}, cause)
	if request.method == string(mcp.MethodInitialize) {
		return // must not be cancelled
	}
	reason := "the caller gave the request up"
	if errors.Is(cause, ErrLimit) {
		reason = cause.Error()
	}
	params := mustMarshal(struct {
		RequestID uint64 `json:"requestId"`
		Reason    string `json:"reason"`
	}{id, reason})
	if err := s.writer.Offer(jsonrpc.Notification(string(mcp.MethodNotificationCancelled), params)); err != nil {
		s.log.Debug("could not tell the server of a cancelled request", "error", err)
	}
}

// Notify implements Link.
func (s *Stream) Notify(ctx context.Context, method string, params json.RawMessage) error {
	return s.writer.Write(ctx, jsonrpc.Notification(method, params))
}

// Run reads until the source ends, or the stream failed and one more line comes,
// and returns why it did. A last line without an end is no message. It fails
// nothing: the owner knows the better reason.
func (s *Stream) Run() error {
	lines := jsonrpc.NewLineReader(s.source, s.limit)
	scanner := jsonrpc.NewScanner()
	for first := true; ; first = false {
		line, err := lines.Next()
		if s.failed() {
			return s.failure
		}
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
		s.receive(scanner, line)
	}
}

func (s *Stream) failed() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// refuse fails the request that an oversize answer belongs to.
func (s *Stream) refuse(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	s.log.Warn("dropped a message of the server", "bytes", tooLong.Size, "limit", tooLong.Limit)
	id, ok := requestID(jsonrpc.SalvageID(tooLong.Head, tooLong.Tail))
	if !ok {
		return
	}
	if request, waits := s.take(id); waits {
		request.end(Answer{}, &TooLargeError{Size: tooLong.Size, Limit: int64(tooLong.Limit)})
	}
}

// receive handles one line. Whatever is no message is noted and passed over:
// servers print banners, logs and worse.
func (s *Stream) receive(scanner *jsonrpc.Scanner, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := scanner.Message(line)
	switch {
	case err != nil:
		s.log.Debug("passed over a line of the server's output", "bytes", len(line), "why", err)
	case message.IsResponse():
		s.deliver(message)
	case message.IsRequest():
		s.answer(message)
	}
}

func (s *Stream) deliver(message jsonrpc.Message) {
	id, ok := requestID(message.ID)
	if !ok {
		s.log.Debug("passed over an answer to no request", "id", string(message.ID))
		return
	}
	request, waits := s.take(id)
	if !waits {
		s.log.Debug("passed over an answer that nobody waits for", "id", string(message.ID))
		return
	}
	// Some servers send the other member too, as null.
	if jsonrpc.IsNull(message.Error) {
		request.end(Answer{Result: message.Result}, nil)
	} else {
		request.end(Answer{Error: message.Error}, nil)
	}
}

// answer answers a request of the server: ping always, nothing else.
func (s *Stream) answer(message jsonrpc.Message) {
	frame := jsonrpc.Error(message.ID, jsonrpc.CodeMethodNotFound, "the workbench does not know the method "+message.Method)
	if message.Method == string(mcp.MethodPing) {
		frame = jsonrpc.Result(message.ID, json.RawMessage("{}"))
	}
	if err := s.writer.Offer(frame); err != nil {
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
