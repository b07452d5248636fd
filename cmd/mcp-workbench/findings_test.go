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
		server := domain.OpenedServer{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}

		Expect(examineServer(server, slowStart-time.Millisecond)).To(BeEmpty())
		Expect(examineServer(server, 25*time.Second)).To(ConsistOf(
			HaveField("Found", "it took 25 s to start"),
		))
	})

	It("lets nobody control the terminal", func() {
		Expect(finding{Code: "D008", About: "a", Found: "b\x1b[2Jc", Mend: "d"}.lines()).To(Equal("D008 a: bc\n     d\n"))
	})
})
