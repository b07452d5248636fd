package config_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Limits", func() {
	It("have their defaults when they are not set", func() {
		Expect(server(load(withServer(`{"command":"x"}`))).Limits).To(Equal(domain.DefaultLimits()))
	})

	It("apply to every server when the root sets them", func() {
		configuration := load(`{"limits":{"connect":"1s","secret":"9s","registry":"7s","openReply":"2s","openGrace":"8s","call":"3s","callTotal":"5s","inputReply":"6s","shutdown":"4s",
			"inFlight":7,"messageSize":"1MiB","definitions":"4KiB","result":"2KiB","arriving":"16MiB","underWay":"17MiB","sending":"18MiB","keptResults":"33MiB"},"idleTimeout":"8s",
			"toolboxes":{"a":{"mcpServers":{"s":{"command":"x"},"t":{"command":"x"}}}}}`)

		for _, server := range configuration.Catalog.Toolboxes()[0].Servers {
			Expect(server.Limits).To(Equal(domain.Limits{
				Connect: time.Second, Secret: 9 * time.Second, Registry: 7 * time.Second, OpenReply: 2 * time.Second, OpenGrace: 8 * time.Second, Call: 3 * time.Second,
				CallTotal: 5 * time.Second, InputReply: 6 * time.Second, Shutdown: 4 * time.Second,
				Idle: 8 * time.Second, InFlight: 7, Definitions: 4 << 10, Result: 2 << 10, MessageSize: 1 << 20,
				Arriving: 16 << 20, UnderWay: 17 << 20, Sending: 18 << 20, KeptResults: 33 << 20,
			}))
		}
	})

	It("of a server win over those of the root, one by one, wherever the root has them", func() {
		configuration := load(`{
			"toolboxes":{"a":{"mcpServers":{"s":{"command":"x","limits":{"call":"9s"}},"t":{"command":"x"}}}},
			"limits":{"call":"3s","connect":"1s"}
		}`)

		servers := configuration.Catalog.Toolboxes()[0].Servers
		Expect(servers[0].Limits.Call).To(Equal(9 * time.Second))
		Expect(servers[0].Limits.Connect).To(Equal(time.Second))
		Expect(servers[0].Limits.OpenReply).To(Equal(domain.DefaultLimits().OpenReply))
		Expect(servers[1].Limits.Call).To(Equal(3 * time.Second))
	})

	DescribeTable("of time are written",
		func(value string, duration time.Duration) {
			limits := server(load(withServer(`{"command":"x","limits":{"call":` + value + `}}`))).Limits
			Expect(limits.Call).To(Equal(duration))
		},
		Entry("as a duration", `"45s"`, 45*time.Second),
		Entry("as a duration with several units", `"1m30s"`, 90*time.Second),
		Entry("as a number of seconds", `45`, 45*time.Second),
		Entry("as a fraction of seconds", `0.5`, 500*time.Millisecond),
		Entry("as a number of seconds in quotes", `"45"`, 45*time.Second),
		Entry("as 0 for no limit", `0`, time.Duration(0)),
		Entry("as a duration of 0", `"0s"`, time.Duration(0)),
	)

	DescribeTable("of size are written",
		func(value string, size int64) {
			limits := server(load(withServer(`{"command":"x","limits":{"messageSize":` + value + `}}`))).Limits
			Expect(limits.MessageSize).To(Equal(size))
		},
		Entry("in bytes", `1000000`, int64(1_000_000)),
		Entry("in bytes, in quotes", `"1000000"`, int64(1_000_000)),
		Entry("in B", `"1000000B"`, int64(1_000_000)),
		Entry("in KiB", `"512KiB"`, int64(512<<10)),
		Entry("in MiB", `"10MiB"`, int64(10<<20)),
		Entry("in KB", `"100KB"`, int64(100_000)),
		Entry("in MB", `"64MB"`, int64(64_000_000)),
		Entry("in MiB, with a space and a fraction", `"1.5 MiB"`, int64(3<<19)),
		Entry("as the least", `"64KiB"`, int64(64<<10)),
		Entry("as the most", `"256MiB"`, int64(256<<20)),
	)

	const (
		someTime  = `a duration above 0 such as "45s", or a number of seconds`
		anyTime   = `a duration such as "45s" or a number of seconds, 0 for no limit`
		shortTime = `a duration above 0 and up to "10s", or a number of seconds`
		someBytes = `a size from "64KiB" to "256MiB", or a number of bytes`
	)

	DescribeTable("are refused",
		func(key, value, found, wanted string) {
			problem := "limits." + key + ": found " + found + ", want " + wanted
			Expect(problemsOf(withRoot(`"limits":{"` + key + `":` + value + `}`))).To(ConsistOf(HaveSuffix(": " + problem)))
			Expect(problemsOf(withServer(`{"command":"x","limits":{"` + key + `":` + value + `}}`))).To(ConsistOf(HaveSuffix(".fs." + problem)))
		},
		Entry("when a time to connect is 0", "connect", `0`, `0`, someTime),
		Entry("when a time to connect is negative", "connect", `"-1s"`, `"-1s"`, someTime),
		Entry("when a time to reply is 0", "openReply", `"0s"`, `"0s"`, someTime),
		Entry("when a time to wait for the last servers is 0", "openGrace", `0`, `0`, someTime),
		Entry("when a time to wait for the last servers is a boolean", "openGrace", `true`, `true`, someTime),
		Entry("when a time for calls is negative", "call", `-1`, `-1`, anyTime),
		Entry("when a time is a word", "call", `"soon"`, `"soon"`, anyTime),
		Entry("when a time has an unknown unit", "call", `"5 minutes"`, `"5 minutes"`, anyTime),
		Entry("when a time is empty", "call", `""`, `""`, anyTime),
		Entry("when a time is endless", "call", `1e400`, `1e400`, anyTime),
		Entry("when a time is longer than can be counted", "call", `1e10`, `1e10`, anyTime),
		Entry("when a time is not a number", "call", `"NaN"`, `"NaN"`, anyTime),
		Entry("when a time is null", "call", `null`, `null`, anyTime),
		Entry("when a time is a list", "call", `[1]`, `a list`, anyTime),
		Entry("when a time to shut down is 0", "shutdown", `0`, `0`, shortTime),
		Entry("when a time to shut down is over 10 s", "shutdown", `"10.001s"`, `"10.001s"`, shortTime),
		Entry("when a size is too small", "messageSize", `65535`, `65535`, someBytes),
		Entry("when a size is too large", "messageSize", `"257MiB"`, `"257MiB"`, someBytes),
		Entry("when a size has an unknown unit", "messageSize", `"10M"`, `"10M"`, someBytes),
		Entry("when a size is not whole", "messageSize", `100000.5`, `100000.5`, someBytes),
		Entry("when a size is negative", "messageSize", `"-10MiB"`, `"-10MiB"`, someBytes),
		Entry("when a size is endless", "messageSize", `"Inf"`, `"Inf"`, someBytes),
		Entry("when a value is long, of which a part is shown", "call",
			`"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`,
			`"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"`, anyTime),
	)

	It("are refused when they are not an object", func() {
		Expect(problemsOf(withRoot(`"limits":5`))).To(Equal([]string{"c.json:2:10: limits: found a number, want an object of limits"}))
	})
})

