package arguments_test

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/arguments"
	"mcp-workbench/tests/fixtures/schemas"
)

// rounds is the number of random schemas that are tried.
const rounds = 1000

// validator compiles a schema with a library.
func validator(schema schemas.Object) *jsonschema.Resolved {
	GinkgoHelper()
	var parsed jsonschema.Schema
	Expect(json.Unmarshal([]byte(schemas.JSON(schema)), &parsed)).To(Succeed())
	resolved, err := parsed.Resolve(nil)
	Expect(err).NotTo(HaveOccurred(), schemas.JSON(schema))
	return resolved
}

var _ = Describe("With random schemas", func() {
	It("no valid arguments are refused, and most refusals of a library are seen", func() {
		valid, invalid, seen := 0, 0, 0
		random := schemas.New(uint64(GinkgoRandomSeed()))
		for range rounds {
			schema := random.ToolSchema()
			library := validator(schema)
			compiled := arguments.CompileSchema(definitionWith(schemas.JSON(schema)))
			for range 4 {
				text := schemas.JSON(random.Arguments(schema))
				problems := compiled.Check([]byte(text))
				var read any
				Expect(json.Unmarshal([]byte(text), &read)).To(Succeed())
				if library.Validate(read) != nil {
					invalid++
					seen += min(1, len(problems))
					continue
				}
				valid++
				Expect(problems).To(BeEmpty(), "%s\n%s", schemas.JSON(schema), text)
			}
		}
		Expect(valid).To(BeNumerically(">", rounds/2), "of %d", valid+invalid)
		Expect(seen).To(BeNumerically(">", invalid/2), "of %d", invalid)
	})
})
