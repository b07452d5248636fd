package rawjson_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The canonical form of JSON", func() {
	canonical := func(text string) string {
		GinkgoHelper()
		form := spec.Must(rawjson.Canonical([]byte(text)))
		return string(form)
	}

	It("is that of RFC 8785", func() {
		// The example of its section 3.2.3, and the numbers of 3.2.2.
		Expect(canonical(`{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
			"1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`)).To(Equal(
			`{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis",` +
				`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`))
		Expect(canonical(`[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, 1.0]`)).To(Equal(
			`[333333333.3333333,1e+30,4.5,0.002,1e-27,1]`))
	})

	DescribeTable("is the same however a text is written",
		func(first, other string) { Expect(canonical(first)).To(Equal(canonical(other))) },
		Entry("the order of members", `{"b":{"d":1,"c":2},"a":3}`, `{"a":3,"b":{"c":2,"d":1}}`),
		Entry("white space", "[ 1 ,\t{ \"a\" :\r\n null } ]", `[1,{"a":null}]`),
		Entry("escapes", `"\u00e9\/\u0041"`, `"é/A"`),
	)

	DescribeTable("differs where the meaning does",
		func(first, other string) { Expect(canonical(first)).NotTo(Equal(canonical(other))) },
		Entry("the order of elements", `[1,2]`, `[2,1]`),
		Entry("integers that are the same as doubles", `9007199254740993`, `9007199254740992`),
		Entry("numbers and texts", `1`, `"1"`),
		Entry("absent and null", `{}`, `{"a":null}`),
		Entry("the order of members of one name, of which the last counts for most", `{"a":1,"a":2}`, `{"a":2,"a":1}`),
		Entry("the same further inside", `[{"b":0,"x":{"a":1,"a":2}}]`, `[{"b":0,"x":{"a":2,"a":1}}]`),
	)

	It("keeps the digits of integers of any size", func() {
		Expect(canonical(`[12345678901234567890123,-9007199254740993]`)).To(Equal(`[12345678901234567890123,-9007199254740993]`))
	})

	It("changes no byte of what it is given", func() {
		text := []byte(`{"b":1, "a":2}`)

		Expect(rawjson.Canonical(text)).Error().NotTo(HaveOccurred())
		Expect(string(text)).To(Equal(`{"b":1, "a":2}`))
	})

	It("is its own canonical form", func() {
		for _, text := range []string{`{"b":1.0,"a":[1e3]}`, `{"b":1,"b":2,"a":"\u0001"}`, `"` + "\xff" + `"`} {
			Expect(canonical(canonical(text))).To(Equal(canonical(text)))
		}
	})

	It("refuses invalid JSON", func() {
		for _, text := range []string{``, `{`, `{"a":1}x`, `nul`} {
			_, err := rawjson.Canonical([]byte(text))
			Expect(err).To(MatchError(rawjson.ErrSyntax), text)
		}
	})
})
