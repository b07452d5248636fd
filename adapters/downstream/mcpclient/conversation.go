package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/adapters/jsonrpc"
)

// Conversation is what is under way on one link, however its bytes travel: the
// requests that wait for answers, their progress and limits, and what the server
// asks. A link hands in what arrives and sends what Outlet is given. Safe for
// concurrent use, except where a method says more.
type Conversation struct {
	outlet Outlet
	peer   *Peer
	most   int64 // requests under way but subscriptions, 0 for any number
	log    *slog.Logger

	mu      sync.Mutex
	lastID  uint64
	pending map[uint64]*pending
	lasting int64             // those of pending that are subscriptions
	tokens  map[uint64]uint64 // progress token to request
	asked   map[string]context.CancelFunc
	alarm   alarm
	failure error
	done    chan struct{}
}

// Outlet is what a conversation has sent on its own. It must not wait.
type Outlet interface {
	// Abandon says that nobody waits for a request any longer. Notice is the
	// parameters of the notification that tells the server so, nil for a request
	// that must not be cancelled.
	Abandon(id uint64, notice json.RawMessage)
	// Answer sends the answer to a request of the server's. The bytes of the frame
	// are needed until Answer returns.
	Answer(frame jsonrpc.Frame) error
}

// NewConversation returns a conversation that has not begun. What the server says
// and asks on its own goes to the peer.
func NewConversation(outlet Outlet, peer *Peer, log *slog.Logger) *Conversation {
	return &Conversation{
		outlet: outlet, peer: peer, most: peer.server.Limits.InFlight, log: log,
		pending: map[uint64]*pending{}, tokens: map[uint64]uint64{}, asked: map[string]context.CancelFunc{},
		done: make(chan struct{}),
	}
}

// Done is closed once Fail was called.
func (c *Conversation) Done() <-chan struct{} { return c.done }

// Err returns what Fail was called with first, nil if it was not.
func (c *Conversation) Err() error {
	select {
	case <-c.done:
		return c.failure
	default:
		return nil
	}
}

// Fail ends every pending request with err and refuses later ones with it. The
// first call counts.
func (c *Conversation) Fail(err error) {
	c.mu.Lock()
	if c.failure != nil {
		c.mu.Unlock()
		return
	}
	c.failure = err
	failed, asked := c.pending, c.asked
	c.pending, c.asked = map[uint64]*pending{}, map[string]context.CancelFunc{}
	c.alarm.stop()
	c.mu.Unlock()
	close(c.done)
	for _, cancel := range asked {
		cancel()
	}
	for _, request := range failed {
		request.end(Answer{}, err)
	}
}

// Begin registers a request and returns the id to send it under. If it cannot
// begin, because its context ended or the link is gone, Begin replies and reports
// false. From Watch on it ends with its context.
func (c *Conversation) Begin(ctx context.Context, request Request, reply Reply) (id uint64, begun bool) {
	err := ctx.Err()
	if err == nil {
		id, err = c.enter(request, reply)
	}
	if err != nil {
		reply(Answer{}, err)
	}
	return id, err == nil
}

// Watch has a request given up when its context ends, unless it has ended. Where the
// server would hear of that before the request, it is for after the sending.
func (c *Conversation) Watch(ctx context.Context, id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if request, waits := c.pending[id]; waits {
		request.forget = afterEnd(ctx, func() { c.giveUp(id, ctx.Err()) })
	}
}

// Waits reports whether the request still waits for its answer.
func (c *Conversation) Waits(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waits := c.pending[id]
	return waits
}

// End ends a request with what the link knows of it, unless it has ended.
func (c *Conversation) End(id uint64, answer Answer, err error) {
	if request, waits := c.take(id); waits {
		request.end(answer, err)
	}
}

// enter registers a request and returns its id.
func (c *Conversation) enter(request Request, reply Reply) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return 0, c.failure
	}
	if c.most > 0 && int64(len(c.pending))-c.lasting >= c.most && !request.lasts() {
		return 0, fmt.Errorf("%d requests to the server are under way, and no more are taken (limits.inFlight raises it)", c.most)
	}
	c.lastID++
	id := c.lastID
	entered := &pending{method: request.Method, request: request, reply: reply}
	entered.request.Params, entered.request.FlushGroup = nil, nil // of the moment
	if request.Limit > 0 || request.Longest > 0 {
		entered.begun = time.Now()
		entered.begin(entered.begun)
		c.alarm.set(entered.deadline, c.expire)
	}
	c.pending[id] = entered
	if request.lasts() {
		c.lasting++
	}
	if request.Token != 0 {
		c.tokens[request.Token] = id
	}
	return id, nil
}

// take removes a pending request, if it is still one.
func (c *Conversation) take(id uint64) (*pending, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	request, ok := c.pending[id]
	if ok && request.request.Token != 0 {
		delete(c.tokens, request.request.Token)
	}
	if ok && request.request.lasts() {
		c.lasting--
	}
	delete(c.pending, id)
	return request, ok
}

// expire gives up every request whose limit ran out. While the server waits for
// an answer of the host, its silence is not its own.
func (c *Conversation) expire() {
	now := time.Now()
	expired := map[uint64]error{}
	var next time.Time
	c.mu.Lock()
	for id, request := range c.pending {
		if request.deadline.IsZero() {
			continue
		}
		if len(c.asked) > 0 {
			request.begin(now)
		}
		if !request.deadline.After(now) {
			expired[id] = request.limitError(now)
		} else if next.IsZero() || request.deadline.Before(next) {
			next = request.deadline
		}
	}
	c.alarm.rang()
	if !next.IsZero() && c.failure == nil {
		c.alarm.set(next, c.expire)
	}
	c.mu.Unlock()
	for id, err := range expired {
		c.giveUp(id, err)
	}
}

// giveUp ends a request that nobody waits for any longer, and says so.
func (c *Conversation) giveUp(id uint64, cause error) {
	request, ok := c.take(id)
	if !ok {
		return
	}
	defer request.end(Answer{}, cause)
	c.outlet.Abandon(id, cancelNotice(id, request.method, cause))
}

// cancelNotice returns the parameters that tell a server of a request that nobody
// waits for any longer, nil for a handshake, which must not be cancelled.
func cancelNotice(id uint64, method string, cause error) json.RawMessage {
	if method == domain.MethodInitialize || method == domain.MethodServerDiscover {
		return nil
	}
	reason := "the caller gave the request up"
	if _, isLimit := errors.AsType[*LimitError](cause); isLimit {
		reason = cause.Error()
	}
	return mustMarshal(struct {
		RequestID uint64 `json:"requestId"`
		Reason    string `json:"reason"`
	}{id, reason})
}
