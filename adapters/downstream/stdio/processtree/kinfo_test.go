package processtree_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// kinfo returns a struct kinfo_proc as the headers of macOS lay it out: process 4242,
// started 1700000000.000123 s after 1970 by process 501, in group 4240.
func kinfo(stat byte) *[648]byte {
	var raw [648]byte
	for i := range raw {
		raw[i] = 0xee // what is not read
	}
	copy(raw[0:], "\x00\xf1\x53\x65\x00\x00\x00\x00\x7b\x00\x00\x00")
	raw[36] = stat
	copy(raw[40:], "\x92\x10\x00\x00")
	copy(raw[560:], "\xf5\x01\x00\x00\x90\x10\x00\x00")
	return &raw
}

var _ = Describe("A process as macOS describes it", func() {
	It("has its numbers and its start in microseconds", func() {
		Expect(processtree.ParseKinfo(kinfo(2))).To(Equal(processtree.Process{
			PID: 4242, Parent: 501, Group: 4240, Started: 1_700_000_000_000_123,
		}))
	})

	It("is dead when it is a zombie", func() {
		Expect(processtree.ParseKinfo(kinfo(5)).Dead).To(BeTrue())
	})
})
