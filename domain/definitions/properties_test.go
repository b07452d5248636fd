package definitions_test

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/fixtures/schemas"
)

// rounds is the number of random schemas that a property is tried with.
const rounds = 1000

// forRandomSchemas tries a property with many schemas, made from the seed of the run.
func forRandomSchemas(try func(random schemas.Random, schema schemas.Object)) {
	GinkgoHelper()
	random := schemas.New(uint64(GinkgoRandomSeed()))
	for range rounds {
		try(random, random.ToolSchema())
	}
}

// validator compiles a schema with a library.
func validator(schema schemas.Object) *jsonschema.Resolved {
	GinkgoHelper()
	var parsed jsonschema.Schema
	Expect(json.Unmarshal([]byte(schemas.JSON(schema)), &parsed)).To(Succeed())
	resolved, err := parsed.Resolve(nil)
	Expect(err).NotTo(HaveOccurred(), schemas.JSON(schema))
	return resolved
}

// again reads JSON as a validator wants it.
func again(v any) any {
	var read any
	Expect(json.Unmarshal([]byte(schemas.JSON(v)), &read)).To(Succeed())
	return read
}

var _ = Describe("With random schemas", func() {
	It("every required name is in the signature, which shows nothing hidden and is never longer than the definition", func() {
		forRandomSchemas(func(_ schemas.Random, schema schemas.Object) {
			tool := toolWith(schemas.JSON(schema))
			for _, prose := range []bool{true, false} {
				signature := definitions.Signature(tool, prose)
				read := readSignature(signature)

				for _, name := range requiredBy(schema) {
					Expect(read.required()).To(ContainElement(name), "%s\n%s", signature, tool.Definition)
				}
				Expect(strings.ContainsFunc(signature, unicode.IsControl)).To(BeFalse(), signature)
				Expect(len(signature)).To(BeNumerically("<=", len(tool.Definition)), signature)
			}
		})
	})

	It("a signature that is read again accepts what the schema accepts", func() {
		valid, refused := 0, 0
		forRandomSchemas(func(random schemas.Random, schema schemas.Object) {
			library := validator(schema)
			signature := definitions.Signature(toolWith(schemas.JSON(schema)), random.IntN(2) == 0)
			read := readSignature(signature)
			for range 4 {
				arguments := again(random.Arguments(schema))
				accepted := read.accepts(arguments)
				if library.Validate(arguments) != nil {
					if !accepted {
						refused++
					}
					continue
				}
				valid++
				Expect(accepted).To(BeTrue(), "%s\n%s\n%s", signature, schemas.JSON(schema), schemas.JSON(arguments))
			}
		})
		Expect(valid).To(BeNumerically(">", rounds/2))
		Expect(refused).To(BeNumerically(">", rounds/10), "a reader that accepts everything proves nothing")
	})
})

// requiredBy returns the names that a schema requires, as they are shown.
func requiredBy(schema schemas.Object) []string {
	var names []string
	list, _ := schema["required"].([]any)
	for _, name := range list {
		names = append(names, domain.ShownText(name.(string)))
	}
	parts, _ := schema["allOf"].([]any)
	for _, part := range parts {
		names = append(names, requiredBy(part.(schemas.Object))...)
	}
	return names
}
