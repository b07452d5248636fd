package mcpclient_test

import (
	"context"
	"io"
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
)

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
			stream := mcpclient.NewStream(source, c.writer, c.messages, 1000, slog.New(slog.DiscardHandler))
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
