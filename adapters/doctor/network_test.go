package doctor

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The network", func() {
	DescribeTable("has variables that cannot be used, whose values are not shown",
		func(name, value, found string) {
			findings := examineNetwork(func(asked string) string { return map[string]string{name: value}[asked] })

			if found == "" {
				Expect(findings).To(BeEmpty())
				return
			}
			Expect(findings).To(ConsistOf(And(HaveField("Code", "D011"), HaveField("About", name), HaveField("Found", ContainSubstring(found)))))
			Expect(findings[0].Found + findings[0].Fix).NotTo(ContainSubstring("secret"))
		},
		Entry(nil, "SSL_CERT_FILE", "/no/such/file", "certificates cannot be read"),
		Entry(nil, "NODE_EXTRA_CA_CERTS", "network.go", ""),
		Entry(nil, "HTTPS_PROXY", "http://user:secret@:3128", "it is not the address of a proxy"),
		Entry(nil, "https_proxy", "http://user:secret@ proxy", "it is not the address of a proxy"),
		Entry(nil, "HTTP_PROXY", "http://proxy:3128", ""),
		Entry(nil, "http_proxy", "proxy:3128", ""),
		Entry(nil, "NO_PROXY", "*", ""),
	)
})
