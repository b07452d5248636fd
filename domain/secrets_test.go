package domain_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Taking secrets out of text", func() {
	redact := func(text string, values ...string) string {
		var secrets domain.Secrets
		for i, value := range values {
			secrets = append(secrets, domain.Secret{Value: value, Shown: fmt.Sprintf("${S%d}", i+1)})
		}
		return secrets.Redact(text)
	}

	DescribeTable("shows the name in place of the value",
		func(text, expected string, values ...string) {
			Expect(redact(text, values...)).To(Equal(expected))
		},
		Entry("wherever it stands", "12345678 a12345678b 12345678", "${S1} a${S1}b ${S1}", "12345678"),
		Entry("for values of eight bytes", "12345678", "${S1}", "12345678"),
		Entry("not for shorter ones", "1234567", "1234567", "1234567"),
		Entry("by bytes, not by letters", "ääää", "${S1}", "ääää"),
		Entry("not for empty values", "text", "text", ""),
		Entry("of each value", "password and passphrase", "${S2} and ${S1}", "passphrase", "password"),
		Entry("of the longer one where one begins the other", "hunter22hunter", "${S2}", "hunter22", "hunter22hunter"),
		Entry("of the shorter one where it stands alone", "hunter22 hunter22hunter", "${S1} ${S2}", "hunter22", "hunter22hunter"),
		Entry("of the first where two are alike", "hunter22", "${S1}", "hunter22", "hunter22"),
		Entry("in its exact case only", "HUNTER22 hunter22", "HUNTER22 ${S1}", "hunter22"),
		Entry("of a value with the signs of patterns", `a.*b$1^[x]`, "${S1}", `a.*b$1^[x]`),
		Entry("whole, with its lines", "first line\nlast line", "${S1}", "first line\nlast line"),
		Entry("of each of its lines", "found: last line!", "found: ${S1}!", "first line\nlast line"),
		Entry("of lines with another end", "found: first line", "found: ${S1}", "first line\r\nlast line\r\n"),
		Entry("of a value whose line end was cut", "token-of-mine.", "${S1}.", "token-of-mine\n"),
		Entry("but not of short lines", "it ends", "it ends", "it\nends\nafter-all"),
		Entry("encoded for a URL", "/a%20b%2Fc%C3%A9%22 /a%20b/c%C3%A9%22 a+b%2Fc%C3%A9%22", "/${S1} /${S1} ${S1}", `a b/cé"`),
		Entry("decoded from a URL", "no a b/c:defg", "no ${S1}", "a%20b%2Fc:defg"),
		Entry("without the white space around it", "no token-of-mine.", "no ${S1}.", " token-of-mine\t"),
		Entry("as Go quotes it", `open "C:\\keys\\mine\n": no`, `open "${S1}": no`, "C:\\keys\\mine\n"),
	)

	It("leaves text alone when there is nothing to take out", func() {
		Expect(redact("text")).To(Equal("text"))
		Expect(redact("", "12345678")).To(BeEmpty())
	})

	It("is prepared once for many texts", func() {
		redactor := domain.Secrets{{Value: "12345678", Shown: "${S}"}}.Redactor()

		for range 3 {
			Expect(redactor("a 12345678")).To(Equal("a ${S}"))
		}
	})

	It("leaves nothing of a value in text that repeats it", func() {
		key := "-----BEGIN KEY-----\n" + strings.Repeat("0123456789abcdef\n", 40) + "-----END KEY-----"

		Expect(redact(strings.ReplaceAll(key, "\n", "\nstderr: "), key)).NotTo(Or(
			ContainSubstring("0123456789abcdef"), ContainSubstring("BEGIN KEY"),
		))
	})
})
