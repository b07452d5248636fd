package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// ErrOutputEnded says that the server closed its output.
var ErrOutputEnded = errors.New("the server closed its output")

// Stream carries a conversation as lines over a pair of byte streams. Links over pipes or sockets embed
// it: they add Close, and call Fail when they know why the server is gone. Safe for concurrent use.
type Stream struct {
	*Conversation
	source io.Reader
	writer *jsonrpc.Writer
	limit  int64
}

// NewStream returns a stream that reads source and writes to writer. Messages from the server may have
// at most limit bytes; its notifications and requests go to messages. It reads only once Run is called.
func NewStream(source io.Reader, writer *jsonrpc.Writer, messages *ServerMessages, limit int64) *Stream {
	conversation := NewConversation(&lineSender{writer: writer, log: messages.log}, messages)
	conversation.isSingle = true
	return &Stream{Conversation: conversation, source: source, writer: writer, limit: limit}
}

// Request implements Link.
func (s *Stream) Request(ctx context.Context, request Request, reply Reply) {
	id, begun := s.Begin(ctx, request, reply)
	if !begun {
		return
	}
	frame := request.Frame(id).Owned()
	write := s.writer.TryWrite
	if request.FlushGroup != nil {
		request.FlushGroup.Add(s.writer)
		write = s.writer.Hold
	}
	switch err := write(frame); {
	case err == nil:
		s.Watch(ctx, id)
	case errors.Is(err, jsonrpc.ErrQueueFull):
		go s.writeLater(ctx, id, frame)
	}
	// Any other error means that the link is broken, and its owner is about to call Fail.
}

// writeLater writes a request when the server reads again, unless the request has ended before.
func (s *Stream) writeLater(ctx context.Context, id uint64, frame jsonrpc.Frame) {
	waiting, end := s.untilEnd(ctx, id)
	defer end()
	switch err := s.writer.Write(waiting, frame); {
	case err == nil:
		s.Watch(ctx, id)
	case ctx.Err() != nil:
		s.End(id, Answer{}, ctx.Err())
	}
}

// Notify implements Link.
func (s *Stream) Notify(method mcp.MCPMethod, params json.RawMessage) error {
	return s.writer.TryWrite(jsonrpc.Notification(method, params))
}

// lineSender writes the messages of a conversation as lines.
type lineSender struct {
	writer *jsonrpc.Writer
	log    *slog.Logger

	mu           sync.Mutex // guards the fields below
	waiting      int        // answers that wait until the server reads
	waitingBytes int        // their size
}

const (
	// maxWaitingAnswers is the number of answers that may wait for a server that sends requests and does not read.
	maxWaitingAnswers = 64
	// maxWaitingBytes is the size that those answers may have together; a single one may be larger.
	maxWaitingBytes = 16 << 20
)

// keep reports whether an answer of that length may wait. If so, drop must follow.
func (s *lineSender) keep(length int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting >= maxWaitingAnswers || s.waiting > 0 && s.waitingBytes+length > maxWaitingBytes {
		return false
	}
	s.waiting++
	s.waitingBytes += length
	return true
}

func (s *lineSender) drop(length int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting--
	s.waitingBytes -= length
}

// Cancel implements Sender.
func (s *lineSender) Cancel(_ uint64, notice json.RawMessage) {
	if notice == nil {
		return
	}
	if err := s.writer.TryWrite(jsonrpc.Notification(mcp.MethodNotificationCancelled, notice)); err != nil {
		s.log.Debug("could not tell the server about a cancelled request", "error", err)
	}
}

// Answer implements Sender. A server that does not read gets its answer later, up to the bounds on
// waiting answers.
func (s *lineSender) Answer(frame jsonrpc.Frame) error {
	err := s.writer.TryWrite(frame)
	if length := frame.Len(); errors.Is(err, jsonrpc.ErrQueueFull) && s.keep(length) {
		kept := frame.Clone()
		go func() {
			defer s.drop(length)
			_ = s.writer.Write(context.Background(), kept)
		}()
		return nil
	}
	return err
}

// Run reads until the source ends, or another line arrives after the stream failed, and returns the
// reason. It ignores a last line without a line end, unless it is a whole message. It does not call Fail, since the owner
// may know a better reason.
func (s *Stream) Run() error {
	isUnfinished := false
	lines := jsonrpc.NewMessageReader(s.source, s.limit, func(text []byte) { isUnfinished = true; s.noteUnfinished(text) })
	scanner := rawjson.NewScanner()
	group := &jsonrpc.FlushGroup{}
	defer group.Flush()
	for {
		line, err := lines.Next()
		if failure := s.Err(); failure != nil {
			return failure
		}
		if jsonrpc.IsEnd(err) {
			if errors.Is(err, io.EOF) {
				return ErrOutputEnded
			}
			return err
		}
		if isUnfinished {
			isUnfinished = false
			s.noteUnfinished(nil)
		}
		if err != nil {
			s.Refuse(err)
			if !lines.HasNext() {
				group.Flush() // of the lines before it, which were read together with it
			}
			continue
		}
		switch {
		case lines.HasNext():
			s.Receive(scanner, line, group)
		case group.Waiting():
			s.Receive(scanner, line, group)
			group.Flush()
		default:
			s.Receive(scanner, line, nil)
		}
	}
}
