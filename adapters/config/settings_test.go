package config_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
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

		configuration := spec.Must(config.Load(config.Options{Path: path, IdleTimeout: time.Hour}, transports()))
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

var _ = Describe("The key shared of a server", func() {
	DescribeTable("says whether hosts have one session with it",
		func(member string, shared bool) {
			configuration := load(withServer(`{"command":"x","idleTimeout":5,"start":"lazy"` + member + `}`))
			Expect(configuration.Catalog.Toolboxes()[0].Servers[0].Shared).To(Equal(shared))
		},
		Entry("they do not, when it is not given", ``, false),
		Entry("they do not", `,"shared":false`, false),
		Entry("they do", `,"shared":true`, true),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"true"`, `1`, `null`, `[true]`, `{}`} {
			Expect(problemsOf(withServer(`{"command":"x","shared":`+value+`}`))).To(ConsistOf(
				MatchRegexp(`\.fs\.shared: found .*, want true or false`)), value)
		}
	})

	It("is a key of servers only", func() {
		Expect(problemsOf(withRoot(`"shared":true`))).To(ConsistOf(ContainSubstring(`shared: unknown key "shared"`)))
		Expect(problemsOf(`{"toolboxes":{"dev":{"shared":true,"mcpServers":{"fs":{"command":"x"}}}}}`)).To(ConsistOf(
			ContainSubstring(`toolboxes.dev.shared: unknown key "shared"`)))
	})
})

var _ = Describe("The record of activity", func() {
	with := func(value string) string { return `{"activity":` + value + `,"toolboxes":{}}` }

	DescribeTable("is kept", func(content string, want domain.RecordSettings, environ ...string) {
		Expect(domain.RecordSettings(load(content, environ...).Activity)).To(Equal(want))
	},
		Entry("by default", `{"toolboxes":{}}`, domain.RecordSettings{MaxSize: 20 << 20, Days: 90}),
		Entry("if the file says so", with(`true`), domain.RecordSettings{MaxSize: 20 << 20, Days: 90}),
		Entry("not at all", with(`false`), domain.RecordSettings{Off: true, MaxSize: 20 << 20, Days: 90}),
		Entry("in another size", with(`{"maxSize":"5MiB"}`), domain.RecordSettings{MaxSize: 5 << 20, Days: 90}),
		Entry("for other days", with(`{"maxSize":65536,"days":"7"}`), domain.RecordSettings{MaxSize: 64 << 10, Days: 7}),
		Entry("by an empty object", with(`{}`), domain.RecordSettings{MaxSize: 20 << 20, Days: 90}),
		Entry("not at all by a variable", with(`{"days":7}`), domain.RecordSettings{Off: true, MaxSize: 20 << 20, Days: 7}, "WORKBENCH_ACTIVITY=false"),
		Entry("by a variable", with(`false`), domain.RecordSettings{MaxSize: 20 << 20, Days: 90}, "WORKBENCH_ACTIVITY=true"),
	)

	DescribeTable("is refused with", func(content, problem string) {
		Expect(problemsOf(content)).To(HaveExactElements(HaveSuffix(problem)))
	},
		Entry("a word", with(`"yes"`), `activity: found a string, want true, false or an object with "maxSize" and "days"`),
		Entry("a list", with(`[]`), `activity: found a list, want true, false or an object with "maxSize" and "days"`),
		Entry("an unknown key", with(`{"size":1}`), `activity.size: unknown key "size"; want "maxSize" or "days"`),
		Entry("too small a size", with(`{"maxSize":1}`), `activity.maxSize: found 1, want a size from "64KiB" to "1024MiB", or a number of bytes`),
		Entry("too large a size", with(`{"maxSize":"2000MiB"}`), `activity.maxSize: found "2000MiB", want a size from "64KiB" to "1024MiB", or a number of bytes`),
		Entry("zero days", with(`{"days":0}`), `activity.days: found 0, want a whole number from 1 to 3650`),
		Entry("a fraction of a day", with(`{"days":1.5}`), `activity.days: found 1.5, want a whole number from 1 to 3650`),
	)
})

var _ = Describe("The setting pinning", func() {
	It("is up to the lock file when it is not given", func() {
		Expect(load(`{"toolboxes":{}}`).Pinning).To(Equal(domain.PinDefault))
	})

	DescribeTable("can be",
		func(value string, policy domain.PinPolicy) {
			Expect(load(withRoot(`"pinning":"` + value + `"`)).Pinning).To(Equal(policy))
		},
		Entry(nil, "off", domain.PinOff),
		Entry(nil, "warn", domain.PinWarn),
		Entry(nil, "block", domain.PinBlock),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"on"`, `""`, `true`, `null`} {
			Expect(problemsOf(withRoot(`"pinning":`+value))).To(ConsistOf(ContainSubstring(`pinning: found `)), value)
		}
	})
})

