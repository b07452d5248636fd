package hosts_test

import (
	"encoding/json"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The schema that init writes beside the configuration", func() {
	const ownSchema = ".config/mcp-workbench/workbench-config.schema.json"
	var home HomeFolder
	BeforeEach(func() { home = NewHomeFolder() })

	It("equals the one that the program prints, and the configuration names it", func() {
		outcome := home.Run("init")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("with its JSON Schema, for editors: " + home.Path(ownSchema)))
		Expect(home.Content(ownSchema)).To(Equal(Run(Launch{Args: []string{"schema"}}).Stdout))
		Expect(home.Content(OwnConfiguration)).To(HavePrefix("{\n  \"$schema\": \"./workbench-config.schema.json\",\n"))
		validated := home.Run("validate", "--config", home.Path(OwnConfiguration))
		Expect(validated.Code).To(Equal(0))
		Expect(validated.Stdout).To(HavePrefix(home.Path(OwnConfiguration)+": ok"), "nothing is said about the key")
		info, err := os.Stat(home.Path(OwnConfiguration))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o600))
	})

	It("is named after the configuration, with a reference that editors can follow", func() {
		outcome := home.Run("init", "--json", "--config", "my servers.json")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		var result struct{ Schema, Diff string }
		Expect(json.Unmarshal([]byte(outcome.Stdout), &result)).To(Succeed())
		Expect(result.Schema).To(Equal(home.Path("work/my servers.schema.json")))
		Expect(result.Schema).To(BeARegularFile())
		Expect(result.Diff).To(ContainSubstring(`+  "$schema": "./my%20servers.schema.json",`))
	})

	It("is shown and not written with --dry-run", func() {
		outcome := home.Run("init", "--dry-run")

		Expect(outcome.Stdout).To(ContainSubstring(home.Path(ownSchema)))
		Expect(outcome.Stdout).To(ContainSubstring(`+  "$schema": "./workbench-config.schema.json",`))
		Expect(home.Path(ownSchema)).NotTo(BeAnExistingFile())
	})

	It("replaces an older one", func() {
		home.File(ownSchema, `{"title": "Configuration of MCP Workbench", "description": "of last year"}`)

		Expect(home.Run("init").Code).To(Equal(0))

		Expect(home.Content(ownSchema)).NotTo(ContainSubstring("of last year"))
		Expect(home.Content(OwnConfiguration)).To(ContainSubstring("$schema"))
	})

	DescribeTable("leaves a file that it did not write alone, and the configuration names no schema", func(text string) {
		home.File(ownSchema, text)

		outcome := home.Run("init")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("is not the schema of this program and stays as it is"))
		Expect(home.Content(ownSchema)).To(Equal(text))
		Expect(home.Content(OwnConfiguration)).NotTo(ContainSubstring("$schema"))
	},
		Entry("another schema", `{"title": "Something else"}`),
	)

	It("is not left behind when the configuration cannot be written", func() {
		home.File(".config/Claude/claude_desktop_config.json", claudeDesktopFile)
		terminal := OnTerminal(home.Launch("init"), 500, nil)
		terminal.AwaitShown("Which servers go into toolboxes?")
		terminal.Type("\r")
		terminal.AwaitShown("in the background? [y/N] ")
		terminal.Type("\r")
		terminal.AwaitShown("Write")
		home.File(OwnConfiguration, "// written by another program meanwhile")

		terminal.Type("y\r")

		Expect(terminal.End()).To(Equal(1))
		Expect(terminal.Shown()).To(ContainSubstring("the file changed meanwhile"))
		Expect(home.Path(ownSchema)).NotTo(BeAnExistingFile())
	})
})
