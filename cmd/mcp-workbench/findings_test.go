package main

import (
	"os"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The codes of doctor's findings", func() {
	It("are listed in the help topic, each once", func() {
		source, err := os.ReadFile("../../adapters/doctor/finding.go")
		Expect(err).NotTo(HaveOccurred())
		codes := regexp.MustCompile(`= "(D\d{3})"`).FindAllStringSubmatch(string(source), -1)
		Expect(codes).NotTo(BeEmpty())
		listed := regexp.MustCompile(`(?m)^- (D\d{3}): `).FindAllStringSubmatch(topicText("shell"), -1)
		Expect(listed).To(HaveLen(len(codes)))
		for i := range codes {
			Expect(listed[i][1]).To(Equal(codes[i][1]))
		}
	})
})
