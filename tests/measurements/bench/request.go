package main

import (
	"bytes"
	"fmt"
	"strconv"
)

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
