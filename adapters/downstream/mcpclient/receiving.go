package mcpclient

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Refuse fails the request whose answer was too long; err is a *jsonrpc.TooLongError.
func (c *Conversation) Refuse(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	c.log.Warn("dropped a message of the server", "bytes", tooLong.Size, "limit", tooLong.Limit)
	id, ok := requestID(jsonrpc.SalvageID(tooLong.Head, tooLong.Tail))
	if !ok {
		return
	}
	c.End(id, Answer{}, &TooLargeError{Size: tooLong.Size, Limit: int64(tooLong.Limit)})
}

// IgnoredLine is the log message about output of a server that is not an MCP message.
const IgnoredLine = "ignored a line of the server's output"

// Receive handles a message of the server. Only one goroutine at a time may call it. It logs and
// ignores lines that are not messages, since servers print banners and logs; but see reject.
func (c *Conversation) Receive(scanner *rawjson.Scanner, line []byte, group ports.FlushGroup) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	var form resultForm
	message, err := jsonrpc.ParseAnswer(scanner, line, form.see)
	if err != nil {
		c.receiveOdd(scanner, line, err, group)
		return
	}
	if c.parts.text != nil {
		c.rejectParts(scanner)
	}
	switch {
	case message.IsResponse():
		c.deliverAnswer(message, line, form, group)
	case message.IsRequest():
		c.handleServerRequest(message)
	case message.Method == mcp.MethodNotificationProgress:
		c.deliverProgress(scanner, message.Params, group)
	case message.Method == mcp.MethodNotificationCancelled:
		c.cancelServerRequest(message.Params)
	case message.Method == mcp.MethodNotificationSubscriptionsAcknowledged:
		c.deliverAcknowledgment(message.Params)
	default:
		c.messages.notify(message.Method, withoutSubscription(message.Params))
	}
}

// receiveOdd handles a line that is not one message.
func (c *Conversation) receiveOdd(scanner *rawjson.Scanner, line []byte, wrong error, group ports.FlushGroup) {
	switch {
	case c.parts.text != nil && c.receivePart(scanner, line, wrong, group):
	case c.receiveBatch(scanner, line, group):
	case c.receiveBefore(scanner, line, wrong, group):
	case c.receiveBehind(scanner, line, group):
	case c.receivePart(scanner, line, wrong, group):
	default:
		c.reject(line, wrong)
	}
}

// receiveBatch handles a line that is a batch of messages, which 2025-03-26 allows, and reports whether it is one.
func (c *Conversation) receiveBatch(scanner *rawjson.Scanner, line []byte, group ports.FlushGroup) bool {
	if rawjson.Kind(line) != '[' {
		return false
	}
	var messages []json.RawMessage
	if json.Unmarshal(line, &messages) != nil || !slices.ContainsFunc(messages, isObject) {
		return false
	}
	for _, message := range messages {
		if isObject(message) { // and not another batch
			c.Receive(scanner, message, group)
		}
	}
	return true
}

func isObject(text json.RawMessage) bool { return rawjson.Kind(text) == '{' }

// receiveBefore handles the messages before other text in their line, which may be another message, and reports whether
// there is one. Requests are left out: a server may print those that it gets.
func (c *Conversation) receiveBefore(scanner *rawjson.Scanner, line []byte, wrong error, group ports.FlushGroup) (found bool) {
	for {
		syntax, ok := errors.AsType[*rawjson.SyntaxError](wrong)
		if !ok || rawjson.Kind(line) != '{' || syntax.At >= len(line) {
			break
		}
		first, rest := line[:syntax.At], line[syntax.At:]
		message, err := jsonrpc.ParseMessage(scanner, first)
		if err != nil {
			break
		}
		if !message.IsRequest() {
			c.Receive(scanner, first, group)
		}
		found, line = true, rest
		_, wrong = jsonrpc.ParseMessage(scanner, line)
	}
	if found {
		c.Receive(scanner, line, group)
	}
	return found
}

// colours are the escape sequences with which a terminal shows colours. JSON cannot contain them.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// receiveBehind handles an answer behind other text in its line, as of a server that prints something without the end of
// its line first, or in colours, and reports whether there is one.
func (c *Conversation) receiveBehind(scanner *rawjson.Scanner, line []byte, group ports.FlushGroup) bool {
	if bytes.IndexByte(line, '\x1b') >= 0 {
		line = colours.ReplaceAll(line, nil)
	}
	at := bytes.Index(line, []byte(`{"jsonrpc"`))
	if at < 0 {
		return false
	}
	var form resultForm
	message, err := jsonrpc.ParseAnswer(scanner, line[at:], form.see)
	if err != nil || !message.IsResponse() {
		return false
	}
	c.deliverAnswer(message, line[at:], form, group)
	return true
}

