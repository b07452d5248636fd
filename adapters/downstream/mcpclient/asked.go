package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// mostAsked is how many requests of one server may wait for the host at once.
const mostAsked = 64

// ask has a request of the server answered: ping at once, everything else by the
// host.
func (s *Stream) ask(message jsonrpc.Message) {
	id := bytes.Clone(message.ID)
	if message.Method == string(mcp.MethodPing) {
		s.answer(id, message.Method, jsonrpc.Result(id, json.RawMessage("{}")))
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if refusal := s.beginAsked(string(id), cancel); refusal != "" {
		cancel()
		s.answer(id, message.Method, jsonrpc.Error(id, jsonrpc.CodeInvalidRequest, refusal))
		return
	}
	method := message.Method
	s.peer.asked(ctx, domain.Message{Method: method, Params: message.Params}, func(answer domain.Answer, err error) {
		defer cancel()
		if !s.endAsked(string(id)) {
			return // the server gave it up, or is gone
		}
		switch {
		case err != nil:
			s.answer(id, method, jsonrpc.Error(id, jsonrpc.CodeInternal, fmt.Sprintf("the host cannot be asked: %v", err)))
		case answer.Error != nil:
			s.answer(id, method, jsonrpc.RawError(id, answer.Error))
		default:
			s.answer(id, method, jsonrpc.Result(id, answer.Result))
		}
	})
}

// answer sends an answer to the server, later if it does not read.
func (s *Stream) answer(id json.RawMessage, method string, frame jsonrpc.Frame) {
	err := s.writer.Offer(frame)
	if errors.Is(err, jsonrpc.ErrQueueFull) {
		// Who answers must not wait, and the server must get its answer.
		kept := frame.Clone()
		go func() { _ = s.writer.Write(context.Background(), kept) }()
		return
	}
	if err != nil {
		s.log.Debug("could not answer a request of the server", "method", method, "id", string(id), "error", err)
	}
}

// beginAsked registers a request of the server, whose end cancel tells to the
// host. It returns what forbids it, "" if nothing does.
func (s *Stream) beginAsked(id string, cancel context.CancelFunc) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch _, taken := s.asked[id]; {
	case s.failure != nil:
		return s.failure.Error()
	case taken:
		return "a request with this id is under way"
	case len(s.asked) >= mostAsked:
		return "too many requests are under way"
	}
	s.asked[id] = cancel
	return ""
}

// endAsked forgets a request of the server and reports whether it still wants the
// answer. The server has been waiting until now, so its own time begins anew.
func (s *Stream) endAsked(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, wanted := s.asked[id]
	delete(s.asked, id)
	now := time.Now()
	for _, request := range s.pending {
		if !request.deadline.IsZero() {
			request.begin(now)
		}
	}
	return wanted
}

// cancelAsked ends a request that the server gives up.
func (s *Stream) cancelAsked(params json.RawMessage) {
	id := string(jsonrpc.Member(params, "requestId"))
	s.mu.Lock()
	cancel, ok := s.asked[id]
	delete(s.asked, id)
	s.mu.Unlock()
	if ok {
		cancel()
	}
}
