package web_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/tests/spec"
)

// limit is that of the events in these specs.
const limit = 1 << 16

// read returns every event of a stream as "type data", and what it ended with.
func read(stream io.Reader) (events []string, last *web.Events, err error) {
	last = web.NewEvents(stream, limit)
	for {
		event, err := last.Next()
		if _, tooLong := errors.AsType[*jsonrpc.TooLongError](err); tooLong {
			events = append(events, "too long")
			continue
		}
		if err != nil {
			return events, last, err
		}
		events = append(events, event.Type+" "+string(event.Data))
	}
}

var _ = Describe("Reading a stream of events", func() {
	It("ignores ids that are too long to send back, and long event types", Label("TO06"), func() {
		long := strings.Repeat("x", 5000)

		events, last, _ := read(strings.NewReader("id: a\ndata: 1\n\nid: " + long + "\nevent: " + long + "\ndata: 2\n\n"))

		Expect(events).To(Equal([]string{"message 1", long[:256] + " 2"}))
		Expect(last.LastID).To(Equal("a"))
	})

	DescribeTable("yields", Label("H03"), func(stream string, events ...string) {
		whole, _, err := read(strings.NewReader(stream))
		Expect(err).To(MatchError(io.EOF))
		Expect(whole).To(HaveExactElements(events))

		inBytes, _, _ := read(iotest.OneByteReader(strings.NewReader(stream)))
		Expect(inBytes).To(Equal(whole), "byte by byte")
	},
		Entry("events with a type and without", "event: ping\ndata: 1\n\ndata: 2\n\n", "ping 1", "message 2"),
		Entry("lines that end in CRLF", "data: 1\r\n\r\ndata: 2\r\n\r\n", "message 1", "message 2"),
		Entry("lines that end in a carriage return", "event: ping\rdata: 1\r\rdata: 2\r\r", "ping 1", "message 2"),
		Entry("lines that end in every way", "data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\r\n\r", "message 1\n2\n3", "message 4"),
		Entry("data without a space, and with two", "data:1\n\ndata:  2\n\n", "message 1", "message  2"),
		Entry("data of several lines with line feeds between", "data: {\rdata: }\n\n", "message {\n}"),
		Entry("nothing for comments and unknown fields", ": hello\nx: y\nz\ndata: 1\n\n:\n\n", "message 1"),
		Entry("no event without data", "event: ping\n\nid: 1\n\ndata:\n\ndata: 1\n\n", "message 1"),
		Entry("nothing for a byte order mark", "\ufeffdata: 1\n\n", "message 1"),
		Entry("a last message without a blank line", "data: 1\n\ndata: {\"a\":\ndata: {}}\n", "message 1", "message {\"a\":\n{}}"),
		Entry("a last message without a line end", "event: message\ndata: {}", "message {}"),
		Entry("no last event that is cut, or may be", "data: 1\n\ndata: {\"a\":\n", "message 1"),
		Entry("no last address that may be cut", "event: endpoint\ndata: /messages?id=12"),
		Entry("no last number that may be cut", "data: 1\n"),
		Entry("bare JSON", "{\"a\":\n1}", "message {\"a\":\n1}"),
		Entry("data with colons", "data: a: b\n\n", "message a: b"),
	)

	It("yields an event as soon as it is complete, with any line end", func() {
		for _, end := range []string{"\n\n", "\r\r", "\r\n\r\n", "\r\n\r"} {
			stream, far := io.Pipe()
			go func() { _, _ = far.Write([]byte("data: 1" + end)) }() // all of it is read, or the spec has failed
			events := web.NewEvents(stream, limit)

			Expect(string(spec.Must(events.Next()).Data)).To(Equal("1"))
			Expect(far.Close()).To(Succeed())
		}
	})

	It("records the id of the last whole event only", func() {
		_, events, _ := read(strings.NewReader("id: a\ndata: 1\n\nid: b\n\ndata: 2\n\nid: \x00\ndata: 3\n\nid: c\ndata: cut"))

		Expect(events.LastID).To(Equal("b"))
	})

	DescribeTable("records how long to wait before reopening", func(retry string, length time.Duration) {
		_, events, _ := read(strings.NewReader("retry: " + retry + "\ndata: 1\n\n"))

		Expect(events.Retry).To(Equal(length))
	},
		Entry("in milliseconds", "1500", 1500*time.Millisecond),
		Entry("if it is a number", "soon", time.Duration(0)),
		Entry("if it is not negative", "-1", time.Duration(0)),
	)

	It("skips an event above the limit, however its lines are split, and keeps its beginning and its end", func() {
		long := strings.Repeat("x", limit)
		for _, event := range []string{
			`data: {"id":7,"a":"` + long + `","b":7}` + "\n\n",
			`data: {"id":7,"a":"` + "\n" + strings.Repeat("data: "+long[:1000]+"\n", 100) + `data: ","b":7}` + "\n\n",
		} {
			events := web.NewEvents(strings.NewReader(event+"data: next\n\n"), limit)
			_, err := events.Next()

			tooLong, ok := errors.AsType[*jsonrpc.TooLongError](err)
			Expect(ok).To(BeTrue())
			Expect(tooLong.Size).To(BeNumerically(">", limit))
			Expect(string(tooLong.Head)).To(HavePrefix(`{"id":7,`))
			Expect(string(tooLong.Tail)).To(HaveSuffix(`"b":7}`))
			next := spec.Must(events.Next())
			Expect(string(next.Data)).To(Equal("next"))
		}
	})

	It("yields an event exactly at the limit", func() {
		events, _, _ := read(strings.NewReader("data: " + strings.Repeat("x", limit) + "\n\n"))

		Expect(events).To(HaveExactElements(HaveLen(limit + len("message "))))
	})

	It("reports why the stream was cut, and drops the event in which it was", func() {
		got, events, err := read(io.MultiReader(strings.NewReader("id: a\ndata: 1\n\nid: b\ndata: {}\n"), iotest.ErrReader(io.ErrUnexpectedEOF)))

		Expect(err).To(MatchError(io.ErrUnexpectedEOF))
		Expect(got).To(HaveExactElements("message 1"))
		Expect(events.LastID).To(Equal("a"), "the server sends the rest again")
	})

	It("records the id of a message at the end of a stream, which must not be sent again", func() {
		_, events, _ := read(strings.NewReader("id: a\ndata: {}\n"))

		Expect(events.LastID).To(Equal("a"))
	})
})

// FuzzEvents holds the reader to what does not depend on how a stream arrives.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"data: 1\n\n", "event: e\r\nid: 1\r\nretry: 5\r\ndata\r\n\r\n", ":\n\ndata:x\ndata:y", "data: 1\r\rdata: 2\r\n\rid: 3\r", "\ufeffdata: 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		whole, chunked, err := read(strings.NewReader(stream))
		inBytes, other, _ := read(iotest.OneByteReader(strings.NewReader(stream)))
		if !errors.Is(err, io.EOF) {
			t.Fatalf("ended with %v", err)
		}
		if strings.Join(whole, "\n") != strings.Join(inBytes, "\n") || chunked.LastID != other.LastID || chunked.Retry != other.Retry {
			t.Fatalf("%q at once, %q byte by byte", whole, inBytes)
		}
		for _, event := range whole {
			if strings.HasPrefix(event, "message ") && strings.Contains(event, "\r") {
				t.Fatalf("%q has a carriage return, which ends a line", event)
			}
		}
	})
}
