package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = DescribeTable("A name in another normal form of Unicode means", func(name, meant string, existing ...string) {
	Expect(domain.Spelled(name, existing)).To(Equal(meant))
},
	Entry("the composed name", "cre\u0301er", "cr\u00e9er", "x", "cr\u00e9er", "cr\u00e9er"),
	Entry("the decomposed name", "cr\u00e9er", "cre\u0301er", "cre\u0301er"),
	Entry("itself, if there is such a name", "cr\u00e9er", "cr\u00e9er", "cre\u0301er", "cr\u00e9er"),
	Entry("nothing, if there are several", "\u1e09", "\u1e09", "c\u0327\u0301", "\u00e7\u0301"),
	Entry("nothing that only looks like it", "\uff43\u00e9", "\uff43\u00e9", "c\u00e9"),
)

var _ = It("A place is found by names in another normal form of Unicode", func() {
	places := domain.Places{Toolboxes: []domain.ToolboxName{"cre\u0301er"}, Servers: []domain.ServerID{{Toolbox: "cre\u0301er", Server: "a/e\u0301"}}}

	Expect(places.Find("cr\u00e9er/a/\u00e9/x", nil)).To(Equal(domain.Place{Toolbox: "cre\u0301er", Server: "a/e\u0301", Tool: "x"}))
})
