package sharing

import (
	"bytes"
	"context"
	"errors"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// request is a request of a member that is under way. It ends once: with its answer, with its
// context, or when the member leaves.
type request struct {
	member *member
	reply  ports.Reply
	cancel context.CancelFunc // cancels the request to the server
	share  *shares.Holding    // nil for requests that do not count
}

// errShare is the failure of a request that was given up for those of other hosts.
var errShare = errors.New("this host has most of the requests that the shared server takes at once, and others need some of them; " +
	"try again later (limits.inFlight raises their number)")

// count counts a request that was begun, and reports whether its host may have one more. Beyond limits.inFlight, the
// host with most loses its newest one.
func (m *member) count(r *request) bool {
	share, ok := m.session.inFlight.Begin(m.name, 1, func() { go r.finish(ports.Answer{}, errShare) })
	m.mu.Lock()
	_, waits := m.requests[r]
	if waits {
		r.share = share
	}
	m.mu.Unlock()
	if !ok {
		r.finish(ports.Answer{}, errShare)
		return false
	}
	if !waits {
		share.End()
	}
	return waits
}

// begin records a request, and returns it with the context to make it with. If the member
// has left, begin replies and returns nil.
func (m *member) begin(ctx context.Context, reply ports.Reply) (*request, context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	r := &request{member: m, reply: reply, cancel: cancel}
	m.mu.Lock()
	err := m.Err()
	if err == nil {
		m.requests[r] = struct{}{}
	}
	m.mu.Unlock()
	if err != nil {
		cancel()
		reply(ports.Answer{}, err)
		return nil, nil
	}
	return r, ctx
}

// finish ends the request with that outcome, unless it has already ended, and reports whether it
// did. It copies the bytes, which are needed only until it returns, since the host may read
// slowly.
func (r *request) finish(answer ports.Answer, err error) (first bool) {
	m := r.member
	if errors.Is(err, errShare) {
		err = &domain.ServerUnavailableError{ID: m.session.server.ID, Reason: errShare}
	}
	if err != nil {
		m.session.noticeLoss()
		if ended := m.Err(); ended != nil && errors.Is(err, domain.ErrServerUnavailable) {
			err = ended // this has the reason: another host may have ended the session
		}
	}
	m.mu.Lock()
	_, waits := m.requests[r]
	delete(m.requests, r)
	if waits && answer.Task != "" {
		m.tasks.Put(answer.Task, struct{}{}, maxTasks)
	}
	m.mu.Unlock()
	if !waits {
		return false
	}
	if r.share != nil {
		r.share.End()
	}
	r.cancel()
	m.session.levels.finish(r)
	answer.Result, answer.Error, answer.FlushGroup = bytes.Clone(answer.Result), bytes.Clone(answer.Error), nil
	m.inbox.offer(delivery{pass: func() { r.reply(answer, err) }}, false)
	return true
}

// answered is finish in the form of a ports.Reply.
func (r *request) answered(answer ports.Answer, err error) { r.finish(answer, err) }

// endWith ends the request when ctx, the context of the host's request, ends. It is for requests
// that other members may wait for too. Bounded is the context that ends with the request.
func (r *request) endWith(ctx, bounded context.Context) {
	context.AfterFunc(bounded, func() {
		if err := ctx.Err(); err != nil {
			r.finish(ports.Answer{}, err)
		}
	})
}

// waits reports whether the request has not ended.
func (r *request) waits() bool {
	r.member.mu.Lock()
	defer r.member.mu.Unlock()
	_, waits := r.member.requests[r]
	return waits
}

// passing returns a function that passes progress on to the host, nil for nil.
func (m *member) passing(progress func(ports.Progress)) func(ports.Progress) {
	if progress == nil {
		return nil
	}
	return func(p ports.Progress) {
		p.Before, p.After, p.FlushGroup = bytes.Clone(p.Before), bytes.Clone(p.After), nil
		m.session.deliver([]*member{m}, func(*member) delivery {
			return delivery{priority: least, size: len(p.Before) + len(p.After), pass: func() { progress(p) }}
		})
	}
}
