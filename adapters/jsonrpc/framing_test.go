package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

// lineOf returns the written line of a frame, with its end.
func lineOf(frame jsonrpc.Frame) string {
	var written bytes.Buffer
	writer := jsonrpc.NewWriter(&written, nil)
	if err := writer.Write(context.Background(), frame); err != nil {
		return err.Error()
	}
	if err := writer.Close(context.Background()); err != nil {
		return err.Error()
	}
	return written.String()
}

var _ = Describe("Framing", func() {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }

	DescribeTable("a message as one line",
		func(frame jsonrpc.Frame, line string) {
			Expect(lineOf(frame)).To(Equal(line + "\n"))
			Expect(frame.Len()).To(And(BeNumerically(">", len(line)), BeNumerically("<", len(line)+64)))
		},
		Entry("a result, with unchanged bytes of id and body", jsonrpc.Result(raw(`"a\/b"`), raw(`{ "n":1.50e400 }`)),
			`{"jsonrpc":"2.0","id":"a\/b","result":{ "n":1.50e400 }}`),
		Entry("a raw error", jsonrpc.RawError(raw("7"), raw(`{"code":1,"message":"m","x":[]}`)),
			`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m","x":[]}}`),
		Entry("an error", jsonrpc.Error(raw("7"), mcp.METHOD_NOT_FOUND, "no \"x\"\n"),
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no \"x\"\n"}}`),
		Entry("an error about an id that could not be read", jsonrpc.Error(nil, mcp.PARSE_ERROR, "bad"),
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`),
		Entry("a request", jsonrpc.Request(18446744073709551615, "tools/call", raw(`{"a":[1, 2]}`)),
			`{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/call","params":{"a":[1, 2]}}`),
		Entry("a request without params", jsonrpc.Request(1, "ping", nil), `{"jsonrpc":"2.0","id":1,"method":"ping"}`),
		Entry("a notification", jsonrpc.Notification("n", raw(`{}`)), `{"jsonrpc":"2.0","method":"n","params":{}}`),
		Entry("a notification without params", jsonrpc.Notification(`a"b`, nil), `{"jsonrpc":"2.0","method":"a\"b"}`),
		Entry("a body that is not UTF-8, as valid UTF-8", jsonrpc.Result(raw("1"), raw("\"a\xff\xfeb\xe2\x82\"")),
			`{"jsonrpc":"2.0","id":1,"result":"a`+"\uFFFD"+`b`+"\uFFFD"+`"}`),
	)

	DescribeTable("a body with line ends as one line",
		func(body, written string) {
			given := raw(body)

			frame := jsonrpc.Result(raw("1"), given)

			Expect(lineOf(frame)).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + written + "}\n"))
			Expect(string(frame.Message())).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + body + "}"))
			Expect(string(given)).To(Equal(body), "others may use it")
		},
		Entry("a short one", "{\n\t\"a\": \"b\\n\"\r\n}", "{ \t\"a\": \"b\\n\"  }"),
		Entry("with carriage returns", "[1,\r2]", "[1, 2]"),
		Entry("a large one", "[\n\""+strings.Repeat("x", 1<<20)+"\"\n]", "[ \""+strings.Repeat("x", 1<<20)+"\" ]"),
	)

	It("also holds and queues a body with line ends as one line", func() {
		body := raw("{\n}")
		var written bytes.Buffer
		writer := jsonrpc.NewWriter(&written, nil)

		Expect(writer.Hold(jsonrpc.Result(raw("1"), body))).To(Succeed())
		Expect(writer.TryWrite(jsonrpc.Notification("n", body).Owned())).To(Succeed())
		Expect(writer.Close(context.Background())).To(Succeed())

		Expect(written.String()).To(Equal(`{"jsonrpc":"2.0","id":1,"result":{ }}` + "\n" + `{"jsonrpc":"2.0","method":"n","params":{ }}` + "\n"))
	})

	It("keeps the bytes of a long body, wherever its letters begin", func() {
		for _, letter := range []string{"é", "語", "🧰"} {
			for shift := range len(letter) {
				body := `"` + strings.Repeat("x", shift) + strings.Repeat(letter, 20_000) + `"`

				Expect(lineOf(jsonrpc.Result(raw("1"), raw(body)))).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + body + "}\n"))
				Expect(lineOf(jsonrpc.Result(raw("1"), raw(body[:40_001]+"\xff\n")))).To(HaveSuffix("\uFFFD }\n"))
			}
		}
	})

	DescribeTable("a result with a member before its own",
		func(result, framed string) {
			frame := jsonrpc.ResultWith(raw("1"), raw(`"a":1`), raw(result), false)

			Expect(lineOf(frame)).To(Equal(`{"jsonrpc":"2.0","id":1,"result":` + framed + "}\n"))
		},
		Entry("with members", `{"b":2}`, `{"a":1,"b":2}`), Entry("without any", `{}`, `{"a":1}`),
		Entry("with white space", "{ \"b\":2}", "{\"a\":1, \"b\":2}"), Entry("with only white space", "{\t}", "{\"a\":1\t}"),
		Entry("that is not UTF-8 and has line ends", "{\n\"b\":\"\xff\"}", "{\"a\":1, \"b\":\"\uFFFD\"}"),
	)

	It("does not inspect a body that is known to be clean", func() {
		Expect(lineOf(jsonrpc.ResultWith(raw("1"), nil, raw("[\n]"), true))).To(HaveSuffix(":[\n]}\n"))
		Expect(lineOf(jsonrpc.CleanRequest(1, "m", raw("{\r}")))).To(HaveSuffix(":{\r}}\n"))
	})

	It("returns a message in a reused buffer", func() {
		for _, size := range []int{10, 1 << 20} {
			for _, letter := range "ab" {
				frame := jsonrpc.Result(raw("1"), raw(`"`+strings.Repeat(string(letter), size)+`"`))

				message := frame.LargeMessage()

				Expect(string(message)).To(Equal(string(frame.Message())))
				jsonrpc.Recycle(message)
			}
		}
	})

	It("does not copy a large body", func() {
		body := raw(`"` + string(bytes.Repeat([]byte{'x'}, 1<<20)) + `"`)

		frame := jsonrpc.Result(raw("1"), body)
		body[1] = 'y'

		Expect(lineOf(frame)).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":"yxx`))
	})
})

// holder records its flushes, in order with those of others.
type holder struct {
	name  string
	order *[]string
}

func (h *holder) Flush() { *h.order = append(*h.order, h.name) }

var _ = Describe("Coalescing writes", func() {
	var (
		flushed  []string
		one, two *holder
		group    *jsonrpc.FlushGroup
	)
	BeforeEach(func() {
		flushed = nil
		one, two = &holder{"one", &flushed}, &holder{"two", &flushed}
		group = &jsonrpc.FlushGroup{}
	})

	It("flushes every writer with pending frames, once and in order", func() {
		for _, h := range []*holder{two, one, two, two} {
			group.Add(h)
		}

		group.Flush()

		Expect(flushed).To(Equal([]string{"two", "one"}))
	})

	It("flushes no writer twice", func() {
		group.Add(one)
		group.Flush()
		group.Flush()

		Expect(flushed).To(Equal([]string{"one"}))
	})

	It("can be used again", func() {
		group.Add(one)
		group.Flush()
		group.Add(one)
		group.Flush()

		Expect(flushed).To(Equal([]string{"one", "one"}))
	})

	It("lets the last message wait only for earlier ones", func() {
		Expect(group.Waiting()).To(BeFalse())

		group.Add(one)
		Expect(group.Waiting()).To(BeTrue())

		group.Flush()
		Expect(group.Waiting()).To(BeFalse())
	})
})

var _ = Describe("Bodies in reused buffers", func() {
	ctx := context.Background()
	sizes := []int{100, 3_000, 10_000, 31_000, 40_000, 100_000}

	// owned returns a request whose body is in such a buffer, and its line.
	owned := func(id uint64, size int) (frame jsonrpc.Frame, line string) {
		text := fmt.Sprintf(`{"%s":%d}`, strings.Repeat(string(rune('a'+id%26)), size), id)
		body := append(jsonrpc.BodyBuffer(len(text)), text...)
		return jsonrpc.Request(id, "x", body).Owned(),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"x","params":%s}`+"\n", id, text)
	}

	DescribeTable("keep their bytes until they are written",
		func(attempt func(io.Writer) func([]byte) int, offer func(*jsonrpc.Writer, jsonrpc.Frame) error) {
			target := &shared{}
			writer := jsonrpc.NewWriter(target, attempt(target))
			var whole bytes.Buffer

			for id := range uint64(60) {
				frame, line := owned(id, sizes[id%6])
				whole.WriteString(line)
				// Frames that are offered fast wait in the queue, which may be full for a moment.
				Eventually(offer).WithArguments(writer, frame).WithTimeout(patience).Should(Succeed())
				if id%10 == 9 {
					writer.Flush()
				}
			}

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(target.written() == whole.String()).To(BeTrue())
		},
		Entry("by the caller", whole, (*jsonrpc.Writer).TryWrite),
		Entry("after being held", whole, (*jsonrpc.Writer).Hold),
		Entry("after an attempt that took a part", half, (*jsonrpc.Writer).TryWrite),
		Entry("by the writer alone", none, (*jsonrpc.Writer).TryWrite),
		Entry("by the waiting caller", none, func(w *jsonrpc.Writer, frame jsonrpc.Frame) error { return w.Write(ctx, frame) }),
	)

	It("are not recycled if the caller keeps the body", func() {
		writer := jsonrpc.NewWriter(io.Discard, nil)
		body := append(jsonrpc.BodyBuffer(10_000), `{"mine":true}`...)

		Expect(writer.Write(ctx, jsonrpc.Result(json.RawMessage("1"), body))).To(Succeed())
		other := append(jsonrpc.BodyBuffer(10_000), `{"mine":false}`...)

		Expect(writer.Close(ctx)).To(Succeed())
		Expect(string(body)).To(Equal(`{"mine":true}`))
		Expect(string(other)).To(Equal(`{"mine":false}`))
	})
})

// whole, half and none return attempts that write all, half or nothing of a line.
func whole(target io.Writer) func([]byte) int {
	return func(line []byte) int {
		n, _ := target.Write(line)
		return n
	}
}

func half(target io.Writer) func([]byte) int {
	return func(line []byte) int { return whole(target)(line[:len(line)/2]) }
}

func none(io.Writer) func([]byte) int { return nil }
