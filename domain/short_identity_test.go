package domain_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("The text for an identity", Label("TG08"), func() {
	It("is the identity, unless that is long", func() {
		short := `subject "ann" of "https://idp.example"`
		Expect(domain.ShortIdentity(short)).To(Equal(short))
		Expect(domain.ShortIdentity(strings.Repeat("a", 200))).To(Equal(strings.Repeat("a", 200)))
	})

	It("differs for long identities that differ anywhere, and stays the same", func() {
		long := strings.Repeat("é", 150)
		one, other := domain.ShortIdentity(long+"a"), domain.ShortIdentity(long+"b")

		Expect(one).NotTo(Equal(other))
		Expect(len(one)).To(BeNumerically("<=", 200))
		Expect(one).To(HavePrefix("éé"))
		Expect(domain.ShortIdentity(one)).To(Equal(one))
	})
})
