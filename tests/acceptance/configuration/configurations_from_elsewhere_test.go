package configuration_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// Configurations that were written for the program's forerunner, and for hosts.
var _ = Describe("Taking over a configuration", Label("G07"), func() {
	DescribeTable("accepts", func(text, counts string) {
		outcome := Run(Launch{Config: text, Args: []string{"validate"}})

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(ContainSubstring("ok (" + counts + ")\n"))
	},
		Entry("one toolbox with a description", `{"toolboxes": {"main": {"description": "Main toolbox", "mcpServers": {
			"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"]}}}}}`,
			"toolboxes: 1, servers: 1"),
		Entry("keys that hosts add", `{"toolboxes": {"dev": {"mcpServers": {"s": {"type": "stdio", "command": "node", "disabled": false, "autoApprove": []}}}}}`,
			"toolboxes: 1, servers: 1"),
	)

	DescribeTable("refuses, with what to write,", func(text, want string) {
		outcome := Run(Launch{Config: text, Args: []string{"validate"}})

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stdout).To(ContainSubstring(want))
	},
		Entry("the file of a host",
			`{"mcpServers": {"memory": {"command": "node"}}}`, `want it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`),
		Entry("a toolbox with its servers under another key",
			`{"toolboxes": {"dev": {"servers": {"s": {"command": "node"}}}}}`, `did you mean 'mcpServers'?`),
		Entry("a name with two underscores",
			`{"toolboxes": {"my__dev": {"mcpServers": {"s": {"command": "node"}}}}}`, `want a name without "__"`),
		Entry("the list of tools under another key",
			`{"toolboxes": {"dev": {"mcpServers": {"s": {"command": "node", "toolFilter": ["a"]}}}}}`, `did you mean 'toolFilters'?`),
	)
})
