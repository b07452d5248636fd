package safefile_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/safefile"
)

var _ = DescribeTable("A user namespace", Label("TT04"), func(mapped string, hasUser bool) {
	Expect(safefile.HasUser(mapped, 65534)).To(Equal(hasUser))
},
	Entry("of a machine has all users", "         0          0 4294967295\n", true),
	Entry("of a sandbox has one", "      1000       1000          1\n", false),
	Entry("of a container has a range of them", "         0       1000          1\n         1     100000      65536\n", true),
	Entry("of a small container has a short range", "         0       1000          1\n         1     100000       1000\n", false),
	Entry("that cannot be read has all", "?\n", true),
)
