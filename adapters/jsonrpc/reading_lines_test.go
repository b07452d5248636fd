package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing/iotest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// readLines reads source to its end. It returns the lines and the error that came
// with the last one.
func readLines(source io.Reader, limit int64) ([]string, error) {
	var lines []string
	reader := jsonrpc.NewLineReader(source, limit)
	for {
		line, err := reader.Next()
		switch {
		case err == nil:
			lines = append(lines, string(line))
		case jsonrpc.IsEnd(err):
			if len(line) > 0 {
				lines = append(lines, "unended: "+string(line))
			}
			return lines, err
		default:
			lines = append(lines, err.Error())
		}
	}
}

var _ = Describe("Reading lines", func() {
	DescribeTable("without their ends",
		func(text string, lines ...string) {
			read, err := readLines(strings.NewReader(text), 100)

			Expect(err).To(MatchError(io.EOF))
			Expect(read).To(HaveExactElements(lines))
		},
		Entry("after a line feed", "one\ntwo\n", "one", "two"),
		Entry("after a carriage return and a line feed", "one\r\ntwo\r\n", "one", "two"),
		Entry("keeping a carriage return elsewhere", "a\rb\n\rc\n\r\r\n", "a\rb", "\rc", "\r"),
		Entry("including blank ones", "\n\r\n\n", "", "", ""),
		Entry("and a last one without an end", "one\ntw", "one", "unended: tw"),
		Entry("from an empty source", ""),
	)

	It("reads a line in any number of pieces", func() {
		text := "{\"jsonrpc\":\"2.0\"}\r\n\nÄ€\n"

		read, err := readLines(iotest.OneByteReader(strings.NewReader(text)), 100)

		Expect(err).To(MatchError(io.EOF))
		Expect(read).To(Equal([]string{`{"jsonrpc":"2.0"}`, "", "Ä€"}))
	})

	It("reads whole objects without the ends of their lines, before more arrives", func() {
		text := `{"a":{"b":"}{\""}}` + "\r" + `{"c":[{}]}` + "\x00" + `{"d":`
		var read []string
		var unfinished string
		reader := jsonrpc.NewMessageReader(iotest.OneByteReader(strings.NewReader(text)), 100, func(text []byte) { unfinished = string(text) })

		for line, err := reader.Next(); err == nil; line, err = reader.Next() {
			read = append(read, string(line))
		}

		Expect(read).To(Equal([]string{`{"a":{"b":"}{\""}}`, `{"c":[{}]}`}))
		Expect(unfinished).To(HaveSuffix(`{"d":`))
	})

	It("reads data that arrives together with the end", func() {
		read, err := readLines(iotest.DataErrReader(strings.NewReader("one\ntwo\n")), 100)

		Expect(err).To(MatchError(io.EOF))
		Expect(read).To(Equal([]string{"one", "two"}))
	})

	It("reports why a source ended, after all of its lines", func() {
		broken := errors.New("broken")

		read, err := readLines(io.MultiReader(strings.NewReader("one\ntw"), iotest.ErrReader(broken)), 100)

		Expect(err).To(MatchError(broken))
		Expect(read).To(Equal([]string{"one", "unended: tw"}))
	})

	It("reports the end every time", func() {
		reader := jsonrpc.NewLineReader(strings.NewReader("one"), 100)
		_, _ = reader.Next()

		line, err := reader.Next()

		Expect(line).To(BeEmpty())
		Expect(err).To(MatchError(io.EOF))
	})

	It("reads lines that are longer than any buffer, and small ones after them", func() {
		var text strings.Builder
		var lines []string
		for _, size := range []int{1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 200_000, 3, 1 << 20, 0, 100_000, 5} {
			line := strings.Repeat("x", size)
			lines = append(lines, line)
			text.WriteString(line + "\n")
		}

		read, err := readLines(strings.NewReader(text.String()), 1<<20)

		Expect(err).To(MatchError(io.EOF))
		Expect(read).To(HaveLen(len(lines)))
		for i, line := range lines {
			Expect(read[i] == line).To(BeTrue(), "line %d of %d bytes", i, len(line))
		}
	})

	It("reads lines that cross the end of a buffer", func() {
		// The first read fills the buffer: a short line, then less than half of it.
		first := strings.Repeat("a", 40<<10)
		second := strings.Repeat("b", 100<<10)

		read, err := readLines(strings.NewReader(first+"\n"+second+"\n"+first+"\n"), 1<<20)

		Expect(err).To(MatchError(io.EOF))
		Expect(read).To(Equal([]string{first, second, first}))
	})

	Context("when a line is over the limit", func() {
		It("drops only that line", func() {
			read, _ := readLines(strings.NewReader("12345\n123456\nabc\n"), 5)

			Expect(read).To(Equal([]string{"12345", "a message of 6 bytes is over the limit of 5", "abc"}))
		})

		It("reports its size, its beginning and its end, at any length", func() {
			long := "begin" + strings.Repeat("x", 1<<20) + "end"
			reader := jsonrpc.NewLineReader(iotest.HalfReader(strings.NewReader(long+"\nnext\n")), 1000)

			_, err := reader.Next()

			tooLong, ok := errors.AsType[*jsonrpc.TooLongError](err)
			Expect(ok).To(BeTrue())
			Expect(tooLong.Size).To(BeEquivalentTo(len(long)))
			Expect(tooLong.Limit).To(Equal(1000))
			Expect(string(tooLong.Head)).To(HavePrefix("beginxxx"))
			Expect(string(tooLong.Tail)).To(HaveSuffix("xxxend"))
			Expect(len(tooLong.Head) + len(tooLong.Tail)).To(BeNumerically("<=", 8<<10))
			Expect(reader.Next()).To(BeEquivalentTo("next"))
		})

		It("does not report it as the end, even if the source ends within the line", func() {
			reader := jsonrpc.NewLineReader(strings.NewReader("123456"), 5)

			_, err := reader.Next()
			Expect(jsonrpc.IsEnd(err)).To(BeFalse())

			_, err = reader.Next()
			Expect(jsonrpc.IsEnd(err)).To(BeTrue())
			Expect(err).To(MatchError(io.EOF))
		})

		It("does not allocate memory for the whole line", func() {
			const size = 64 << 20
			source := io.MultiReader(io.LimitReader(endless{}, size), strings.NewReader("\nnext\n"))
			reader := jsonrpc.NewLineReader(source, 1<<20)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)

			_, err := reader.Next()

			runtime.ReadMemStats(&after)
			tooLong, _ := errors.AsType[*jsonrpc.TooLongError](err)
			Expect(tooLong.Size).To(BeEquivalentTo(size))
			Expect(after.TotalAlloc - before.TotalAlloc).To(BeNumerically("<", 16<<20))
			Expect(reader.Next()).To(BeEquivalentTo("next"))
		})
	})
})

