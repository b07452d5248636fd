package main

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A range of versions", func() {
	// The package semver of npm says the same, but for the last one, which it refuses.
	DescribeTable("has a version in it, or not", func(wanted, version string, want bool) {
		parsed, given := parseVersion(version)
		Expect(given).To(Equal(3))
		Expect(satisfies(parsed, wanted)).To(Equal(want))
	},
		Entry(nil, ">=18", "v18.0.0", true),
		Entry(nil, ">=18", "v16.20.2", false),
		Entry(nil, ">= 18.17", "18.16.9", false),
		Entry(nil, ">18", "18.5.0", false),
		Entry(nil, ">18", "19.0.0", true),
		Entry(nil, "^18.2.0 || >=20", "18.1.0", false),
		Entry(nil, "^18.2.0 || >=20", "18.9.0", true),
		Entry(nil, "^18.2.0 || >=20", "19.0.0", false),
		Entry(nil, "^18.2.0 || >=20", "22.1.0", true),
		Entry(nil, "^0.3.1", "0.4.0", false),
		Entry(nil, "^0.3.1", "0.3.9", true),
		Entry(nil, "~20.1", "20.1.7", true),
		Entry(nil, "~20.1", "20.2.0", false),
		Entry(nil, ">=20.19.0 <22 || >=22.12.0", "22.3.0", false),
		Entry(nil, ">=20.19.0 <22 || >=22.12.0", "22.12.0", true),
		Entry(nil, "18 - 20", "20.9.9", true),
		Entry(nil, "18 - 20", "21.0.0", false),
		Entry(nil, "18.x", "18.9.1", true),
		Entry(nil, "18", "19.0.0", false),
		Entry(nil, "<=20", "20.5.0", true),
		Entry(nil, "*", "4.0.0", true),
		Entry(nil, "", "4.0.0", true),
		Entry(nil, "lts/*", "4.0.0", true),
	)

	It("is about what a program prints", func() {
		version, given := parseVersion("Python 3.9.2\n")
		Expect(version).To(Equal(programVersion{3, 9, 2}))
		Expect(given).To(Equal(3))
		_, given = parseVersion("unknown")
		Expect(given).To(BeZero())
	})
})
