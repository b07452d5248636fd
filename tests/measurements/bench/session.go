package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"mcp-workbench/tests/measurements/bench/wire"
)

// sessionLimit is how long a session may last before its processes are killed, so that a
// program that hangs cannot hang the benchmark. The longest session
// takes a few seconds.
const sessionLimit = 30 * time.Second

// firstID has as many digits as all later ids, so that a request can be
// numbered in place.
const firstID = 1_000_000_000

const handshake = `{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"bench","version":"1.0.0"}}`

// session is a host's end of one pipe, after the handshake. It is for one
// goroutine.
type session struct {
	*process
	lines    *wire.Lines
	next     int64
	watchdog *time.Timer
	overdue  atomic.Bool // the watchdog ended it
}

// dial starts a program and waits for the answer of `initialize`.
func dial(ctx context.Context, stderr *os.File, argv []string) (*session, error) {
	p, err := start(ctx, stderr, argv)
	if err != nil {
		return nil, err
	}
	s := &session{
		process: p,
		lines:   wire.NewLines(p.stdout),
		next:    firstID,
	}
	s.watchdog = time.AfterFunc(sessionLimit, func() {
		s.overdue.Store(true)
		s.kill()
	})
	line, err := s.call(newRequest("initialize", handshake))
	if err == nil && !bytes.Contains(line, []byte(`"serverInfo"`)) {
		err = fmt.Errorf("initialize: %s", clip(line))
	}
	if err == nil {
		_, err = s.stdin.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s, nil
}

// abandon ends a session whose measurement failed.
func (s *session) abandon() {
	s.watchdog.Stop()
	s.process.abandon()
}

// close ends the session in order.
func (s *session) close() error {
	s.watchdog.Stop()
	return s.stop()
}

// call sends a request and returns its answer, which is valid until the next read.
func (s *session) call(r *request) ([]byte, error) {
	id, err := s.send(r)
	if err != nil {
		return nil, err
	}
	return s.await(id)
}

// send numbers a request and writes it.
func (s *session) send(r *request) (int64, error) {
	s.next++
	return s.next, s.sendAs(r, s.next)
}

func (s *session) sendAs(r *request, id int64) error {
	r.number(id)
	_, err := s.stdin.Write(r.line)
	return err
}

// await reads up to the answer to id. An answer without a request is an error.
func (s *session) await(id int64) ([]byte, error) {
	for {
		got, line, err := s.answer()
		switch {
		case err != nil:
			return nil, err
		case got == id:
			return line, nil
		default:
			return nil, fmt.Errorf("answer to %d instead of %d: %s", got, id, clip(line))
		}
	}
}

// answer reads the next answer, and skips all other messages.
func (s *session) answer() (int64, []byte, error) {
	for {
		line, err := s.lines.Next()
		switch {
		case err != nil && s.overdue.Load():
			return 0, nil, fmt.Errorf("not done within %v", sessionLimit)
		case errors.Is(err, io.EOF):
			return 0, nil, errors.New("the process closed its output")
		case err != nil:
			return 0, nil, err
		}
		if id, ok := quickID(line); ok {
			return id, line, nil
		}
		id, ok, err := slowID(line)
		if ok || err != nil {
			return id, line, err
		}
	}
}

const (
	answerHead = `{"jsonrpc":"2.0","id":`
	resultHead = `,"result":`
	idDigits   = 10
)

// quickID reads the id of an answer in the most common form.
func quickID(line []byte) (int64, bool) {
	const at = len(answerHead) + idDigits
	if len(line) < at+len(resultHead) ||
		string(line[:len(answerHead)]) != answerHead ||
		string(line[at:at+len(resultHead)]) != resultHead {
		return 0, false
	}
	var id int64
	for _, c := range line[len(answerHead):at] {
		if c < '0' || c > '9' {
			return 0, false
		}
		id = 10*id + int64(c-'0')
	}
	return id, true
}

// slowID reads the id of a message of any form; ok is false if it is not an answer.
func slowID(line []byte) (id int64, ok bool, err error) {
	var message struct {
		ID     *int64          `json:"id"`
		Method string          `json:"method"`
		Error  json.RawMessage `json:"error"`
	}
	err = json.Unmarshal(line, &message)
	switch {
	case err != nil:
		return 0, false, fmt.Errorf("not a message: %w: %s", err, clip(line))
	case message.Error != nil:
		return 0, false, fmt.Errorf("error instead of a result: %s", clip(message.Error))
	case message.Method != "" || message.ID == nil:
		return 0, false, nil
	}
	return *message.ID, true, nil
}

// clip shortens a line for a message.
func clip(line []byte) string {
	const maxShown = 200
	if len(line) <= maxShown {
		return string(line)
	}
	return fmt.Sprintf("%s… (%d bytes)", line[:maxShown], len(line))
}

// request is a whole message whose id can be changed in place, so that repeating a
// long one costs no more than writing it.
type request struct {
	line []byte
	id   []byte // the part of line with the id
}

func newRequest(method, params string) *request {
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`+"\n", firstID, method, params)
	return &request{line: line, id: line[len(answerHead):][:idDigits]}
}

func (r *request) number(id int64) {
	strconv.AppendInt(r.id[:0], id, 10)
}

// toolCall is a request and the text that must come back.
type toolCall struct {
	*request
	text []byte
}

// verify checks the length and the ends of the answer's text, or, with whole,
// all of it.
func (c toolCall) verify(line []byte, whole bool) error {
	const label = `"text":"`
	at := bytes.Index(line, []byte(label))
	if at < 0 {
		return fmt.Errorf("no text in the answer: %s", clip(line))
	}
	got := line[at+len(label):]
	size := len(c.text)
	if len(got) <= size || got[size] != '"' {
		return fmt.Errorf("text of another length than %d: %s", size, clip(line))
	}
	got, want := got[:size], c.text
	edge := min(size, 32)
	switch {
	case whole && !bytes.Equal(got, want),
		!bytes.Equal(got[:edge], want[:edge]),
		!bytes.Equal(got[size-edge:], want[size-edge:]):
		return fmt.Errorf("another text than expected: %s", clip(line))
	}
	return nil
}
