package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

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
