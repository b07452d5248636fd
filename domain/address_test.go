package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("An address", func() {
	DescribeTable("is encoded as far as it has to be", func(written, encoded string) {
		Expect(domain.EncodeURL(written)).To(Equal(encoded))
	},
		Entry("not at all", "https://a.example/b%20c?d=e+f&g#h", "https://a.example/b%20c?d=e+f&g#h"),
		Entry("a space", "/a b", "/a%20b"),
		Entry("letters outside of ASCII, by bytes", "/é日", "/%C3%A9%E6%97%A5"),
		Entry("what the syntax does not have", `<>"{}|\^`+"`", "%3C%3E%22%7B%7D%7C%5C%5E%60"),
		Entry("bytes that are not UTF-8", "\xff", "%FF"),
	)

	DescribeTable("shows its login in no form", func(address, text, shown string) {
		Expect(domain.URLSecrets(address).Redact(text)).To(Equal(shown))
	},
		Entry("its password", "https://user:hunter2hunter2@a.example/", "not hunter2hunter2", "not ***"),
		Entry("its password as it is decoded", "https://user:hunter2%2Fhunter2@a.example/", "not hunter2/hunter2", "not ***"),
		Entry("the header", "https://user:hunter2hunter2@a.example/", "Basic dXNlcjpodW50ZXIyaHVudGVyMg==", "Basic ***"),
		Entry("the header of a short password", "https://user:pw@a.example/", "Basic dXNlcjpwdw==, pw", "Basic ***, pw"),
		Entry("the header of letters outside of ASCII", "https://jörg:pass wörd@a.example/", "Basic asO2cmc6cGFzcyB3w7ZyZA==", "Basic ***"),
		Entry("a key in place of a name", "https://key-of-mine@a.example/", "key-of-mine, Basic a2V5LW9mLW1pbmU6", "***, Basic ***"),
		Entry("none", "https://a.example/user:hunter2hunter2@", "hunter2hunter2", "hunter2hunter2"),
		Entry("an invalid address", "user:hunter2hunter2@%zz", "hunter2hunter2", "hunter2hunter2"),
	)

	DescribeTable("has headers whose credentials are not shown", func(name, value, text, shown string) {
		Expect(domain.HeaderSecrets(name, value).Redact(text)).To(Equal(shown))
	},
		Entry("without their scheme", "authorization", " Bearer  token-of-mine ", "no token-of-mine", "no ***"),
		Entry("of a proxy", "Proxy-Authorization", "Basic dXNlcjpwdw==", "no dXNlcjpwdw==", "no ***"),
		Entry("not of others", "X-Team", "red token-of-mine", "no token-of-mine", "no token-of-mine"),
	)
})

var _ = DescribeTable("Two addresses of authorization servers are one", Label("A11"), func(a, b string, same bool) {
	Expect(domain.SameIssuer(a, b)).To(Equal(same))
	Expect(domain.SameIssuer(b, a)).To(Equal(same))
},
	Entry("if they are equal", "https://a.example/t", "https://a.example/t", true),
	Entry("with and without the slash after the host", "https://a.example:8443/", "https://a.example:8443", true),
	Entry("but not with a slash after a path", "https://a.example/t/", "https://a.example/t", false),
	Entry("but not with two slashes", "https://a.example//", "https://a.example", false),
	Entry("but not with another case", "https://A.example", "https://a.example", false),
	Entry("but not with a slash after a query", "https://a.example?x/", "https://a.example?x", false),
	Entry("but not without a host", "https:///", "https://", false),
	Entry("but not without a scheme", "a/", "a", false),
)
