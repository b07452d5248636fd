package masking_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/masking"
)

var _ = DescribeTable("The variable of a server is shown", func(name, value, shown string) {
	Expect(masking.ShownVariable(name, value)).To(Equal(shown))
},
	Entry("if it is no secret", "LEVEL", "2", "2"),
	Entry("without its secret", "API_KEY", "a${B}", "a${B}"),
	Entry("without all of it", "API_KEY", "abc", "•••"),
	Entry("if it decides about code", "NODE_OPTIONS", "-r ./token", "-r ./token"),
)
