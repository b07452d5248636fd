package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Refuse fails the request that an oversize answer belongs to; err is a
// *jsonrpc.TooLongError.
func (c *Conversation) Refuse(err error) {
	tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
	c.log.Warn("dropped a message of the server", "bytes", tooLong.Size, "limit", tooLong.Limit)
	id, ok := requestID(jsonrpc.SalvageID(tooLong.Head, tooLong.Tail))
	if !ok {
		return
	}
	c.End(id, Answer{}, &TooLargeError{Size: tooLong.Size, Limit: int64(tooLong.Limit)})
}

// IgnoredLine is the message of the log lines about what a server writes to its output
// that is no message of MCP.
const IgnoredLine = "ignored a line of the server's output"

// Receive takes one message of the server. It is for one goroutine at a time.
// It logs and ignores lines that are not messages, since servers print banners and logs.
func (c *Conversation) Receive(scanner *rawjson.Scanner, line []byte, group ports.FlushGroup) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	message, err := jsonrpc.ParseMessage(scanner, line)
	switch {
	case err != nil:
		c.log.Debug(IgnoredLine, "bytes", len(line), "why", err)
	case message.IsResponse():
		c.deliverAnswer(message, group)
	case message.IsRequest():
		c.handleServerRequest(message)
	case message.Method == domain.MethodNotificationProgress:
		c.deliverProgress(scanner, message.Params, group)
	case message.Method == domain.MethodNotificationCancelled:
		c.cancelServerRequest(message.Params)
	case message.Method == domain.MethodNotificationSubscriptionsAcknowledged:
		c.deliverAcknowledgment(message.Params)
	default:
		c.messages.notify(ports.Message{Method: message.Method, Params: withoutSubscription(message.Params)})
	}
}

func (c *Conversation) deliverAnswer(message jsonrpc.Message, group ports.FlushGroup) {
	id, ok := requestID(message.ID)
	if !ok {
		c.log.Debug("ignored an answer to no request", "id", string(message.ID))
		return
	}
	outcome := Answer{Result: message.Result, FlushGroup: group}
	if !rawjson.IsNull(message.Error) { // some servers send the other member too, as null
		outcome = Answer{Error: message.Error, FlushGroup: group}
	}
	if !c.End(id, outcome, nil) {
		c.log.Debug("ignored an answer that nobody waits for", "id", string(message.ID))
	}
}

// deliverProgress passes the progress of a request that is under way to its caller.
func (c *Conversation) deliverProgress(scanner *rawjson.Scanner, params json.RawMessage, group ports.FlushGroup) {
	before, value, after, found := scanner.Cut(params, "progressToken")
	token, ok := requestID(value)
	if !found || !ok || !isProgress(scanner, params) {
		c.log.Debug("ignored progress without a token of a request, or without a number")
		return
	}
	var request *pendingRequest
	c.updateInFlight(func(state *inFlight) {
		if request, _ = state.Outgoing(state.tokens[token]); request != nil && !request.deadline.IsZero() {
			request.resetDeadline(time.Now())
		}
	})
	if request == nil {
		c.log.Debug("ignored progress of a request that is not under way", "token", string(value))
		return
	}
	request.request.Progress(ports.Progress{Before: before, After: after, FlushGroup: group})
}

// isProgress reports whether parameters say one thing to every reader: a token, how far the
// request is and, if that is known, of how much. The token is the host's in what it gets, so
// a second one could name another request of the host.
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

// isSpelling reports whether two names are the same but for case.
func isSpelling(name []byte, other string) bool { return bytes.EqualFold(name, []byte(other)) }

// isNumber reports whether a value is a number that hosts can hold.
func isNumber(value []byte) bool {
	if rawjson.Kind(value) != '0' {
		return false
	}
	_, err := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
	return err == nil
}

// deliverAcknowledgment notes that the server began a subscription. From then on it
// may be silent for as long as it likes.
func (c *Conversation) deliverAcknowledgment(params json.RawMessage) {
	id, _ := requestID(rawjson.Member(rawjson.Member(params, "_meta"), protocol.MetaSubscriptionID))
	var acknowledged func(json.RawMessage)
	c.updateInFlight(func(state *inFlight) {
		if request, waits := state.Outgoing(id); waits && request.request.Acknowledged != nil {
			acknowledged = request.request.Acknowledged
			request.request.Limit, request.deadline = 0, time.Time{}
		}
	})
	if acknowledged != nil {
		acknowledged(params)
	}
}

// requestID returns the request that a raw id of an answer names. Servers are
// seen that echo a number as a string or as a fraction.
func requestID(raw json.RawMessage) (uint64, bool) {
	text := bytes.Trim(raw, `"`)
	text = bytes.TrimSuffix(text, []byte(".0"))
	id, err := strconv.ParseUint(string(text), 10, 64)
	return id, err == nil
}