func (c *Conversation) deliverAnswer(message jsonrpc.Message, line []byte, form resultForm, group ports.FlushGroup) {
	id, ok := requestID(message.ID)
	if c.isSingle && (message.ID == nil || ok && id == 0) {
		c.rejectUnnamed(message, line)
		return
	}
	if !ok {
		c.log.Debug("ignored an answer without a valid id", "id", string(message.ID))
		c.noteForeign(message, line)
		return
	}
	outcome := Answer{Result: message.Result, Reading: form.reading(message), FlushGroup: group}
	if !rawjson.IsNull(message.Error) { // some servers send both members, one of them null
		outcome = Answer{Error: message.Error, FlushGroup: group}
	}
	if !c.End(id, outcome, nil) {
		c.log.Debug("ignored an answer to a request that is not in flight", "id", string(message.ID))
		asked := false
		c.updateInFlight(func(state *inFlight) { asked = state.WasBegun(id) })
		if !asked {
			c.noteForeign(message, line)
		}
	}
}

// noteForeign notes an answer to a request that was never made, for the error of one that gets no answer. Late answers are
// none.
func (c *Conversation) noteForeign(message jsonrpc.Message, line []byte) {
	c.noteOutput(fmt.Appendf(nil, "an answer under the id %.40s, which no request had: %s", cmp.Or(string(message.ID), "null"), line[:min(len(line), maxKept)]))
}

// deliverProgress passes progress on to the caller of its request.
func (c *Conversation) deliverProgress(scanner *rawjson.Scanner, params json.RawMessage, group ports.FlushGroup) {
	before, value, after, found := scanner.Cut(params, "progressToken")
	token, ok := requestID(value)
	if !found || !ok || !isProgress(scanner, params) {
		c.log.Debug("ignored progress without the token of a request, or without a number")
		return
	}
	var request *pendingRequest
	c.updateInFlight(func(state *inFlight) {
		if request, _ = state.Outgoing(state.tokens[token]); request != nil && !request.deadline.IsZero() {
			request.resetDeadline(time.Now())
		}
	})
	if request == nil {
		c.log.Debug("ignored progress of a request that is not in flight", "token", string(value))
		return
	}
	if request.progress == nil {
		return
	}
	request.progress(ports.Progress{Before: before, After: after, FlushGroup: group})
}

// isProgress reports whether parameters mean the same to every reader: one token, one number of
// progress and at most one total. The host gets its own token instead, so a second one could name
// another of its requests.
func isProgress(scanner *rawjson.Scanner, params json.RawMessage) bool {
	var token, progress, total int
	isWrong := false
	err := scanner.EachMember(params, func(name, value []byte) error {
		switch string(name) {
		case "progressToken":
			token++
		case "progress":
			progress++
			isWrong = isWrong || !isNumber(value)
		case "total":
			total++
			isWrong = isWrong || !isNumber(value)
		default:
			isWrong = isWrong || isSpelling(name, "progressToken") || isSpelling(name, "progress") || isSpelling(name, "total")
		}
		return nil
	})
	return err == nil && !isWrong && token == 1 && progress == 1 && total <= 1
}

// isSpelling reports whether two names differ at most in case.
func isSpelling(name []byte, other string) bool { return bytes.EqualFold(name, []byte(other)) }

// isNumber reports whether a value is a number that hosts can represent.
func isNumber(value []byte) bool {
	if rawjson.Kind(value) != '0' {
		return false
	}
	_, err := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
	return err == nil
}

// deliverAcknowledgment notes that the server began a subscription, which lifts its limit on silence.
func (c *Conversation) deliverAcknowledgment(params json.RawMessage) {
	id, _ := requestID(rawjson.Member(rawjson.Member(params, "_meta"), mcp.MetaKeySubscriptionID))
	var acknowledged func(json.RawMessage)
	c.updateInFlight(func(state *inFlight) {
		if request, waits := state.Outgoing(id); waits && request.acknowledged != nil {
			acknowledged = request.acknowledged
			request.limit, request.deadline = 0, time.Time{}
		}
	})
	if acknowledged != nil {
		acknowledged(params)
	}
}

// requestID returns the number of the request that a raw id names. Some servers echo a number as a
// string or as a fraction.
func requestID(raw json.RawMessage) (uint64, bool) {
	text := bytes.Trim(raw, `"`)
	text = bytes.TrimSuffix(text, []byte(".0"))
	id, err := strconv.ParseUint(string(text), 10, 64)
	return id, err == nil
}
