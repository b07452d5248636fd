package mcpclient_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain/rawjson"
)

var _ = Describe("Cancelling a request", func() {
	It("ends the request once when cancel, answer and end of the connection coincide", func() {
		for range 50 {
			inBubble(func(c *connection) {
				ctx, cancel := context.WithCancel(context.Background())
				request := c.begin(ctx, mcpclient.Request{Method: "a"})
				settle()

				go cancel()
				go c.say(`{"jsonrpc":"2.0","id":1,"result":1}`)
				go c.Fail(errors.New("gone"))

				Expect(request.replies()).To(Equal(1))
			})
		}
	})

	It("cancels no later request when it happens while the request is sent", func() {
		inBubble(func(c *connection) {
			for range 500 {
				c.begin(&endsAtOnce{Context: context.Background()}, mcpclient.Request{Method: "a"})
			}
			settle()

			cancelled := map[string]bool{}
			for _, message := range slices.Backward(c.requests()) {
				if message.Method == "notifications/cancelled" {
					cancelled[string(rawjson.Member(message.Params, "requestId"))] = true
				} else {
					Expect(cancelled).To(HaveKey(string(message.ID)), message.line)
				}
			}
			Expect(cancelled).To(HaveLen(500))
		})
	})
})

// endsAtOnce is a context that ends as soon as a caller waits for its end.
type endsAtOnce struct {
	context.Context //nolint:containedctx // the type is a context itself
	ended           atomic.Bool
}

// Done is never closed: package context calls AfterFunc instead.
func (e *endsAtOnce) Done() <-chan struct{} { return never }

var never = make(chan struct{})

func (e *endsAtOnce) Err() error {
	if e.ended.Load() {
		return context.Canceled
	}
	return nil
}

func (e *endsAtOnce) AfterFunc(f func()) (stop func() bool) {
	e.ended.Store(true)
	go f()
	return func() bool { return false }
}
