package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// Run reads until the source ends, or the stream failed and one more line comes,
// and returns why it did. A last line without an end is no message. It fails
// nothing: the owner knows the better reason.
func (s *Stream) Run() error {
	lines := jsonrpc.NewLineReader(s.source, s.limit)
	scanner := jsonrpc.NewScanner()
	batch := &domain.Batch{}
	defer batch.Flush()
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
		if lines.HasNext() {
			s.receive(scanner, line, batch)
			continue
		}
		s.receive(scanner, line, batch.Last())
		batch.Flush()
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
func (s *Stream) receive(scanner *jsonrpc.Scanner, line []byte, batch *domain.Batch) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := scanner.Message(line)
	switch {
	case err != nil:
		s.log.Debug("passed over a line of the server's output", "bytes", len(line), "why", err)
	case message.IsResponse():
		s.deliver(message, batch)
	case message.IsRequest():
		s.ask(message)
	case message.Method == string(mcp.MethodNotificationProgress):
		s.advance(scanner, message.Params)
	case message.Method == string(mcp.MethodNotificationCancelled):
		s.cancelAsked(message.Params)
	default:
		s.peer.told(domain.Message{Method: message.Method, Params: message.Params})
	}
}

func (s *Stream) deliver(message jsonrpc.Message, batch *domain.Batch) {
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
		request.end(Answer{Result: message.Result, Batch: batch}, nil)
	} else {
		request.end(Answer{Error: message.Error, Batch: batch}, nil)
	}
}

// advance hands on what the server says of the progress of a request that is
// under way.
func (s *Stream) advance(scanner *jsonrpc.Scanner, params json.RawMessage) {
	before, value, after, found := scanner.Cut(params, "progressToken")
	token, ok := requestID(value)
	if !found || !ok {
		s.log.Debug("passed over progress without a token of a request")
		return
	}
	s.mu.Lock()
	request := s.pending[s.tokens[token]]
	if request != nil && !request.deadline.IsZero() {
		request.begin(time.Now())
	}
	s.mu.Unlock()
	if request == nil {
		s.log.Debug("passed over progress of a request that is not under way", "token", string(value))
		return
	}
	request.request.Progress(domain.Progress{Before: before, After: after})
}

// requestID returns the request that a raw id of an answer names. Servers are
// seen that echo a number as a string or as a fraction.
func requestID(raw json.RawMessage) (uint64, bool) {
	text := bytes.Trim(raw, `"`)
	text = bytes.TrimSuffix(text, []byte(".0"))
	id, err := strconv.ParseUint(string(text), 10, 64)
	return id, err == nil
}
