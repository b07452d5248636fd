package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
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
	peer   *Peer
	limit  int64
	most   int64 // requests under way, 0 for any number
	log    *slog.Logger

	mu      sync.Mutex
	lastID  uint64
	pending map[uint64]*pending
	tokens  map[uint64]uint64 // progress token to request
	asked   map[string]context.CancelFunc
	alarm   alarm
	failure error
	done    chan struct{}
}

// NewStream returns a stream that reads source and writes to writer. Messages
// from the server may hold limit bytes; what it says and asks on its own goes to
// the peer. Nothing happens before Run.
func NewStream(source io.Reader, writer *jsonrpc.Writer, peer *Peer, limit int64, log *slog.Logger) *Stream {
	return &Stream{
		source: source, writer: writer, peer: peer, limit: limit, most: peer.server.Limits.InFlight, log: log,
		pending: map[uint64]*pending{}, tokens: map[uint64]uint64{}, asked: map[string]context.CancelFunc{},
		done: make(chan struct{}),
	}
}

// Done is closed once Fail was called.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Err returns what Fail was called with, nil before.
func (s *Stream) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// Fail ends every pending request with err and refuses later ones with it. The
// first call counts.
func (s *Stream) Fail(err error) {
	s.mu.Lock()
	if s.failure != nil {
		s.mu.Unlock()
		return
	}
	s.failure = err
	failed, asked := s.pending, s.asked
	s.pending, s.asked = map[uint64]*pending{}, map[string]context.CancelFunc{}
	s.alarm.stop()
	s.mu.Unlock()
	close(s.done)
	for _, cancel := range asked {
		cancel()
	}
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
	frame := jsonrpc.Request(id, request.Method, request.Params).Owned()
	offer := s.writer.Offer
	if request.Batch.Add(s.writer) {
		offer = s.writer.Hold
	}
	if err := offer(frame); errors.Is(err, jsonrpc.ErrQueueFull) {
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
	if s.most > 0 && int64(len(s.pending)) >= s.most {
		return 0, fmt.Errorf("%d requests to the server are under way, and no more are taken (limits.inFlight raises it)", s.most)
	}
	s.lastID++
	id := s.lastID
	entered := &pending{method: request.Method, request: request, reply: reply}
	entered.request.Params, entered.request.Batch = nil, nil // of the moment
	entered.forget = afterEnd(ctx, func() { s.giveUp(id, ctx.Err()) })
	if request.Limit > 0 || request.Longest > 0 {
		entered.begun = time.Now()
		entered.begin(entered.begun)
		s.alarm.set(entered.deadline, s.expire)
	}
	s.pending[id] = entered
	if request.Token != 0 {
		s.tokens[request.Token] = id
	}
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
	if ok && request.request.Token != 0 {
		delete(s.tokens, request.request.Token)
	}
	delete(s.pending, id)
	return request, ok
}

// expire gives up every request whose limit ran out. While the server waits for
// an answer of the host, its silence is not its own.
func (s *Stream) expire() {
	now := time.Now()
	expired := map[uint64]error{}
	var next time.Time
	s.mu.Lock()
	for id, request := range s.pending {
		if request.deadline.IsZero() {
			continue
		}
		if len(s.asked) > 0 {
			request.begin(now)
		}
		if !request.deadline.After(now) {
			expired[id] = request.limitError(now)
		} else if next.IsZero() || request.deadline.Before(next) {
			next = request.deadline
		}
	}
	s.alarm.rang()
	if !next.IsZero() && s.failure == nil {
		s.alarm.set(next, s.expire)
	}
	s.mu.Unlock()
	for id, err := range expired {
		s.giveUp(id, err)
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
	if _, isLimit := errors.AsType[*LimitError](cause); isLimit {
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
func (s *Stream) Notify(method string, params json.RawMessage) error {
	return s.writer.Offer(jsonrpc.Notification(method, params))
}
