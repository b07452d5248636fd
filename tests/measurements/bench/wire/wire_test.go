package wire

import (
	"encoding/json"
	"io"
	"strings"
	"testing/iotest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Lines", func() {
	DescribeTable("have any length", func(as func(io.Reader) io.Reader) {
		long := strings.Repeat("x", 3*firstBuffer)
		want := []string{"a", "", long, "b", long + long, "c"}
		lines := NewLines(as(strings.NewReader(strings.Join(want, "\n") + "\nno end")))

		for _, line := range want {
			got, err := lines.Next()
			Expect(err).NotTo(HaveOccurred())
			Expect(string(got) == line).To(BeTrue(), "%d bytes, want %d", len(got), len(line))
		}
		_, err := lines.Next()
		Expect(err).To(MatchError(io.EOF))
	},
		Entry("read whole", func(r io.Reader) io.Reader { return r }),
		Entry("read by halves", iotest.HalfReader),
		Entry("read with the error", iotest.DataErrReader),
	)
})

var _ = DescribeTable("A text fits into a string", func(size int) {
	text := Text(size)

	Expect(text).To(HaveLen(size))
	Expect(json.Valid(append(append([]byte(`"`), text...), '"'))).To(BeTrue())
},
	Entry(nil, 0), Entry(nil, 1), Entry(nil, 69), Entry(nil, 70), Entry(nil, 71), Entry(nil, 100), Entry(nil, 10_000), Entry(nil, 100_001),
)
