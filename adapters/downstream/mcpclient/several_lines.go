package mcpclient

import (
	"bytes"
	"errors"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// severalLines is the beginning of a message that a server writes over several lines.
type severalLines struct {
	text     []byte // nil if no message has begun
	brackets jsonrpc.Brackets
	usual    bool // whether an answer came over several lines
}

// receivePart handles a line that may be a part of a message over several lines, and reports whether it is one. The
// first line begins an object and ends between two tokens. Until an answer came over several lines, only answers are
// read: a server may print the requests that it gets.
//
// Decision: such messages are read, although MCP wants one line for each. To fail the request instead would take the
// same code, and would break servers that print their answers twice, once to be read by people.
func (c *Conversation) receivePart(scanner *rawjson.Scanner, line []byte, wrong error, group ports.FlushGroup) bool {
	if c.parts.text == nil {
		syntax, ok := errors.AsType[*rawjson.SyntaxError](wrong)
		if !c.isSingle || rawjson.Kind(line) != '{' || !ok || syntax.At < len(line) {
			return false
		}
	}
	c.parts.text = append(append(c.parts.text, line...), '\n')
	c.parts.brackets.Add(line)
	switch size, limit := len(c.parts.text), int(c.messages.server.Limits.MessageSize); {
	case limit > 0 && size > limit:
		text := c.takeParts()
		c.Refuse(&jsonrpc.TooLongError{Limit: limit, Size: int64(size), Head: text[:min(size, maxKept)], Tail: text[max(0, size-maxKept):]})
		return true
	case c.parts.brackets.Open > 0 && !c.parts.brackets.InString:
		c.noteOutput(c.parts.text)
		return true
	}
	text := bytes.TrimSpace(c.takeParts())
	var form resultForm
	message, err := jsonrpc.ParseAnswer(scanner, text, form.see)
	switch {
	case err != nil:
		c.reject(text, err)
	case message.IsResponse():
		c.parts.usual = true
		c.deliverAnswer(message, text, form, group)
	case c.parts.usual:
		c.Receive(scanner, text, group)
	default:
		c.noteOutput(text)
	}
	return true
}

// takeParts returns the parts of a message, and forgets them.
func (c *Conversation) takeParts() []byte {
	text := c.parts.text
	c.parts.text, c.parts.brackets = nil, jsonrpc.Brackets{}
	return text
}

// rejectParts handles the parts of a message that another one follows, so that it will not be whole.
func (c *Conversation) rejectParts(scanner *rawjson.Scanner) {
	if text := c.takeParts(); text != nil {
		_, err := jsonrpc.ParseMessage(scanner, text)
		c.reject(text, err)
	}
}