var _ = Describe("The key pinned of a server", func() {
	DescribeTable("sets which members of its tools a lock contains",
		func(member string, scope domain.PinScope) {
			configuration := load(withServer(`{"command":"x"` + member + `}`))
			Expect(configuration.Catalog.Toolboxes()[0].Servers[0].Pinned).To(Equal(scope))
		},
		Entry("all of it, when it is not given", ``, domain.PinScope("")),
		Entry("all of it", `,"pinned":"definition"`, domain.PinDefinition),
		Entry("all but descriptions", `,"pinned":"schema"`, domain.PinSchema),
		Entry("all but defaults", `,"pinned":"no-defaults"`, domain.PinNoDefaults),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"schemas"`, `""`, `true`, `null`, `["schema"]`} {
			Expect(problemsOf(withServer(`{"command":"x","pinned":`+value+`}`))).To(ConsistOf(
				MatchRegexp(`\.fs\.pinned: found .*, want "definition", "schema" or "no-defaults"`)), value)
		}
	})
})

var _ = Describe("The setting packages", func() {
	It("defaults to using pinned versions", func() {
		Expect(load(`{"toolboxes":{}}`).Packages).To(Equal(domain.PackagesPinned))
	})

	DescribeTable("can be",
		func(value string, policy domain.PackagePolicy) {
			Expect(load(withRoot(`"packages":"` + value + `"`)).Packages).To(Equal(policy))
		},
		Entry(nil, "off", domain.PackagesOff),
		Entry(nil, "pinned", domain.PackagesPinned),
		Entry(nil, "locked", domain.PackagesLocked),
	)

	It("is refused when it is anything else", func() {
		for _, value := range []string{`"on"`, `"block"`, `""`, `true`, `null`, `{"npm":"locked"}`} {
			Expect(problemsOf(withRoot(`"packages":`+value))).To(ConsistOf(ContainSubstring(`packages: found `)), value)
		}
	})
})

var _ = Describe("The registry", func() {
	DescribeTable("is", func(inFile, flag string, environ []string, settings string) {
		options := config.Options{Path: write("c.json", withRoot(inFile)), Environ: append(environ, "TOKEN=secret-of-t")}.With(config.Flags{Registry: flag})
		options.Path = write("c.json", withRoot(inFile))
		configuration := spec.Must(config.Load(options, transports()))
		Expect(configuration.Registry.Off).To(Equal(settings == ""))
		Expect(string(configuration.Registry.Server.Settings)).To(Equal(settings))
	},
		Entry("the official one", `"logLevel":"warn"`, "", nil, `{"url":"https://registry.modelcontextprotocol.io"}`),
		Entry("that of the file", `"registry":"https://r.example"`, "", nil, `{"url":"https://r.example"}`),
		Entry("none", `"registry":false`, "", nil, ``),
		Entry("that of the file with its headers", `"registry":{"url":"https://r.example","headers":{"Authorization":"Bearer ${TOKEN}"}}`, "", nil,
			`{"url":"https://r.example","headers":{"Authorization":"Bearer secret-of-t"}}`),
		Entry("that of the variable, which gets no headers of another one", `"registry":{"url":"https://r.example","headers":{"Authorization":"Bearer ${TOKEN}"}}`, "",
			[]string{"WORKBENCH_REGISTRY=https://v.example"}, `{"url":"https://v.example"}`),
		Entry("that of the flag before that of the variable", `"registry":false`, "http://127.0.0.1:1", []string{"WORKBENCH_REGISTRY=https://v.example"}, `{"url":"http://127.0.0.1:1"}`),
		Entry("none for the variable", `"registry":"https://r.example"`, "", []string{"WORKBENCH_REGISTRY=false"}, ``),
	)

	It("is not asked without a variable of its headers", func() {
		configuration := load(withRoot(`"registry":{"url":"https://r.example","headers":{"Authorization":"Bearer ${GONE}"}}`))

		Expect(configuration.Registry.Server.Unset.Variable).To(Equal("GONE"))
		Expect(configuration.Warnings).To(ContainElement(HaveField("Message", ContainSubstring("the registry cannot be asked"))))
	})

	DescribeTable("is wrong", func(inFile, problem string) {
		Expect(problemsOf(withRoot(inFile))).To(ContainElement(ContainSubstring(problem)))
	},
		Entry(nil, `"registry":true`, `registry: found true, want an address or false`),
		Entry(nil, `"registry":"ftp://x"`, `registry: found "ftp://x", want an address or false`),
		Entry(nil, `"registry":{"headers":{}}`, `registry.url: found nothing`),
		Entry(nil, `"registry":{"url":"https://x","header":{}}`, `registry.header: unknown key "header"; did you mean 'headers'?`),
		Entry(nil, `"registry":{"url":"https://x","headers":1}`, `registry.headers: found a number, want an object of strings`),
		Entry(nil, `"registry":{"url":"https://x","headers":{"A":1}}`, `registry.headers.A: found a number, want a string`),
	)

	It("is where the settings of a server may come from", func() {
		from := server(load(withServer(`{"command":"x","from":{"registry":"io.github.o/s","version":"1.0.0"}}`))).From

		Expect(from.Registry).To(Equal("io.github.o/s"))
		Expect(from.Version).To(Equal("1.0.0"))
		Expect(problemsOf(withServer(`{"command":"x","from":{"registry":"a"}}`))).To(ContainElement(ContainSubstring(`from.version: found nothing`)))
	})
})

var _ = DescribeTable("The keys of the root that",
	func(trait keys.Trait, names string) {
		Expect(config.RootKeysWith(trait)).To(ConsistOf(strings.Fields(names)))
	},
	Entry("protect nothing", keys.Free, `logLevel logFile telemetryParent toolMode definitions results start idleTimeout
		openOnUse findTool readTool background projects include`),
	Entry("are read at the start only", keys.Start, "logFile telemetryParent toolMode openOnUse findTool apps skills status activity background"),
)

var _ = It("A setting that is read at the start only is compared by a text of its value", func() {
	seen := map[string]string{}
	load(`{"toolboxes":{},"toolMode":"dynamic","skills":false,"background":{"linger":"7m"}}`).ReadAtStart(func(key, value string) { seen[key] = value })

	Expect(seen).To(And(HaveLen(16), HaveKeyWithValue("toolMode", "dynamic"), HaveKeyWithValue("skills", "false"),
		HaveKeyWithValue("background", ContainSubstring("7m0s")), HaveKey("limits.messageSize")))
})
