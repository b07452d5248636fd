package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Characters that are not seen", func() {
	DescribeTable("are",
		func(characters string) {
			for _, r := range characters {
				Expect(domain.Unseen(r)).To(BeTrue(), "%U", r)
			}
		},
		Entry("controls of both kinds", "\x00\a\x1b\x7f\u0080\u0085\u009b"),
		Entry("line ends and spaces that are not plain", "\n\r\t\u00a0\u2028\u2029\u3000"),
		Entry("what reorders text", "\u061c\u200e\u200f\u202a\u202e\u2066\u2069"),
		Entry("what joins or separates", "\u200b\u200c\u200d\u2060\u2063\ufeff\u034f\u180e"),
		Entry("soft hyphens and deprecated controls", "\u00ad\u206a\u206f\ufff9"),
		Entry("fillers and blank patterns", "\u115f\u1160\u17b4\u3164\uffa0\u2800"),
		Entry("variation selectors", "\u180b\ufe00\ufe0f\U000e0100\U000e01ef"),
		Entry("tags", "\U000e0001\U000e0041\U000e007f"),
		Entry("beams of music, private use and what is not assigned", "\U0001d173\ue000\U000f0000\u0378"),
	)

	It("are no letters, marks, signs or pictures of any script, and no plain space", func() {
		for _, r := range " aé漢ß\u0301न्אब👩€½" {
			Expect(domain.Unseen(r)).To(BeFalse(), "%U", r)
		}
	})
})
