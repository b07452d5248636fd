package streamablehttp_test

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/streamablehttp"
)

var _ = Describe("Headers that repeat arguments", func() {
	// Schemas that mcp-go reads as a whole: it gives up one that has a boolean as a schema.
	annotations := []string{`"A"`, `"a"`, `"B-1"`, `"C C"`, `""`, `7`, `null`}
	types := []string{`"string"`, `"integer"`, `"boolean"`, `"number"`, `"object"`, `["string","integer"]`, `["string","null"]`, `[]`}
	var schema func(chance *rand.Rand, depth int) string
	schema = func(chance *rand.Rand, depth int) string {
		text := `{"type":` + types[chance.IntN(len(types))]
		if depth > 0 && chance.IntN(2) == 0 {
			text += `,"x-mcp-header":` + annotations[chance.IntN(len(annotations))]
		}
		if depth < 3 && chance.IntN(3) > 0 {
			text += `,"properties":{"p":` + schema(chance, depth+1) + `,"q":` + schema(chance, depth+1) + `}`
		}
		return text + "}"
	}
	values := []string{`"x"`, `" x"`, `"é"`, `true`, `1`, `-1.0`, `1e3`, `1.5`, `9007199254740992`, `null`, `[1]`, `{"p":"in","q":2}`, `{"p":{"p":"deep"}}`}

	It("are those of mcp-go, and so are the schemas that are refused", func() {
		chance := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 2))
		accepted := 0
		for range 3_000 {
			raw := json.RawMessage(schema(chance, 0))
			arguments := `{"p":` + values[chance.IntN(len(values))] + `,"q":` + values[chance.IntN(len(values))] + `}`
			tool := &mcp.Tool{Name: "a", RawInputSchema: raw}

			headers, err := streamablehttp.ArgumentHeaders(raw, json.RawMessage(arguments))

			Expect(err != nil).To(Equal(mcp.ValidateParamHeaderAnnotations(tool) != nil), "%s: %v", raw, err)
			if err != nil {
				continue
			}
			accepted++
			theirs := mcp.GenerateParamHeaders(tool, json.RawMessage(`{"name":"a","arguments":`+arguments+`}`))
			if len(theirs) == 0 {
				Expect(headers).To(BeEmpty(), "%s", raw)
			} else {
				Expect(headers).To(Equal(theirs), "%s of %s", raw, arguments)
			}
		}
		Expect(accepted).To(BeNumerically(">", 100))
	})
})
