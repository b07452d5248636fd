package config_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("The record of activity", func() {
	with := func(value string) string { return `{"activity":` + value + `,"toolboxes":{}}` }

	DescribeTable("is kept", func(content string, want domain.RecordSettings, environ ...string) {
		Expect(load(content, environ...).Activity).To(Equal(want))
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
