package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A variable of the environment", func() {
	DescribeTable("decides about code", func(name, decides string) {
		Expect(domain.CodeVariable(name)).To(Equal(decides))
	},
		Entry(nil, "NODE_OPTIONS", "names code that Node loads"),
		Entry(nil, "Path", "names folders of programs"),
		Entry(nil, "LD_AUDIT", "names libraries that every program loads"),
		Entry(nil, "PYTHONSTARTUP", "names code that Python loads"),
		Entry(nil, "npm_config_script_shell", "sets where npm fetches packages and what it runs"),
		Entry(nil, "ENV", "names a file that shells run"),
		Entry("or only holds data", "env", ""),
		Entry("or a secret", "UV_PUBLISH_TOKEN", ""),
		Entry("or a secret of npm", "npm_config_//registry.npmjs.org/:_authToken", ""),
		Entry("or nothing of the kind", "GITHUB_TOKEN", ""),
	)
})
