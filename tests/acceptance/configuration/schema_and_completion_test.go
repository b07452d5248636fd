package configuration_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The schema of the configuration", func() {
	// Every feature that gives the program a configuration compares the schema with what
	// the program says about it (workbenchtest).
	It("is JSON Schema 2020-12 that explains every key", func() {
		outcome := Run(Launch{Args: []string{"schema"}})
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stderr).To(BeEmpty())
		var root any
		Expect(json.Unmarshal([]byte(outcome.Stdout), &root)).To(Succeed())
		Expect(root).To(HaveKeyWithValue("$schema", "https://json-schema.org/draft/2020-12/schema"))
		Expect(root).To(HaveKey("examples"))

		explained := 0
		var walk func(value any)
		walk = func(value any) {
			switch value := value.(type) {
			case []any:
				for _, element := range value {
					walk(element)
				}
			case map[string]any:
				properties, _ := value["properties"].(map[string]any)
				if value["additionalProperties"] == false {
					for key, property := range properties {
						Expect(property).To(Or(HaveKey("description"), HaveKeyWithValue("deprecated", true)), key)
						explained++
					}
				}
				for _, member := range value {
					walk(member)
				}
			}
		}
		walk(root)
		Expect(explained).To(BeNumerically(">", 40))
		Expect(outcome.Stdout).To(ContainSubstring(`"description": "How long a call can take in all, however much progress it reports."`))
	})

	It("needs no configuration, and takes no arguments", func() {
		Expect(Run(Launch{Config: "{", Args: []string{"schema"}}).Code).To(Equal(0))
		Expect(Run(Launch{Args: []string{"schema", "more"}}).Code).To(Equal(2))
	})
})

var _ = Describe("Completion in a shell", func() {
	It("is printed for each shell", func() {
		for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
			outcome := Run(Launch{Args: []string{"completion", shell}})
			Expect(outcome.Code).To(Equal(0))
			Expect(outcome.Stdout).To(ContainSubstring("mcp-workbench"))
		}
	})

	DescribeTable("is a usage error that names the shells, without one or for another", func(message string, args ...string) {
		outcome := Run(Launch{Args: append([]string{"completion"}, args...)})

		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stdout).To(BeEmpty())
		Expect(outcome.Stderr).To(Equal("mcp-workbench: " + message + "bash, fish, powershell, zsh\nSee 'mcp-workbench completion --help'.\n"))
	},
		Entry(nil, `unknown shell "tcsh": use one of `, "tcsh"),
		Entry(nil, `name a shell: `),
	)
})
