package wording_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// toolbox returns a toolbox with servers of these names.
func toolbox(name domain.ToolboxName, servers ...domain.ServerName) domain.Toolbox {
	dev := domain.Toolbox{Name: name}
	for _, server := range servers {
		dev.Servers = append(dev.Servers, domain.Server{ID: domain.ServerID{Toolbox: name, Server: server}})
	}
	return dev
}

var _ = Describe("The instructions for a host that passes on all of them", func() {
	build := func(toolboxes ...domain.Toolbox) string {
		return wording.Instructions(wording.Host{}, domain.Instructions{Toolboxes: toolboxes})
	}

	It("lists the toolboxes in the order of the configuration", func() {
		development := toolbox("development", "files", "db")
		development.Description = "Development environment tools"

		Expect(build(development, toolbox("production", "db"), toolbox("empty"))).To(Equal(
			`## Available Toolboxes

- **development** (2 servers): Development environment tools
  - Use ` + "`open_toolbox`" + ` with toolbox name to access

- **production** (1 server): No description provided
  - Use ` + "`open_toolbox`" + ` with toolbox name to access

- **empty** (0 servers): No description provided
  - Use ` + "`open_toolbox`" + ` with toolbox name to access

To open a toolbox and see available tools:
1. Call ` + "`open_toolbox`" + ` with the desired toolbox name
2. Inspect the returned tools array for available operations`))
	})

	It("says how to configure toolboxes when there are none", func() {
		Expect(build()).To(Equal(`No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`))
	})

	It("shows names and descriptions verbatim", func() {
		dev := toolbox("a.b c", "files")
		dev.Description = "50% *off* `now`\nand later"

		Expect(build(dev)).To(ContainSubstring("- **a.b c** (1 server): 50% *off* `now`\nand later\n"))
	})
})
