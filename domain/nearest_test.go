package domain_test

import (
	"runtime/metrics"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Finding the name that was meant", func() {
	DescribeTable("finds a name that is a slip away",
		func(name, meant string, others ...string) {
			found, near := domain.Nearest(name, append(others, meant))
			Expect(near).To(BeTrue())
			Expect(found).To(Equal(meant))
		},
		Entry("a letter is missing", "read_fle", "read_file", "write_file"),
		Entry("a letter is too many", "read_filee", "read_file"),
		Entry("a letter is wrong", "reed_file", "read_file"),
		Entry("two letters are swapped", "raed_file", "read_file"),
		Entry("two letters of a short name are swapped", "raed", "read"),
		Entry("a letter of three is wrong", "ecd", "eco"),
		Entry("three slips in nine letters", "raad_fibes", "read_file"),
		Entry("the case of a letter", "Read_file", "read_file"),
		Entry("letters beyond ASCII, each counted once", "größe", "grösse"),
		Entry("the name itself", "read", "read", "reads"),
		Entry("the nearest of several", "delete_fil", "delete_file", "delete_fool"),
	)

	DescribeTable("finds none",
		func(name string, candidates ...string) {
			_, near := domain.Nearest(name, candidates)
			Expect(near).To(BeFalse())
		},
		Entry("among none", "read"),
		Entry("when more than three letters differ", "read_the_whole_file", "read_the_whole_book"),
		Entry("when more than a third differs", "read", "rope"),
		Entry("when a swap does not make up for more than a third", "ab", "ba"),
		Entry("for an empty name", "", "read"),
	)

	It("compares no names longer than 128 letters, whatever they cost", func() {
		long := strings.Repeat("y", 16<<20)
		before := allocatedBytes()

		_, near := domain.Nearest(long, []string{long[1:], "x", strings.Repeat("search_repositories", 10)})
		_, nearLong := domain.Nearest("search_thngs", []string{long})
		_, nearPattern := domain.Nearest(strings.Repeat("*", 200), []string{"x"})

		Expect([]bool{near, nearLong, nearPattern}).To(HaveEach(BeFalse()))
		Expect(allocatedBytes() - before).To(BeNumerically("<", 1<<20))
		_, near = domain.Nearest(strings.Repeat("é", 128), []string{strings.Repeat("é", 127)})
		Expect(near).To(BeTrue())
	})

	It("names the first of those that are equally near", func() {
		found, near := domain.Nearest("tool_x", []string{"tool_a", "tool_b"})
		Expect(near).To(BeTrue())
		Expect(found).To(Equal("tool_a"))
	})

	It("names up to three, each once, the nearest first", func() {
		Expect(domain.AllNearest("read_file", []string{"reed_fill", "read_files", "rread_files", "read_file", "read_fine", "read_files"})).
			To(Equal([]string{"read_file", "read_files", "read_fine"}))
	})

	DescribeTable("ends a message about a name that does not exist",
		func(name, end string, existing ...string) {
			Expect(domain.Suggest(name, existing)).To(Equal(end))
		},
		Entry("with the name with which it begins", "gemini-cli", "; did you mean 'gemini'?", "gemini", "amp"),
		Entry("with the name that was meant", "reed", "; did you mean 'read'?", "write", "read"),
		Entry("with the names that begin with it", "claude", "; did you mean 'claude-code' or 'claude-desktop'?", "claude-code", "codex", "claude-desktop"),
		Entry("with what exists", "x", "; there are write, 'my tool'", "write", "my tool"),
		Entry("with the only one", "x", "; there is write", "write"),
		Entry("without any", "x", "; there is none"),
	)

	It("lists the first twenty", func() {
		Expect(domain.Suggest("x", strings.Fields(strings.Repeat("name ", 25)))).To(HaveSuffix("name and 5 more"))
	})

	It("asks for one of several", func() {
		Expect(domain.DidYouMean("a", "b's")).To(Equal(`did you mean 'a' or 'b\'s'?`))
	})
})

// allocatedBytes returns how many bytes were allocated so far.
func allocatedBytes() uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64()
}
