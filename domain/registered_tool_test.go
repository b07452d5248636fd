package domain_test

import (
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("The name under which a tool is registered", func() {
	legal := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	named := func(toolbox domain.ToolboxName, server domain.ServerName, tool string) string {
		id := domain.ServerID{Toolbox: toolbox, Server: server}
		return domain.RegisteredName(id, domain.ToolInfo{Name: tool, Shown: domain.ShownText(tool)})
	}

	DescribeTable("is toolbox, server and tool to the letter, if hosts take that", func(tool, want string) {
		Expect(named("dev", "files", tool)).To(Equal(want))
	},
		Entry("a plain name", "read_file", "dev__files_read_file"),
		Entry("underscores", "__x__", "dev__files___x__"),
		Entry("dashes, digits and upper case", "Get-2", "dev__files_Get-2"),
		Entry("46 characters", strings.Repeat("t", 35), "dev__files_"+strings.Repeat("t", 35)),
	)

	DescribeTable("is made legal otherwise, and ends with a hash", func(toolbox, server, tool, want string) {
		name := named(domain.ToolboxName(toolbox), domain.ServerName(server), tool)

		Expect(name).To(MatchRegexp("^" + want + "_[0-9a-f]{8}$"))
		Expect(name).To(MatchRegexp(legal.String()))
	},
		Entry("47 characters", "dev", "files", strings.Repeat("t", 36), "dev__files_t{26}"),
		Entry("dots and spaces", "my.box", "a server", "read/file", "my-box__a-server_read-file"),
		Entry("letters of other scripts", "dev", "files", "größe", "dev__files_gr--e"),
		Entry("what must not be shown", "dev", "files", "read\x1b[31m", "dev__files_read"),
		Entry("a tool that is all of that", "dev", "files", "\u0000", "dev__files_"),
		Entry("a toolbox that fills the name", strings.Repeat("b", 100), "files", "read", "b{37}"),
	)

	It("is the same each time, and another for every other tool", func() {
		Expect(named("dev", "files", "read file")).To(Equal("dev__files_read-file_772bfc55"), "saved approvals go by it")
		seen := map[string]bool{}
		for _, tool := range []string{"read file", "read.file", "read\tfile", "read\x00file", "read-file", "read_file"} {
			seen[named("dev", "files", tool)] = true
			seen[named("dev", "my files", tool)] = true
			seen[named("dev.", "files", tool)] = true
		}
		Expect(seen).To(HaveLen(18))
	})
})

var _ = Describe("Registered tools", func() {
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	tool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}
	tools := domain.NewRegisteredTools(1, []domain.RegisteredTool{{Name: "dev__files_read", Tool: tool}}, nil)

	It("are found by their whole name only", func() {
		found, ok := tools.Find("dev__files_read")
		Expect(ok).To(BeTrue())
		Expect(found).To(Equal(tool))
		_, ok = tools.Find("dev__files_rea")
		Expect(ok).To(BeFalse())
	})

	It("are counted by toolbox and named by server", func() {
		Expect(tools.Count("dev")).To(Equal(1))
		Expect(tools.Count("ops")).To(Equal(0))
		Expect(tools.Names(files)).To(Equal(map[string]string{"read": "dev__files_read"}))
		Expect(tools.Names(domain.ServerID{Toolbox: "ops", Server: "files"})).To(BeEmpty())
	})
})
