package selection_test

import (
	"bytes"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/selection"
)

var _ = Describe("The lines of a result", func() {
	It("are those of its values if it is JSON without line ends", func() {
		elements := strings.Repeat(`{"a":1,"b":"x"},`, 500)

		Expect(selection.InLines([]byte(`{"structuredContent":[` + elements + `0]}`))).To(HavePrefix("[\n{\n\"a\": 1,\n\"b\": \"x\"\n},\n{"))
	})

	It("take memory that does not grow with the depth of JSON", func() {
		deep := strings.Repeat("[", 9000) + strings.Repeat("1,", 5000) + "1" + strings.Repeat("]", 9000)

		Expect(len(selection.InLines([]byte(`{"structuredContent":` + deep + `}`)))).To(BeNumerically("<", 3*len(deep)))
	})

	It("take time that does not grow with the depth of JSON", Label("SH05", "large"), func() {
		const depth = 9000
		deep := strings.Repeat("[", depth) + strings.Repeat("[1],", 3_000_000) + "1" + strings.Repeat("]", depth)

		Expect(strings.Count(selection.InLines([]byte(`{"structuredContent":`+deep+`}`)), "\n")).To(BeNumerically(">", 9_000_000))
	})

	DescribeTable("of JSON are those of json.Indent", func(value string) {
		var wanted bytes.Buffer
		Expect(json.Indent(&wanted, []byte(value), "", "")).To(Succeed())

		Expect(string(selection.AppendLines(nil, json.RawMessage(value)))).To(Equal(wanted.String()))
	},
		Entry(nil, `{}`), Entry(nil, `[]`), Entry(nil, `[ ]`), Entry(nil, `[[],{}, [ [ ] ]]`), Entry(nil, `"a"`),
		Entry(nil, `{"a" : [1, -2.50e+10 ,true,null] , "b\"}{]:,\\" : {"c":"\\"}}`),
		Entry(nil, "{\n\t\"a\": {\r\n \"b\": [\n1,\n2 ]}}"),
	)
})
