package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
)

var _ = DescribeTable("The name of a server of the registry is the part that says something",
	func(published, name string) { Expect(setup.PublishedName(published)).To(Equal(name)) },
	Entry(nil, "io.github.octo/files", "files"), Entry(nil, "com.100hires/100hires", "100hires"),
	Entry(nil, "io.github.1clickreport/mcp", "1clickreport"), Entry(nil, "io.github.octo/mcp-server", "octo"),
	Entry(nil, "com.1inch.business/mcp", "1inch"), Entry(nil, "io.0xarchive/mcp", "0xarchive"), Entry(nil, "uk.co.example/mcp", "example"),
	Entry(nil, "example/mcp", "mcp"), Entry(nil, "mcp", "mcp"),
)
