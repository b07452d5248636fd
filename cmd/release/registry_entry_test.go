package main

import (
	"encoding/json"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/google/jsonschema-go/jsonschema"

	"mcp-workbench/tests/spec"
)

var _ = Describe("The entry of the MCP registry", func() {
	// The schema that the registry publishes.
	schema := func() *jsonschema.Resolved {
		GinkgoHelper()
		text := spec.Must(os.ReadFile("testdata/server.schema.json"))
		var schema jsonschema.Schema
		Expect(json.Unmarshal(text, &schema)).To(Succeed())
		return spec.Must(schema.Resolve(nil))
	}

	It("fits the schema of the registry", func() {
		Expect(schema().Validate(jsonFile(scripted().file("server.json")))).To(Succeed())
	})

	It("would not fit with a longer description", func() {
		entry := jsonFile(scripted().file("server.json"))
		entry["description"] = string(make([]byte, 101))
		Expect(schema().Validate(entry)).NotTo(Succeed())
	})

	It("names the bundles with their sums, and the launcher in the same version", func() {
		r := scripted()
		text := string(r.file("server.json"))
		for _, p := range platforms {
			sum := spec.Must(r.Sum(r.Bundle(p)))
			Expect(text).To(And(ContainSubstring(sum), ContainSubstring(r.Download(r.Bundle(p)))))
		}
		Expect(text).To(ContainSubstring(`"identifier": "mcp-workbench"`))
	})
})
