package mcpclient_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var _ = Describe("Answers of a server", Label("W03", "W08"), func() {
	DescribeTable("are accepted with", func(answer, taken string) {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(answer)

			Expect(request.answered()).To(Equal(taken))
		})
	},
		Entry("an id that became a string", `{"jsonrpc":"2.0","id":"1","result":{}}`, "{}"),
		Entry("an id that became a fraction", `{"jsonrpc":"2.0","id":1.0,"result":{}}`, "{}"),
		Entry("an error that is null beside a result", `{"jsonrpc":"2.0","id":1,"error":null,"result":{ "a":1 }}`, `{ "a":1 }`),
		Entry("a result that is null beside an error", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1}}`, `{"code":1}`),
		Entry("a result that is null", `{"jsonrpc":"2.0","id":1,"result":null}`, "null"),
		Entry("a byte order mark before them", "\ufeff"+`{"jsonrpc":"2.0","id":1,"result":{}}`, "{}"),
		Entry("a carriage return behind them", `{"jsonrpc":"2.0","id":1,"result":{}}`+"\r", "{}"),
		Entry("other messages in a batch", `[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`, "{}"),
		Entry("other text before them in the line", `starting… {"jsonrpc":"2.0","id":1,"result":{}}`, "{}"),
		Entry("a notification before them in the line", `{"jsonrpc":"2.0","method":"x"}{"jsonrpc":"2.0","id":1,"result":{"a":{"jsonrpc":1}}}`, `{"a":{"jsonrpc":1}}`),
		Entry("other text behind them in the line", `{"jsonrpc":"2.0","id":1,"result":{}} in 3 ms`, "{}"),
		Entry("another message behind them in the line", `{"jsonrpc":"2.0","id":1,"result":{"a":1}}{"jsonrpc":"2.0","id":7,"result":{}}`, `{"a":1}`),
		Entry("the colours of a terminal", "\x1b[32m{\x1b[0m"+`"jsonrpc":"2.0","id":1,"result":{"a":1}}`+"\x1b[0m", `{"a":1}`),
		Entry("indents, over several lines", "{\n  \"result\": {\n    \"a\": \"}\"\n  },\n  \"id\": 1,\n  \"jsonrpc\": \"2.0\"\n}", "{\n    \"a\": \"}\"\n  }"),
		Entry("line ends of Windows within them", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\r\n\"a\":1\r\n}}", "{\n\"a\":1\n}"),
		Entry("text that is not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", "\"\xff\""),
	)

	DescribeTable("are ignored without an effect on others, as is", func(noise string) {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(noise)
			Expect(request.replies()).To(BeZero())
			c.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)

			Expect(request.answered()).To(Equal("{}"))
			Expect(c.heard("")).To(BeEmpty())
			Expect(c.host.heard).To(BeEmpty())
		})
	},
		Entry("text", "server listening"), Entry("blank lines", "\n  \r\n\t"), Entry("half JSON of another request", `{"jsonrpc":"2.0","id":2,"result":{`),
		Entry("lists", `[[{"jsonrpc":"2.0","id":1,"result":{}}],1]`), Entry("half a batch", `[{"jsonrpc":"2.0","id":2,"result":{}}`), Entry("scalars", "1\nnull\ntrue\n\"a\""), Entry("deeply nested lists", strings.Repeat("[", 20_000)),
		Entry("a header of LSP", "Content-Length: 12"), Entry("a request over several lines", "{\n\"id\":1,\n\"jsonrpc\":\"2.0\",\"method\":\"ping\"\n}"),
		Entry("an object over several lines", "{\n  jsonrpc: '2.0', id: 1,\n  result: {}\n}"), Entry("a request behind text", `got {"jsonrpc":"2.0","id":1,"method":"ping"}`),
		Entry("an answer to an unknown request", `{"jsonrpc":"2.0","id":99,"result":{}}`), Entry("an answer to null", `{"jsonrpc":"2.0","id":null,"error":{}}`),
		Entry("an answer to another kind of id", `{"jsonrpc":"2.0","id":"one","result":{}}`), Entry("a negative id", `{"jsonrpc":"2.0","id":-1,"result":{}}`),
		Entry("an id that is not an integer", `{"jsonrpc":"2.0","id":1.5,"result":{}}`), Entry("an id that is too large", `{"jsonrpc":"2.0","id":18446744073709551617,"result":{}}`),
		Entry("an object for an id", `{"jsonrpc":"2.0","id":{"a":1},"result":{}}`),
	)

	DescribeTable("fail their request at once, and quote what came, if they are", Label("S27"), func(answer, why string) {
		inBubble(func(c *connection) {
			request, other := c.ask("a"), c.ask("b")
			settle()

			c.say(answer, `{"jsonrpc":"2.0","id":2,"result":{}}`)

			Expect(request.failed()).To(MatchError(why))
			Expect(other.answered()).To(Equal("{}"))
		})
	},
		Entry("JSON of Python", `{"jsonrpc": "2.0", "id": 1, "result": {"mean": NaN, "count": 2}}`,
			`its answer is not valid JSON: unexpected 'N' at byte 48: ", \"result\": {\"mean\": NaN, \"count\": 2}}"`),
		Entry("long", `{"jsonrpc":"2.0","id":1,"result":{"a":"`+strings.Repeat("x", 9000)+`","mean":Infinity,"b":"`+strings.Repeat("é", 9000)+`"}}`,
			`its answer is not valid JSON: unexpected 'I' at byte 9049: "xxxxxxxxxxx\",\"mean\":Infinity,\"b\":\"`+strings.Repeat("é", 26)+`"`),
		Entry("JSON with a secret in it", `{"jsonrpc":"2.0","id":1,"result":{"a":"hunter2hunter2",}}`,
			`its answer is not valid JSON: unexpected '}' at byte 56: "lt\":{\"a\":\"${TOKEN}\",}}"`),
		Entry("over several lines and not JSON", "{\n\"jsonrpc\":\"2.0\",\n\"id\":1,\n\"result\": NaN\n}", `its answer is not valid JSON: unexpected 'N' at byte 38: "\", \"id\":1, \"result\": NaN }"`),
		Entry("half JSON", `{"jsonrpc":"2.0","id":1,"result":{`, `its answer is not valid JSON: it ends too early: "0\",\"id\":1,\"result\":{"`),
		Entry("of another version", `{"jsonrpc":"1.0","id":1,"result":{}}`, `its answer is not a message of JSON-RPC 2.0: "{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}"`),
		Entry("of no version", `{"id":1,"result":{}}`, `its answer is not a message of JSON-RPC 2.0: "{\"id\":1,\"result\":{}}"`),
		Entry("without a result, with an error that is null", `{"jsonrpc":"2.0","id":1,"error":null}`,
			`its answer is not a message of JSON-RPC 2.0: "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null}"`),
		Entry("without a result", `{"jsonrpc":"2.0","id":1}`, `its answer is not a message of JSON-RPC 2.0: "{\"jsonrpc\":\"2.0\",\"id\":1}"`),
	)

	DescribeTable("that name no request fail the only one in flight", Label("S27"), func(id string) {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)

			Expect(request.failed()).To(MatchError(HavePrefix("its answer does not name the request (id null or 0): ")))
		})
	},
		Entry(nil, "null"), Entry(nil, "0"), Entry(nil, `"0"`),
	)

	It("that name no request fail none of several", Label("S27"), func() {
		inBubble(func(c *connection) {
			first, second := c.ask("a"), c.ask("b")
			settle()

			c.say(`{"jsonrpc":"2.0","id":0,"result":{}}`)

			Expect(first.replies() + second.replies()).To(BeZero())
		})
	})

	DescribeTable("to the handshake fail it at once", Label("S27"), func(line, why string) {
		inBubble(func(c *connection) {
			go func() { settle(); c.say(line) }()
			c.answer("initialize", "")

			_, err := c.connect()

			Expect(reason(err)).To(HavePrefix(why))
		})
	},
		Entry("in the framing of LSP", "Content-Length: 120\r", `it frames its messages as LSP does, and not in lines as MCP wants: "Content-Length: 120`),
		Entry("in UTF-16", "{\x00\"\x00j\x00s\x00o\x00n\x00r\x00p\x00c\x00", `it writes UTF-16, and MCP wants UTF-8: "{\"jsonrpc"`),
		Entry("under the id 0", `{"jsonrpc":"2.0","id":0,"result":{}}`, "its answer does not name the request (id null or 0): "),
		Entry("as an error under no id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`, "its answer does not name the request (id null or 0): "),
	)

	It("that do not come are explained by what came instead, not by the limit", Label("S27"), func() {
		inBubble(func(c *connection) {
			session := c.session()
			c.say("banner before the call")
			settle()
			silent := c.begin(context.Background(), mcpclient.Request{Method: "a", Limit: time.Second})
			time.Sleep(2 * time.Second)
			asked := make(chan error, 1)
			session.Request(context.Background(), ports.Request{Message: ports.Message{Method: "b"}, Limit: 5 * time.Second},
				func(_ ports.Answer, err error) { asked <- err })
			settle()
			c.say("done, hunter2hunter2")

			Expect(silent.failed()).To(MatchError(ContainSubstring("limit")))
			timedOut, ok := errors.AsType[*domain.TimedOutError](<-asked)
			Expect(ok).To(BeTrue())
			Expect(timedOut.Output).To(Equal(`"done, ${TOKEN}"`))
		})
	})

	DescribeTable("that do not come are explained by a line without an end", Label("S27"), func(output string, pieces ...string) {
		inBubble(func(c *connection) {
			session := c.session()
			asked := make(chan error, 1)
			session.Request(context.Background(), ports.Request{Message: ports.Message{Method: "b"}, Limit: 5 * time.Second},
				func(_ ports.Answer, err error) { asked <- err })
			for _, piece := range pieces {
				settle()
				c.write(piece)
			}

			timedOut, ok := errors.AsType[*domain.TimedOutError](<-asked)
			Expect(ok).To(BeTrue())
			Expect(timedOut.Output).To(Equal(output))
		})
	},
		Entry("such as a question", `"Password:"`, "Password: "),
		Entry("such as a message that breaks off", `"{\"jsonrpc\":"`, `{"jsonrpc":`),
		Entry("but not once it ended", "", `{"jsonrpc":"2.0",`, `"method":"x"}`+"\n"),
	)

	DescribeTable("that come under another id are named, unless they are late", Label("S27"),
		func(answer, output string) {
			inBubble(func(c *connection) {
				session := c.session()
				asked := make(chan error, 1)
				session.Request(context.Background(), ports.Request{Message: ports.Message{Method: "b"}, Limit: 5 * time.Second},
					func(_ ports.Answer, err error) { asked <- err })
				settle()
				c.say(answer)

				timedOut, ok := errors.AsType[*domain.TimedOutError](<-asked)
				Expect(ok).To(BeTrue())
				Expect(timedOut.Output).To(HavePrefix(output))
				Expect(timedOut.Output == "").To(Equal(output == ""))
			})
		},
		Entry("of a request that was never made", `{"jsonrpc":"2.0","id":4242,"result":{}}`, `"an answer under the id 4242, which no request had: `),
		Entry("of another kind", `{"jsonrpc":"2.0","id":"x","result":{}}`, `"an answer under the id \"x\", which no request had: `),
		Entry("of the handshake", `{"jsonrpc":"2.0","id":1,"result":{}}`, ""),
	)

	It("count once when a request is answered twice", func() {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.say(`{"jsonrpc":"2.0","id":1,"result":1}`, `{"jsonrpc":"2.0","id":1,"result":2}`)

			Expect(request.answered()).To(Equal("1"))
		})
	})

	DescribeTable("are read without the end of a line", func(end string) {
		inBubble(func(c *connection) {
			first, second, third := c.ask("a"), c.ask("b"), c.ask("c")
			settle()

			c.write(`{"jsonrpc":"2.0","id":1,"result":{"a":"{"}}` + end)
			Expect(first.answered()).To(Equal(`{"a":"{"}`))
			c.write(`{"jsonrpc":"2.0","id":2,"result":{}}` + end + `{"jsonrpc":"2.0","id":3,"result":` + strings.Repeat(" ", 70<<10) + "{}}" + end)

			Expect(second.answered() + third.answered()).To(Equal("{}{}"))
		})
	},
		Entry("or anything else behind them", ""), Entry("with a carriage return in its place", "\r"), Entry("with a null byte in its place", "\x00"),
	)

	It("that do not come are explained by a line without an end after the output ended, too", Label("S27"), func() {
		inBubble(func(c *connection) {
			c.write("Password: ")
			Expect(c.output.Close()).To(Succeed())
			Expect(<-c.ran).To(HaveOccurred())

			Expect(c.Output()).To(Equal(`"Password:"`))
		})
	})

	It("are ignored when they are cut off at the end of the output", func() {
		inBubble(func(c *connection) {
			request := c.ask("a")
			settle()

			c.write(`{"jsonrpc":"2.0","id":1,"result":{}`)
			Expect(c.output.Close()).To(Succeed())

			Expect(<-c.ran).To(MatchError(mcpclient.ErrOutputEnded))
			Expect(request.replies()).To(BeZero())
		})
	})

	It("end with the reason why the output broke", func() {
		inBubble(func(c *connection) {
			Expect(c.output.CloseWithError(errors.New("reset by messages"))).To(Succeed())

			Expect(<-c.ran).To(MatchError("reset by messages"))
		})
	})

	Context("over the message size limit", func() {
		long := `"` + strings.Repeat("x", limit) + `"`

		DescribeTable("fail only their own request", func(line string) {
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
			Entry("with the id as a string", `{"id":"1","result":`+long+`,"jsonrpc":"2.0"}`),
		)

		DescribeTable("fail nothing when they belong to no request", func(line string) {
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
			Entry("an answer to an unknown request", `{"jsonrpc":"2.0","id":77,"result":`+long+`}`),
			Entry("text that is not JSON", strings.Repeat("x", 2*limit)),
		)
	})

	It("do not keep a request of the server from being answered", func() {
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
	gone := errors.New("the server ended with exit code 3")

	It("ends every pending request once, with the reason, and refuses later ones", func() {
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

	It("does not block senders of requests, and gets all requests when it reads again", func() {
		inBubble(func(c *connection) {
			full(c)
			for i := range 5 {
				c.ask(fmt.Sprint("small ", i))
			}

			c.read()

			// It was reading the first one when it stopped.
			Expect(c.methods()).To(ConsistOf("large", "large", "large", "small 0", "small 1", "small 2", "small 3", "small 4"))
		})
	})

	It("does not get a request that was cancelled meanwhile", func() {
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

	It("does not get a request whose limit ran out meanwhile", func() {
		inBubble(func(c *connection) {
			full(c)
			request := c.begin(context.Background(), mcpclient.Request{Method: "too late", Limit: time.Minute})

			time.Sleep(time.Hour)

			Expect(request.failed()).To(BeAssignableToTypeOf(&mcpclient.LimitError{}))
			c.read()
			Expect(c.methods()).To(HaveEach("large"))
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

	It("still gets the answers to its own requests", func() {
		inBubble(func(c *connection) {
			full(c)
			c.say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
			settle()

			c.read()

			Expect(c.heard("")).To(HaveLen(1))
		})
	})
})

// flushes counts how often a writer was flushed.
type flushes struct{ times int }

func (f *flushes) Flush() { f.times++ }

var _ = Describe("A request to a server over a pipe", func() {
	ignore := func(mcpclient.Answer, error) {}

	It("without a flush group is written at once", func() {
		inBubble(func(c *connection) {
			c.Request(context.Background(), mcpclient.Request{Method: "a"}, ignore)
			settle()

			Expect(c.heard("a")).To(HaveLen(1))
		})
	})

	It("has its answer passed on even if the message after it, which was read together with it, is over the limit", Label("W05"), func() {
		inBubble(func(c *connection) {
			source, output := io.Pipe()
			stream := mcpclient.NewStream(source, c.writer, c.messages, 1000)
			ended := make(chan error, 1)
			go func() { ended <- stream.Run() }()
			passedOn := &flushes{}
			stream.Request(context.Background(), mcpclient.Request{Method: "a"}, func(answer mcpclient.Answer, err error) {
				Expect(err).NotTo(HaveOccurred())
				answer.FlushGroup.Add(passedOn)
			})
			settle()

			Expect(io.WriteString(output, `{"jsonrpc":"2.0","id":`+string(c.heard("a")[0].ID)+`,"result":{}}`+"\n"+strings.Repeat("x", 2000)+"\n")).Error().NotTo(HaveOccurred())
			settle()

			Expect(passedOn.times).To(Equal(1))
			Expect(output.Close()).To(Succeed())
			settle()
			Expect(ended).To(Receive())
		})
	})

	It("with a flush group is written when that is flushed", func() {
		inBubble(func(c *connection) {
			settle() // the writer has looked for work
			group := &jsonrpc.FlushGroup{}
			c.Request(context.Background(), mcpclient.Request{Method: "a", FlushGroup: group}, ignore)
			settle()
			Expect(c.heard("a")).To(BeEmpty())

			group.Flush()
			settle()

			Expect(c.heard("a")).To(HaveLen(1))
		})
	})
})
