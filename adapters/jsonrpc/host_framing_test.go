package jsonrpc_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing/iotest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

var _ = Describe("A host that writes the length in front of its messages", func() {
	// framed returns messages as such a host writes them.
	framed := func(messages ...string) string {
		var text strings.Builder
		for _, message := range messages {
			fmt.Fprintf(&text, "Content-Length: %d\r\n\r\n%s", len(message), message)
		}
		return text.String()
	}

	DescribeTable("is read as lines, in any number of pieces",
		func(text string, lines ...string) {
			for _, source := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
				read, err := readLines(jsonrpc.NewHostFraming(source, nil, nil), 100)

				Expect(err).To(MatchError(io.EOF))
				Expect(read).To(HaveExactElements(lines))
			}
		},
		Entry("with one message", framed(`{"a":1}`), `{"a":1}`),
		Entry("with several, and letters of several bytes", framed(`{"a":"Ä€"}`, `{}`, `[]`), `{"a":"Ä€"}`, `{}`, `[]`),
		Entry("with line ends in a message", framed("{\n\r\"a\":1}"), `{  "a":1}`),
		Entry("with another header", "content-length:2\r\nContent-Type: application/json\r\n\r\n{}", `{}`),
		Entry("with another header first", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", `{}`),
		Entry("with line feeds as line ends", "Content-Length: 2\n\n{}\nContent-Length: 2\n\n[]", `{}`, `[]`),
		Entry("with an empty message", framed("", "{}"), ``, `{}`),
		Entry("with a line in between", framed(`{}`)+"{\"a\":1}\n"+framed(`[]`), `{}`, `{"a":1}`, `[]`),
		Entry("with a message over the limit", framed(strings.Repeat("x", 101), "{}"), "a message of 101 bytes is over the limit of 100", "{}"),
		Entry("that ends in a message", "Content-Length: 9\r\n\r\n{}", "unended: {}"),
	)

	DescribeTable("is not read any further with headers that have no meaning",
		func(text, reason string) {
			_, err := readLines(jsonrpc.NewHostFraming(strings.NewReader(text), nil, nil), 100)

			Expect(err).To(MatchError(reason))
		},
		Entry("without a number", "Content-Length: two\r\n\r\n{}", `the Content-Length "two" of a message is not a number`),
		Entry("with a negative one", "Content-Length: -2\r\n\r\n{}", `the Content-Length "-2" of a message is not a number`),
		Entry("without an end", "Content-Length: 2\r\n"+strings.Repeat("a: b\r\n", 2000), "the headers of a message are longer than 8192 bytes"),
	)

	It("is answered in the same way, whatever the pieces of a line", func() {
		var written bytes.Buffer
		attempted := false
		framing := jsonrpc.NewHostFraming(strings.NewReader(framed("{}")), &written, func([]byte) int { attempted = true; return 1 })
		_, err := readLines(framing, 100)
		Expect(err).To(MatchError(io.EOF))

		writer := jsonrpc.NewWriter(framing, framing.Attempt())
		Expect(writer.TryWrite(jsonrpc.Result([]byte("1"), []byte("{}")))).To(Succeed())
		Expect(writer.Write(GinkgoT().Context(), jsonrpc.Result([]byte("2"), []byte(`"`+strings.Repeat("Ä", 1<<20)+`"`)))).To(Succeed())
		Expect(writer.Close(GinkgoT().Context())).To(Succeed())

		Expect(attempted).To(BeFalse())
		Expect(written.String() == framed(`{"jsonrpc":"2.0","id":1,"result":{}}`,
			`{"jsonrpc":"2.0","id":2,"result":"`+strings.Repeat("Ä", 1<<20)+`"}`)).To(BeTrue())
	})

	DescribeTable("is not assumed for a host that writes lines, which stay as they are",
		func(text string, lines ...string) {
			var written bytes.Buffer
			framing := jsonrpc.NewHostFraming(iotest.HalfReader(strings.NewReader(text)), &written, nil)
			read, err := readLines(framing, 100)
			Expect(err).To(MatchError(io.EOF))
			Expect(read).To(HaveExactElements(lines))

			_, err = framing.Write([]byte("{}\n"))
			Expect(err).NotTo(HaveOccurred())
			Expect(written.String()).To(Equal("{}\n"))
			Expect(framing.Attempt()).To(BeNil())
		},
		Entry("of JSON", "{\"a\":1}\n{}\n", `{"a":1}`, `{}`),
		Entry("that begin with the same letter", "C\ncontent-type: a\n", "C", "content-type: a"),
		Entry("of nothing", ""),
	)
})
