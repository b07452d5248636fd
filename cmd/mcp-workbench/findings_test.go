package main

import (
	"os"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("What doctor finds", func() {
	It("is listed in the help topic, each code once", func() {
		source, err := os.ReadFile("findings.go")
		Expect(err).NotTo(HaveOccurred())
		codes := regexp.MustCompile(`= "(D\d{3})"`).FindAllStringSubmatch(string(source), -1)
		Expect(codes).NotTo(BeEmpty())
		listed := regexp.MustCompile(`(?m)^- (D\d{3}): `).FindAllStringSubmatch(shellTopic, -1)
		Expect(listed).To(HaveLen(len(codes)))
		for i := range codes {
			Expect(listed[i][1]).To(Equal(codes[i][1]))
		}
	})

	It("has servers that start slowly", func() {
		server := startedServer{OpenedServer: domain.OpenedServer{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}}

		server.took = slowStart - time.Millisecond
		Expect(server.examine()).To(BeEmpty())
		server.took = 25 * time.Second
		Expect(server.examine()).To(ConsistOf(And(HaveField("Code", "D009"), HaveField("Found", "it took 25 s to start"))))
	})

	DescribeTable("has variables of the network that lead nowhere, without their values",
		func(name, value, found string) {
			findings := examineNetwork(func(asked string) string { return map[string]string{name: value}[asked] })

			if found == "" {
				Expect(findings).To(BeEmpty())
				return
			}
			Expect(findings).To(ConsistOf(And(HaveField("About", name), HaveField("Found", ContainSubstring(found)))))
			Expect(findings[0].lines(unpainted)).NotTo(ContainSubstring("secret"))
		},
		Entry(nil, "SSL_CERT_FILE", "/no/such/file", "certificates cannot be read"),
		Entry(nil, "NODE_EXTRA_CA_CERTS", "findings.go", ""),
		Entry(nil, "HTTPS_PROXY", "http://user:secret@:3128", "it is not the address of a proxy"),
		Entry(nil, "https_proxy", "http://user:secret@ proxy", "it is not the address of a proxy"),
		Entry(nil, "HTTP_PROXY", "http://proxy:3128", ""),
		Entry(nil, "http_proxy", "proxy:3128", ""),
		Entry(nil, "NO_PROXY", "*", ""),
	)
})
