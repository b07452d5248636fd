package stdio_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
)

var _ = Describe("The end of the stderr of a server, for the user", func() {
	kept := func(text string, after int, secrets ...domain.Secret) ([]string, int) {
		return stdio.KeepStderr(strings.NewReader(text), after, secrets)
	}

	It("is its last 200 lines, or those behind a line", func() {
		var text strings.Builder
		for i := range 300 {
			fmt.Fprintf(&text, "line %d\n", i+1)
		}

		lines, last := kept(text.String(), 0)
		Expect(last).To(Equal(300))
		Expect(lines).To(HaveLen(200))
		Expect(lines[0]).To(Equal("line 101"))

		lines, _ = kept(text.String(), 298)
		Expect(lines).To(Equal([]string{"line 299", "line 300"}))
	})

	It("is at most 64 KiB, but has the last line", func() {
		lines, last := kept(strings.Repeat(strings.Repeat("x", 10<<10)+"\n", 100), 0)
		Expect(lines).To(HaveLen(6))
		Expect(last).To(Equal(100))

		lines, _ = kept("first\n"+strings.Repeat("x", 1<<20)+"\n", 0)
		Expect(lines).To(HaveLen(1))
		Expect(len(lines[0])).To(BeNumerically("<", 70<<10))
	})

	It("shows no secret and nothing that controls a terminal", func() {
		lines, _ := kept("token hunter2hunter2 \x1b[2J\n", 0, domain.Secret{Value: "hunter2hunter2", Shown: "${TOKEN}"})
		Expect(lines).To(HaveLen(1))
		Expect(lines[0]).To(And(ContainSubstring("${TOKEN}"), Not(ContainSubstring("hunter2")), Not(ContainSubstring("\x1b"))))
	})
})
