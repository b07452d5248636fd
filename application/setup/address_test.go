package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
)

var _ = Describe("The address of a workbench", func() {
	DescribeTable("is accepted, with notes", func(address setup.Address, notes ...string) {
		got, err := address.Check()
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(HaveLen(len(notes)))
		Expect(got).To(ContainElements(notes))
	},
		Entry("on this machine", setup.Address{URL: "http://127.0.0.1:7345/mcp"}),
		Entry("on this machine by name", setup.Address{URL: "http://localhost:7345/mcp", Token: "A_TOKEN"}),
		Entry("with https", setup.Address{URL: "https://mcp.example.com/mcp?a=b", Token: "_t1"}),
		Entry("without a path", setup.Address{URL: "https://mcp.example.com/"},
			"https://mcp.example.com/ has no path, and a workbench answers at /mcp"),
		Entry("of another machine without https", setup.Address{URL: "http://10.0.0.1/mcp"},
			"without https, others on the network can read the calls and the token"),
	)

	DescribeTable("is refused", func(address setup.Address, reason string) {
		_, err := address.Check()
		Expect(err).To(MatchError(And(ContainSubstring(reason), Not(ContainSubstring("sk-secret")))))
	},
		Entry("without a scheme", setup.Address{URL: "mcp.example.com/mcp"}, "begins with http:// or https://"),
		Entry("with another scheme", setup.Address{URL: "ws://mcp.example.com/mcp"}, "begins with http:// or https://"),
		Entry("without a host", setup.Address{URL: "http:///mcp"}, "without variables, spaces or a fragment"),
		Entry("with a variable in a host's syntax", setup.Address{URL: "https://a/{env:X}"}, "without variables, spaces or a fragment"),
		Entry("with a space", setup.Address{URL: "https://a/b c"}, "without variables, spaces or a fragment"),
		Entry("with a login", setup.Address{URL: "https://me:sk-secret@a/mcp"}, "--token-env"),
		Entry("with a token in place of its variable", setup.Address{URL: "https://a/mcp", Token: "sk-secret"}, "the name of a variable"),
		Entry("with a variable that begins with a digit", setup.Address{URL: "https://a/mcp", Token: "1a"}, "the name of a variable"),
	)
})