var _ = Describe("The setting definitions", func() {
	loadWith := func(text string, environ ...string) *config.Configuration {
		GinkgoHelper()
		return spec.Must(config.Load(config.Options{Path: write("c.json", text), Environ: environ}, transports()))
	}

	It("is full by default, in answers of up to 16 KiB where the workbench chooses", func() {
		settings := load(withServer(`{"command":"x"}`)).Definitions

		Expect(settings.Form("a")).To(Equal(definitions.Full))
		Expect(settings.Budget).To(Equal(definitions.DefaultBudget))
		Expect(settings.Validation).To(Equal(definitions.ValidateUnseen))
	})

	DescribeTable("can be",
		func(form definitions.Form) {
			Expect(load(withRoot(`"definitions":"` + string(form) + `"`)).Definitions.Form("a")).To(Equal(form))
		},
		Entry(nil, definitions.Full),
		Entry(nil, definitions.Lean),
		Entry(nil, definitions.Compact),
		Entry(nil, definitions.Names),
		Entry(nil, definitions.Auto),
	)

	It("of a toolbox wins over that of the root and its variable", func() {
		configuration := loadWith(`{"definitions":"lean","limits":{"definitions":"8KiB"},"toolboxes":{
			"own":{"definitions":"names","mcpServers":{"s":{"command":"x"}}},
			"other":{"mcpServers":{"s":{"command":"x"}}}}}`, "WORKBENCH_DEFINITIONS=compact", "WORKBENCH_LIMITS_DEFINITIONS=4KiB")

		Expect(configuration.Definitions.Form("own")).To(Equal(definitions.Names))
		Expect(configuration.Definitions.Form("other")).To(Equal(definitions.Compact))
		Expect(configuration.Definitions.Budget).To(Equal(4 << 10))
		Expect(configuration.Warnings).To(BeEmpty())
	})

	It("means names when it is auto and tools are registered with their definitions", func() {
		configuration := loadWith(`{"definitions":"auto","toolMode":"dynamic","toolboxes":{}}`)

		Expect(configuration.Definitions.Form("any")).To(Equal(definitions.Names))
	})

	It("is refused when it is anything else, with the legal values", func() {
		const wanted = `want "full", "lean", "compact", "names" or "auto"`
		for _, value := range []string{`"short"`, `""`, `"Compact"`, `true`, `null`, `["lean"]`} {
			Expect(problemsOf(withRoot(`"definitions":`+value))).To(ConsistOf(
				And(ContainSubstring("definitions: found "), HaveSuffix(wanted))), value)
			Expect(problemsOf(`{"toolboxes":{"a":{"definitions":`+value+`,"mcpServers":{"s":{"command":"x"}}}}}`)).To(ConsistOf(
				And(ContainSubstring("toolboxes.a.definitions: found "), HaveSuffix(wanted))), value)
		}
	})

	It("leaves a toolbox out whose form is wrong, and no other, when the rest is used", func() {
		options := config.Options{Lenient: true, Path: write("c.json", `{"toolboxes":{
			"a":{"definitions":"tiny","mcpServers":{"s":{"command":"x"}}},"b":{"mcpServers":{"s":{"command":"x"}}}}}`)}

		configuration := spec.Must(config.Load(options, transports()))
		Expect(toolboxNames(configuration)).To(Equal([]string{"b"}))
	})
})

var _ = Describe("The setting validate", func() {
	DescribeTable("can be",
		func(value string, validation definitions.Validation) {
			Expect(load(withRoot(`"validate":` + value)).Definitions.Validation).To(Equal(validation))
			options := config.Options{WorkDir: GinkgoT().TempDir(), Environ: []string{"WORKBENCH_VALIDATE=" + value}}
			Expect(spec.Must(config.Load(options, transports())).Definitions.Validation).To(Equal(validation))
		},
		Entry(nil, "true", definitions.ValidateAll),
		Entry(nil, "false", definitions.ValidateNone),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"true"`, `1`, `null`, `"auto"`} {
			Expect(problemsOf(withRoot(`"validate":`+value))).To(ConsistOf(ContainSubstring("validate: found ")), value)
		}
	})
})

var _ = Describe("The default of limits.definitions", func() {
	It("is the budget that the forms are made for", func() {
		Expect(domain.DefaultLimits().Definitions).To(BeEquivalentTo(definitions.DefaultBudget))
	})
})
