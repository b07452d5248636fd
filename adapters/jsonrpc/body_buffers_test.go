package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
)

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
