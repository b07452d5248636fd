package mcpclient_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
)

var _ = Describe("Taking answers", func() {
	It("finds the request of each, in whatever order they come", func() {
		inBubble(func(c *connection) {
			requests := []*outcome{c.ask("a"), c.ask("b"), c.ask("c")}
			settle()

			c.say(`{"jsonrpc":"2.0","id":3,"result":"third"}`, `{"jsonrpc":"2.0","id":1,"result":"first"}`, `{"jsonrpc":"2.0","id":2,"result":"second"}`)

			Expect(requests[0].answered()).To(Equal(`"first"`))
			Expect(requests[1].answered()).To(Equal(`"second"`))
			Expect(requests[2].answered()).To(Equal(`"third"`))
		})
	})

	DescribeTable("understands", func(answer, taken string) {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(answer)

			Expect(request.answered()).To(Equal(taken))
		})
	},
		Entry("an id that became a text", `{"jsonrpc":"2.0","id":"1","result":{}}`, "{}"),
		Entry("an id that became a fraction", `{"jsonrpc":"2.0","id":1.0,"result":{}}`, "{}"),
		Entry("an error that is null beside a result", `{"jsonrpc":"2.0","id":1,"error":null,"result":{ "a":1 }}`, `{ "a":1 }`),
		Entry("a result that is null beside an error", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1}}`, `{"code":1}`),
		Entry("a result that is null", `{"jsonrpc":"2.0","id":1,"result":null}`, "null"),
		Entry("a byte order mark", "\ufeff"+`{"jsonrpc":"2.0","id":1,"result":{}}`, "{}"),
		Entry("a carriage return", `{"jsonrpc":"2.0","id":1,"result":{}}`+"\r", "{}"),
		Entry("text that is not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", "\"\xff\""),
	)

	DescribeTable("passes over", func(noise string) {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(noise)
			Expect(request.replies()).To(BeZero())
			c.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)

			Expect(request.answered()).To(Equal("{}"))
			Expect(c.heard("")).To(BeEmpty())
			Expect(c.host.told).To(BeEmpty())
		})
	},
		Entry("text", "server listening"), Entry("blank lines", "\n  \r\n\t"), Entry("half JSON", `{"jsonrpc":"2.0","id":1,"result":{`),
		Entry("lists", `[{"jsonrpc":"2.0","id":1,"result":{}}]`), Entry("scalars", "1\nnull\ntrue\n\"a\""), Entry("depth", strings.Repeat("[", 20_000)),
		Entry("another version", `{"jsonrpc":"1.0","id":1,"result":{}}`), Entry("no version", `{"id":1,"result":{}}`),
		Entry("an answer to nothing", `{"jsonrpc":"2.0","id":99,"result":{}}`), Entry("an answer to null", `{"jsonrpc":"2.0","id":null,"error":{}}`),
		Entry("an answer to another kind of id", `{"jsonrpc":"2.0","id":"one","result":{}}`), Entry("a negative id", `{"jsonrpc":"2.0","id":-1,"result":{}}`),
		Entry("an id that is a little off", `{"jsonrpc":"2.0","id":1.5,"result":{}}`), Entry("an id beyond all", `{"jsonrpc":"2.0","id":18446744073709551617,"result":{}}`),
		Entry("an answer without an answer", `{"jsonrpc":"2.0","id":1}`), Entry("an object for an id", `{"jsonrpc":"2.0","id":{"a":1},"result":{}}`),
	)

	It("takes the first of two answers only", func() {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(`{"jsonrpc":"2.0","id":1,"result":1}`, `{"jsonrpc":"2.0","id":1,"result":2}`)

			Expect(request.answered()).To(Equal("1"))
		})
	})

	It("does not take a last line without an end for a message", func() {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.write(`{"jsonrpc":"2.0","id":1,"result":{}}`)
			Expect(c.output.Close()).To(Succeed())

			Expect(<-c.ran).To(MatchError(mcpclient.ErrOutputEnded))
			Expect(request.replies()).To(BeZero())
		})
	})

	It("reports why the output broke", func() {
		inBubble(func(c *connection) {
			Expect(c.output.CloseWithError(errors.New("reset by messages"))).To(Succeed())

			Expect(<-c.ran).To(MatchError("reset by messages"))
		})
	})

	Context("over the limit on messages", func() {
		long := `"` + strings.Repeat("x", limit) + `"`

		DescribeTable("fails only the request that they belong to", func(line string) {
			inBubble(func(c *connection) {
				large, small := c.ask("a"), c.ask("b")
				settle()

				c.say(line, `{"jsonrpc":"2.0","id":2,"result":{}}`)

				failure, ok := errors.AsType[*mcpclient.TooLargeError](large.failed())
				Expect(ok).To(BeTrue())
				Expect(failure.Limit).To(BeEquivalentTo(limit))
				Expect(failure.Size).To(BeEquivalentTo(len(line)))
				Expect(small.answered()).To(Equal("{}"))
			})
		},
			Entry("with the id in front", `{"jsonrpc":"2.0","id":1,"result":`+long+`}`),
			Entry("with the id behind", `{"jsonrpc":"2.0","result":`+long+`,"id":1}`),
			Entry("with the id as a text", `{"id":"1","result":`+long+`,"jsonrpc":"2.0"}`),
		)

		DescribeTable("fails nothing when they belong to none", func(line string) {
			inBubble(func(c *connection) {
				request := c.ask("a")
				settle()

				c.say(line)
				Expect(request.replies()).To(BeZero())
				c.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)

				Expect(request.answered()).To(Equal("{}"))
			})
		},
			Entry("a notification", `{"jsonrpc":"2.0","method":"notifications/message","params":{"id":1,"data":`+long+`}}`),
			Entry("an answer that nobody waits for", `{"jsonrpc":"2.0","id":77,"result":`+long+`}`),
			Entry("no JSON", strings.Repeat("x", 2*limit)),
		)
	})

	It("answers what is asked during an answer", func() {
		inBubble(func(c *connection) {
			second := &outcome{}
			c.Request(context.Background(), mcpclient.Request{Method: "a"}, func(mcpclient.Answer, error) {
				c.Request(context.Background(), mcpclient.Request{Method: "b"}, func(answer mcpclient.Answer, err error) {
					second.add(answer.Result, answer.Error, err)
				})
			})
			settle()

			c.say(`{"jsonrpc":"2.0","id":1,"result":1}`)
			settle()
			c.say(`{"jsonrpc":"2.0","id":2,"result":2}`)

			Expect(second.answered()).To(Equal("2"))
		})
	})
})

var _ = Describe("Failing a connection", func() {
	gone := errors.New("the server ended by exit code 3")

	It("ends every pending request with the reason, once, and refuses later ones", func() {
		inBubble(func(c *connection) {
			requests := []*outcome{c.ask("a"), c.ask("b"), c.ask("c")}
			settle()

			c.Fail(gone)
			c.Fail(errors.New("another reason"))
			c.say(`{"jsonrpc":"2.0","id":1,"result":1}`)

			for _, request := range requests {
				Expect(request.failed()).To(MatchError(gone))
			}
			Expect(c.Done()).To(BeClosed())
			Expect(c.ask("d").failed()).To(MatchError(gone))
		})
	})

	It("ends what the server asked", func() {
		inBubble(func(c *connection) {
			c.say(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
			settle()

			c.Fail(gone)

			Expect(c.host.contexts[0].Err()).To(MatchError(context.Canceled))
		})
	})
})

var _ = Describe("A server that does not read", func() {
	large := func() []byte { return []byte(`"` + strings.Repeat("x", 1<<20) + `"`) }
	full := func(c *connection) {
		c.stop()
		for range 3 {
			c.begin(context.Background(), mcpclient.Request{Method: "large", Params: large()})
		}
		settle()
	}

	It("holds up nobody who sends requests, and gets them all when it reads again", func() {
		inBubble(func(c *connection) {
			full(c)
			for i := range 5 {
				c.ask(fmt.Sprint("small ", i))
			}

			c.read()

			// The first is what it was reading when it stopped.
			Expect(c.methods()).To(ConsistOf("large", "large", "large", "small 0", "small 1", "small 2", "small 3", "small 4"))
		})
	})

	It("never hears of a request that was given up meanwhile", func() {
		inBubble(func(c *connection) {
			full(c)
			ctx, cancel := context.WithCancel(context.Background())
			request := c.begin(ctx, mcpclient.Request{Method: "given up"})
			settle()

			cancel()

			Expect(request.failed()).To(MatchError(context.Canceled))
			c.read()
			Expect(c.heard("given up")).To(BeEmpty())
		})
	})

	It("misses notifications", func() {
		inBubble(func(c *connection) {
			full(c)

			Expect(c.Notify("notifications/x", nil)).NotTo(Succeed())

			c.read()
			Expect(c.heard("notifications/x")).To(BeEmpty())
		})
	})

	It("gets its answers all the same", func() {
		inBubble(func(c *connection) {
			full(c)
			c.say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
			settle()

			c.read()

			Expect(c.heard("")).To(HaveLen(1))
		})
	})
})
