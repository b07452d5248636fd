package definitions_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// rounds is how many random schemas a property is tried with.
const rounds = 1000

// forRandomSchemas tries a property with many schemas, made from the seed of the run.
func forRandomSchemas(try func(c chance, schema object)) {
	GinkgoHelper()
	c := chance{rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 1))}
	for range rounds {
		try(c, c.toolSchema())
	}
}

// validator compiles a schema with a library.
func validator(schema object) *jsonschema.Resolved {
	GinkgoHelper()
	var parsed jsonschema.Schema
	Expect(json.Unmarshal([]byte(jsonOf(schema)), &parsed)).To(Succeed())
	resolved, err := parsed.Resolve(nil)
	Expect(err).NotTo(HaveOccurred(), jsonOf(schema))
	return resolved
}

// again reads JSON as a validator wants it.
func again(v any) any {
	var read any
	Expect(json.Unmarshal([]byte(jsonOf(v)), &read)).To(Succeed())
	return read
}

var _ = Describe("With random schemas", func() {
	It("no valid arguments are refused, and most refusals of a library are seen", func() {
		valid, invalid, seen := 0, 0, 0
		forRandomSchemas(func(c chance, schema object) {
			library := validator(schema)
			compiled := definitions.CompileSchema(toolWith(jsonOf(schema)).Definition)
			for range 4 {
				arguments := c.objectFor(schema, schema, 6)
				problems := compiled.Check([]byte(jsonOf(arguments)))
				if library.Validate(again(arguments)) != nil {
					invalid++
					seen += min(1, len(problems))
					continue
				}
				valid++
				Expect(problems).To(BeEmpty(), "%s\n%s", jsonOf(schema), jsonOf(arguments))
			}
		})
		Expect(valid).To(BeNumerically(">", rounds/2), "of %d", valid+invalid)
		Expect(seen).To(BeNumerically(">", invalid/2), "of %d", invalid)
	})

	It("every required name is in the signature, which shows nothing hidden and is never longer than the definition", func() {
		forRandomSchemas(func(_ chance, schema object) {
			tool := toolWith(jsonOf(schema))
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
		forRandomSchemas(func(c chance, schema object) {
			library := validator(schema)
			signature := definitions.Signature(toolWith(jsonOf(schema)), c.IntN(2) == 0)
			read := readSignature(signature)
			for range 4 {
				arguments := again(c.objectFor(schema, schema, 6))
				accepted := read.accepts(arguments)
				if library.Validate(arguments) != nil {
					if !accepted {
						refused++
					}
					continue
				}
				valid++
				Expect(accepted).To(BeTrue(), "%s\n%s\n%s", signature, jsonOf(schema), jsonOf(arguments))
			}
		})
		Expect(valid).To(BeNumerically(">", rounds/2))
		Expect(refused).To(BeNumerically(">", rounds/10), "a reader that accepts everything proves nothing")
	})
})

// requiredBy returns the names that a schema requires, as they are shown.
func requiredBy(schema object) []string {
	var names []string
	list, _ := schema["required"].([]any)
	for _, name := range list {
		names = append(names, domain.ShownText(name.(string)))
	}
	parts, _ := schema["allOf"].([]any)
	for _, part := range parts {
		names = append(names, requiredBy(part.(object))...)
	}
	return names
}
