package doctor

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A version", func() {
	// The package semver of npm says the same (minVersion), but for the last two, which it refuses.
	DescribeTable("is the oldest in a range", func(wanted, want string) {
		Expect(oldest(wanted).String()).To(Equal(want))
	},
		Entry(nil, ">=18", "18.0.0"),
		Entry(nil, ">= 18.17", "18.17.0"),
		Entry(nil, "^18.2.0 || >=20", "18.2.0"),
		Entry(nil, ">=20 || ^18.2.0", "18.2.0"),
		Entry(nil, "^0.3.1", "0.3.1"),
		Entry(nil, "~20.1", "20.1.0"),
		Entry(nil, ">=20.19.0 <22 || >=22.12.0", "20.19.0"),
		Entry(nil, "<22 >=20.19.0", "20.19.0"),
		Entry(nil, "18 - 20", "18.0.0"),
		Entry(nil, "18.x", "18.0.0"),
		Entry(nil, "v18.1.2", "18.1.2"),
		Entry(nil, "<=20", "0.0.0"),
		Entry(nil, "< 20 || >=22", "0.0.0"),
		Entry(nil, "*", "0.0.0"),
		Entry(nil, "", "0.0.0"),
		Entry(nil, "lts/*", "0.0.0"),
		Entry(nil, ">=18 || lts/*", "0.0.0"),
	)

	It("is found in the output of a program", func() {
		python, ok := parseVersion("Python 3.9.2\n")
		Expect(ok).To(BeTrue())
		Expect(python).To(Equal(version{3, 9, 2}))
		Expect(python.compare(oldest(">=3.10"))).To(BeNumerically("<", 0))
		_, ok = parseVersion("unknown")
		Expect(ok).To(BeFalse())
		_, ok = parseVersion("build 7")
		Expect(ok).To(BeFalse())
	})
})
