package main

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/measurements/bench/wire"
)

// A benchmark that accepted any answer would show broken programs as fast.
var _ = Describe("An answer", func() {
	const right = `"result":{"content":[{"type":"text","text":"line\nend"}]}`

	DescribeTable("counts only if it is the right one", func(lines string, counts bool) {
		const id = firstID + 1
		call := toolCall{text: []byte(`line\nend`)}
		s := &session{lines: wire.NewLines(strings.NewReader(lines + "\n"))}

		line, err := s.await(id)
		if err == nil {
			err = call.verify(line, false)
		}

		Expect(err == nil).To(Equal(counts), "%v", err)
	},
		Entry("the usual form", `{"jsonrpc":"2.0","id":1000000001,`+right+`}`, true),
		Entry("members in another order", `{`+right+`, "id":1000000001, "jsonrpc":"2.0"}`, true),
		Entry("after a notification", `{"jsonrpc":"2.0","method":"x"}`+"\n"+`{"jsonrpc":"2.0","id":1000000001,`+right+`}`, true),
		Entry("after a question", `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"+`{"jsonrpc":"2.0","id":1000000001,`+right+`}`, true),
		Entry("of another id", `{"jsonrpc":"2.0","id":1000000002,`+right+`}`, false),
		Entry("an error", `{"jsonrpc":"2.0","id":1000000001,"error":{"code":1,"message":"`+`"text":"line\nend"`+`"}}`, false),
		Entry("a longer text", `{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":"line\nend."}]}}`, false),
		Entry("a shorter text", `{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":"line\nen"}]}}`, false),
		Entry("another text", `{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":"line\nEnd"}]}}`, false),
		Entry("no text", `{"jsonrpc":"2.0","id":1000000001,"result":{"content":[]}}`, false),
		Entry("no message", `hello`, false),
		Entry("nothing", ``, false),
	)
})

var _ = Describe("Quantiles", func() {
	It("are interpolated", func() {
		values := []float64{5, 1, 4, 2, 3}

		Expect(median(values)).To(Equal(3.0))
		Expect(median([]float64{1, 2})).To(Equal(1.5))
		Expect(spread(values)).To(Equal(1.0))
		Expect(quantile(values, 1)).To(Equal(5.0))
	})
})
