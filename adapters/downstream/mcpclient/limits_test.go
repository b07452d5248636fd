package mcpclient_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// ends is when requests ended, measured from the beginning.
type ends struct {
	mu     sync.Mutex
	limits map[string]time.Duration
	why    map[string]error
}

// watch sends a request and notes when and why it ends.
func (e *ends) watch(c *connection, request mcpclient.Request) {
	begun := time.Now()
	c.Request(context.Background(), request, func(_ mcpclient.Answer, err error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.limits[string(request.Method)], e.why[string(request.Method)] = time.Since(begun), err
	})
}

// after lets time pass and returns when what ended did.
func (e *ends) after(passing time.Duration) map[string]time.Duration {
	time.Sleep(passing)
	settle()
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.limits)
}

func newEnds() *ends { return &ends{limits: map[string]time.Duration{}, why: map[string]error{}} }

var _ = Describe("Limits on requests", Label("S12"), func() {
	progress := func(token int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":1}}`, token)
	}
	ignore := func(ports.Progress) {}

	It("end each request in its own time, in any order", func() {
		inBubble(func(c *connection) {
			random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 0))
			want, ends := map[string]time.Duration{}, newEnds()
			for i := range 100 {
				method := fmt.Sprint("r", i)
				want[method] = time.Duration(1+random.IntN(10_000)) * time.Millisecond
				ends.watch(c, mcpclient.Request{Method: mcp.MCPMethod(method), Limit: want[method]})
			}
			ends.watch(c, mcpclient.Request{Method: "unlimited"})

			Expect(ends.after(time.Hour)).To(Equal(want))

			Expect(c.heard("notifications/cancelled")).To(HaveLen(100))
		})
	})

	It("say how long the request waited", func() {
		inBubble(func(c *connection) {
			request := c.begin(context.Background(), mcpclient.Request{Method: "a", Limit: time.Minute})

			time.Sleep(time.Hour)

			limit, ok := errors.AsType[*mcpclient.LimitError](request.failed())
			Expect(ok).To(BeTrue())
			Expect(*limit).To(Equal(mcpclient.LimitError{Waited: time.Minute}))
			Expect(c.heard("notifications/cancelled")[0].Params).To(MatchJSON(
				`{"requestId":1,"reason":"the limit on the request ran out after 1m0s"}`))
		})
	})

	It("apply to requests that are sent while others wait", func() {
		inBubble(func(c *connection) {
			ends := newEnds()
			ends.watch(c, mcpclient.Request{Method: "long", Limit: time.Hour})
			time.Sleep(time.Minute)
			ends.watch(c, mcpclient.Request{Method: "short", Limit: time.Second})

			Expect(ends.after(time.Minute)).To(Equal(map[string]time.Duration{"short": time.Second}))
			Expect(ends.after(time.Hour)).To(HaveKeyWithValue("long", time.Hour))
		})
	})

	It("start again with progress, except the one on the whole request", func() {
		inBubble(func(c *connection) {
			ends := newEnds()
			ends.watch(c, mcpclient.Request{Method: "alive", Limit: time.Minute, Token: 7})
			ends.watch(c, mcpclient.Request{Method: "bounded", Limit: time.Minute, TotalLimit: 150 * time.Second, Token: 8, Progress: ignore})
			ends.watch(c, mcpclient.Request{Method: "silent", Limit: time.Minute, Token: 9, Progress: ignore})
			for range 4 {
				time.Sleep(50 * time.Second)
				c.say(progress(7), progress(8), progress(99))
				settle()
			}

			Expect(ends.after(time.Hour)).To(Equal(map[string]time.Duration{
				"silent": time.Minute, "bounded": 150 * time.Second, "alive": 200*time.Second + time.Minute,
			}))
			bounded, _ := errors.AsType[*mcpclient.LimitError](ends.why["bounded"])
			Expect(*bounded).To(Equal(mcpclient.LimitError{Waited: 150 * time.Second, InAll: true}))
		})
	})

	It("are paused while the server waits for the host", func() {
		inBubble(func(c *connection) {
			ends := newEnds()
			ends.watch(c, mcpclient.Request{Method: "a", Limit: time.Minute})
			ends.watch(c, mcpclient.Request{Method: "whole", Limit: time.Minute, TotalLimit: 5 * time.Minute})
			time.Sleep(30 * time.Second)
			c.say(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`)

			Expect(ends.after(10 * time.Minute)).To(Equal(map[string]time.Duration{"whole": 5 * time.Minute}))
			c.host.asked[0](ports.Answer{Result: []byte("{}")}, nil)

			Expect(ends.after(time.Hour)).To(HaveKeyWithValue("a", 30*time.Second+10*time.Minute+time.Minute))
		})
	})

	It("do not end a request that was answered in time", func() {
		inBubble(func(c *connection) {
			c.answer("a", `"result":1`)

			request := c.begin(context.Background(), mcpclient.Request{Method: "a", Limit: time.Minute, TotalLimit: time.Minute})
			Expect(request.answered()).To(Equal("1"))
			time.Sleep(time.Hour)

			Expect(request.replies()).To(Equal(1))
			Expect(c.heard("notifications/cancelled")).To(BeEmpty())
		})
	})
})

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
