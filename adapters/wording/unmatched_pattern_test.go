package wording_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

var _ = DescribeTable("A pattern that matches no tool is named with its place and what was probably meant",
	func(place domain.PatternPlace, nearest []string, text string) {
		place.Key, place.Pattern.Text = "confirm", "pu\x07sh"
		Expect(wording.UnmatchedPattern(domain.UnmatchedPattern{PatternPlace: place, Nearest: nearest})).To(Equal(text))
	},
	Entry("in the root", domain.PatternPlace{}, nil, `"confirm" names 'pu\u0007sh', which matches no tool`),
	Entry("in a toolbox", domain.PatternPlace{Toolbox: "dev"}, []string{"push"},
		`"confirm" of toolbox 'dev' names 'pu\u0007sh', which matches no tool; did you mean 'push'?`),
	Entry("in a server", domain.PatternPlace{Toolbox: "dev", Server: "git"}, []string{"push", "pull"},
		`"confirm" of server 'git' in toolbox 'dev' names 'pu\u0007sh', which matches no tool; did you mean 'push' or 'pull'?`),
)
