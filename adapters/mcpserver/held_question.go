package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/ports"
)

// heldQuestion is something that the server of a held call asks for.
type heldQuestion struct {
	key     string
	request json.RawMessage // {"method":…,"params":…}
	reply   ports.Reply
	forget  func() bool
}

// ask hands a question of the server to the host, at once if it waits.
func (c *heldCall) ask(ctx context.Context, request ports.Message, reply ports.Reply) {
	asked := jsonscan.AppendQuote([]byte(`{"method":`), request.Method)
	if request.Params != nil {
		asked = append(append(asked, `,"params":`...), request.Params...)
	}
	q := &heldQuestion{request: append(asked, '}'), reply: reply}
	c.mu.Lock()
	if c.ctx.Err() != nil {
		c.mu.Unlock()
		reply(refusedAnswer(jsonrpc.CodeInternal, callIsOver), nil)
		return
	}
	c.last++
	q.key = strconv.Itoa(c.last)
	c.questions = append(c.questions, q)
	q.forget = context.AfterFunc(ctx, func() {
		if c.withdraw(q) {
			q.reply(ports.Answer{}, ctx.Err())
		}
	})
	c.mu.Unlock()
	c.handOver()
}

// withdraw removes a question and reports whether it was still open.
func (c *heldCall) withdraw(q *heldQuestion) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := len(c.questions)
	c.questions = slices.DeleteFunc(c.questions, func(other *heldQuestion) bool { return other == q })
	return len(c.questions) < before
}

// handOver gives the host the word if it waits and there are questions.
func (c *heldCall) handOver() {
	c.mu.Lock()
	w := c.waiting
	if w == nil || len(c.questions) == 0 {
		c.mu.Unlock()
		return
	}
	c.waiting = nil
	c.state = statePrefix + rand.Text()
	result := []byte(`{"resultType":"input_required","inputRequests":{`)
	for i, q := range c.questions {
		if i > 0 {
			result = append(result, ',')
		}
		result = append(append(jsonscan.AppendQuote(result, q.key), ':'), q.request...)
	}
	result = append(append(append(result, `},"requestState":`...), jsonscan.Quote(c.state)...), '}')
	if c.abandoned == nil {
		c.abandoned = time.AfterFunc(c.limit, c.timeOut)
	} else {
		c.abandoned.Reset(c.limit)
	}
	c.mu.Unlock()
	w.forget()
	w.reply(answer{result: result})
	if w.exchange.wasCancelled() {
		c.end() // the host never got the word
	}
}

// resume continues the call with what the host answers.
func (c *heldCall) resume(e *exchange, p params, reply func(answer)) {
	c.mu.Lock()
	if c.waiting != nil || c.ctx.Err() != nil {
		c.mu.Unlock()
		reply(errorAnswer(present.CallEnded))
		return
	}
	c.abandoned.Stop()
	answered := c.takeAnswered(p.inputResponses)
	outcome := c.outcome
	if outcome == nil {
		c.waiting = c.wait(e, p, reply)
	}
	c.state = ""
	c.mu.Unlock()
	for _, q := range answered {
		q.forget()
		q.reply(ports.Answer{Result: q.result}, nil)
	}
	if outcome != nil {
		c.end()
		reply(*outcome)
		return
	}
	c.handOver()
}

// answeredQuestion is a question with what the host answered.
type answeredQuestion struct {
	*heldQuestion
	result json.RawMessage
}

// takeAnswered removes the questions that an object of answers has keys of. What
// does not answer a question is no answer. The lock is held.
func (c *heldCall) takeAnswered(responses json.RawMessage) []answeredQuestion {
	var answered []answeredQuestion
	_ = jsonscan.EachMember(responses, func(key, value []byte) error {
		i := slices.IndexFunc(c.questions, func(q *heldQuestion) bool { return q.key == string(key) })
		if i >= 0 {
			answered = append(answered, answeredQuestion{c.questions[i], bytes.Clone(value)})
			c.questions = slices.Delete(c.questions, i, i+1)
		}
		return nil
	})
	return answered
}
