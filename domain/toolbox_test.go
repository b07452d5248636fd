package domain_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A toolbox", func() {
	dev := domain.Toolbox{Name: "dev", Servers: []domain.Server{
		{ID: domain.ServerID{Toolbox: "dev", Server: "zeta"}, Transport: "stdio"},
		{ID: domain.ServerID{Toolbox: "dev", Server: "alpha"}},
	}}

	It("knows its servers by their exact names", func() {
		found, ok := dev.Server("zeta")
		Expect(ok).To(BeTrue())
		Expect(found.Transport).To(Equal("stdio"))

		_, ok = dev.Server("Zeta")
		Expect(ok).To(BeFalse())
		Expect(dev.Find("zeta")).To(BeIdenticalTo(&dev.Servers[0]), "without a copy")
		Expect(dev.Find("Zeta")).To(BeNil())
	})

	It("names its servers in the order of the configuration", func() {
		Expect(dev.ServerNames()).To(Equal([]string{"zeta", "alpha"}))
		Expect(domain.Toolbox{}.ServerNames()).To(BeEmpty())
	})

	It("gives its servers as long to exit as the slowest may take", func() {
		slow := domain.Server{Limits: domain.Limits{Shutdown: time.Hour}}

		Expect(domain.LongestShutdown(nil)).To(Equal(domain.DefaultLimits().Shutdown))
		Expect(domain.LongestShutdown([]domain.Toolbox{{Servers: []domain.Server{{}, slow}}, {}})).To(Equal(time.Hour))
	})

	It("that was opened counts the servers that are up", func() {
		opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{
			{}, {Failure: domain.ErrServerUnavailable}, {Tools: []domain.ToolInfo{{Name: "read"}}},
		}}

		Expect(opened.Connected()).To(Equal(2))
		Expect(domain.OpenedToolbox{}.Connected()).To(BeZero())
	})
})
