package config_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

var _ = Describe("The time after which an unused server is stopped", func() {
	It("is unlimited by default", func() {
		Expect(server(load(withServer(`{"command":"x"}`))).Limits.Idle).To(BeZero())
	})

	It("of a server wins over that of the root", func() {
		configuration := load(`{"idleTimeout":"10m","toolboxes":{"a":{"mcpServers":{
			"s":{"command":"x"},"t":{"command":"x","idleTimeout":90},"u":{"command":"x","idleTimeout":0}}}}}`)

		servers := configuration.Catalog.Toolboxes()[0].Servers
		Expect(servers[0].Limits.Idle).To(Equal(10 * time.Minute))
		Expect(servers[1].Limits.Idle).To(Equal(90 * time.Second))
		Expect(servers[2].Limits.Idle).To(BeZero())
	})

	It("can have another default, which the file overrides", func() {
		path := write("c.json", `{"toolboxes":{"a":{"mcpServers":{
			"s":{"command":"x"},"t":{"command":"x","idleTimeout":90},"u":{"command":"x","idleTimeout":0}}}}}`)

		configuration, err := config.Load(config.Options{Path: path, IdleTimeout: time.Hour}, transports())

		Expect(err).NotTo(HaveOccurred())
		servers := configuration.Catalog.Toolboxes()[0].Servers
		Expect(servers[0].Limits.Idle).To(Equal(time.Hour))
		Expect(servers[1].Limits.Idle).To(Equal(90 * time.Second))
		Expect(servers[2].Limits.Idle).To(BeZero())
	})

	DescribeTable("is refused",
		func(content, problem string) {
			Expect(problemsOf(content)).To(ContainElement(ContainSubstring(problem)))
		},
		Entry("when it is not a duration", withRoot(`"idleTimeout":"soon"`), `idleTimeout: found "soon", want a duration`),
		Entry("when it is negative", withServer(`{"command":"x","idleTimeout":-1}`), `fs.idleTimeout: found -1, want a duration`),
		Entry("among the limits", withRoot(`"limits":{"idleTimeout":1}`), `limits.idleTimeout: unknown key "idleTimeout"`),
	)
})

var _ = Describe("The bound on requests under way", func() {
	DescribeTable("is refused",
		func(value string) {
			Expect(problemsOf(withRoot(`"limits":{"inFlight":` + value + `}`))).To(ContainElement(
				HaveSuffix(`limits.inFlight: found ` + value + `, want a whole number from 1 to 4096`)))
		},
		Entry("when it lets nothing through", `0`),
		Entry("when it is more than a host may have under way", `4097`),
		Entry("when it is not a whole number", `1.5`),
	)
})

var _ = Describe("Arguments and results", func() {
	It("are logged only if that is set", func() {
		Expect(load(withServer(`{"command":"x"}`)).LogPayloads).To(BeFalse())
		Expect(load(withRoot(`"logPayloads":true`)).LogPayloads).To(BeTrue())
		Expect(load(withRoot(`"logPayloads":false`)).LogPayloads).To(BeFalse())
	})

	It("are not logged by a word", func() {
		Expect(problemsOf(withRoot(`"logPayloads":"yes"`))).To(ContainElement(ContainSubstring("logPayloads: found ")))
	})
})