// endless is a source of one line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

var _ = Describe("Salvaging the id of a message that cannot be read whole", func() {
	DescribeTable("finds it",
		func(head, tail, id string) {
			Expect(member(jsonrpc.SalvageID([]byte(head), []byte(tail)))).To(Equal(id))
		},
		Entry("first", `{"id":7,"result":{"te`, "", "7"),
		Entry("behind the version", `{"jsonrpc":"2.0","id":"a-1","result":`, "", `"a-1"`),
		Entry("behind version and method", ` { "method" : "tools/call" , "jsonrpc":"2.0", "id" : -3 , "par`, "", "-3"),
		Entry("last", `{"jsonrpc":"2.0","result":{"id":1,"x":`, `xxx"}]},"id":42}`, "42"),
		Entry("last, with white space", `{"result":"`, "x\" , \"id\" : \"b\" }\r", `"b"`),
	)

	DescribeTable("does not guess",
		func(head, tail string) {
			Expect(jsonrpc.SalvageID([]byte(head), []byte(tail))).To(BeNil())
		},
		Entry("from nothing", "", ""),
		Entry("inside a result", `{"jsonrpc":"2.0","result":{"id":7,"text":"xx`, `xx"}}`),
		Entry("inside a text", `{"jsonrpc":"2.0","result":"{\"id\":7,`, `xxx`),
		Entry("behind a nested value", `{"result":{},"id":7,"x":`, `xxx`),
		Entry("at the end of an inner object", `{"result":{`, `,"id":7}}`),
		Entry("an id that may continue", `{"jsonrpc":"2.0","id":7`, ``),
		Entry("an id of another kind", `{"id":{"a":1},"x":`, `x`),
		Entry("an id with escapes", `{"id":"a\"b","x":`, `x`),
		Entry("an id with a control", "{\"id\":\"a\nb\",\"x\":", "{\"x\":1,\"id\":\"\x01\"}"),
		Entry("an id that is not UTF-8", "{\"id\":\"a\xffb\",\"x\":", ""),
		Entry("a number with zeros before it", `{"id":007,"x":`, `{"x":1,"id":-01}`),
		Entry("a fraction", `{"id":1.5,"x":`, `x`),
		Entry("a name in another case", `{"ID":1,"x":`, `x`),
	)
})

// noise is text that servers write between their messages.
var noise = []string{
	"", "\r", "server started", `{"level":"info"}`, `{"jsonrpc":"2.0","id":1,"result":`, `[]`, "7", "null", "\x1b[32mok\x1b[0m", "\xff\xfe\x00",
	`{"jsonrpc":"1.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":{},"result":{}}`, strings.Repeat("[", 11_000), strings.Repeat("x", 3000),
}

// messagesIn returns the messages in a stream.
func messagesIn(source *chunks) []string {
	var messages []string
	reader, scanner := jsonrpc.NewLineReader(source, 1<<20), rawjson.NewScanner()
	for {
		line, err := reader.Next()
		if err != nil {
			return messages
		}
		if message, err := jsonrpc.ParseMessage(scanner, line); err == nil {
			messages = append(messages, fmt.Sprintf("%s %s", message.ID, message.Result))
		}
	}
}

var _ = Describe("Messages among noise", func() {
	It("are all read in order, however the stream is cut", Label("W13"), func() {
		for round := range uint64(10) {
			random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), round))
			var stream bytes.Buffer
			var want []string
			for i := range 100 {
				for range random.IntN(4) {
					stream.WriteString(noise[random.IntN(len(noise))] + "\n")
				}
				id, body := json.RawMessage(fmt.Sprint(i)), json.RawMessage(`"`+strings.Repeat("b", random.IntN(5000))+`"`)
				want = append(want, fmt.Sprintf("%s %s", id, body))
				stream.WriteString(lineOf(jsonrpc.Result(id, body)))
			}
			sizes := []byte{byte(random.UintN(256)), byte(random.UintN(256)), byte(random.UintN(256))}

			got := messagesIn(&chunks{text: stream.Bytes(), sizes: sizes})

			Expect(got).To(Equal(want))
		}
	})
})
