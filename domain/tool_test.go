package domain_test

import (
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A list of tools", func() {
	It("names the tools as they are shown, in order", func() {
		list := domain.ToolList{Tools: []domain.ToolInfo{{Name: "b\x01", Shown: "b"}, {Name: "a", Shown: "a"}}}

		Expect(list.Names()).To(Equal([]string{"b", "a"}))
		Expect(domain.ToolList{}.Names()).To(BeEmpty())
	})

	It("finds a tool by its exact name and by the one that it is shown under", func() {
		index := domain.ToolList{Tools: []domain.ToolInfo{{Name: "b\x01", Shown: "b"}}}.Index()

		Expect(index).To(HaveLen(2))
		Expect(index["b\x01"].Name).To(Equal("b\x01"))
		Expect(index["b"].Name).To(Equal("b\x01"))
	})

	It("lets no shown name take the place of an exact one, wherever that stands", func() {
		hidden := domain.ToolInfo{Name: "erase\x01", Shown: "erase"}
		honest := domain.ToolInfo{Name: "erase", Shown: "erase"}

		for _, tools := range [][]domain.ToolInfo{{hidden, honest}, {honest, hidden}} {
			index := domain.ToolList{Tools: tools}.Index()
			Expect(index["erase"].Name).To(Equal("erase"))
			Expect(index["erase\x01"].Name).To(Equal("erase\x01"))
		}
	})

	It("gives a shown name that two tools share to the first", func() {
		index := domain.ToolList{Tools: []domain.ToolInfo{
			{Name: "a\x01", Shown: "a"}, {Name: "a\x02", Shown: "a"},
		}}.Index()

		Expect(index["a"].Name).To(Equal("a\x01"))
	})
})

var _ = Describe("An identifier of a tool", func() {
	It("names the tool's server", func() {
		tool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

		Expect(tool.ServerID()).To(Equal(domain.ServerID{Toolbox: "dev", Server: "files"}))
	})
})

var _ = Describe("A toolbox", func() {
	dev := domain.Toolbox{Name: "dev", Servers: []domain.Server{
		{ID: domain.ServerID{Toolbox: "dev", Server: "zeta"}, Transport: "stdio"},
		{ID: domain.ServerID{Toolbox: "dev", Server: "alpha"}},
	}}

	It("knows its servers by their exact names", func() {
		found, ok := dev.Server("zeta")
		Expect(ok).To(BeTrue())
		Expect(found.Transport).To(Equal("stdio"))

		_, ok = dev.Server("Zeta")
		Expect(ok).To(BeFalse())
		Expect(dev.Find("zeta")).To(BeIdenticalTo(&dev.Servers[0]), "without a copy")
		Expect(dev.Find("Zeta")).To(BeNil())
	})

	It("names its servers in the order of the configuration", func() {
		Expect(dev.ServerNames()).To(Equal([]string{"zeta", "alpha"}))
		Expect(domain.Toolbox{}.ServerNames()).To(BeEmpty())
	})

	It("gives its servers as long to exit as the slowest may take", func() {
		slow := domain.Server{Limits: domain.Limits{Shutdown: time.Hour}}

		Expect(domain.LongestShutdown(nil)).To(Equal(domain.DefaultLimits().Shutdown))
		Expect(domain.LongestShutdown([]domain.Toolbox{{Servers: []domain.Server{{}, slow}}, {}})).To(Equal(time.Hour))
	})

	It("that was opened counts the servers that are up", func() {
		opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{
			{}, {Failure: domain.ErrServerUnavailable}, {Tools: []domain.ToolInfo{{Name: "read"}}},
		}}

		Expect(opened.Connected()).To(Equal(2))
		Expect(domain.OpenedToolbox{}.Connected()).To(BeZero())
	})
})

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

var _ = Describe("Registered prompts", func() {
	first := domain.ServerID{Toolbox: "dev", Server: "a"}
	second := domain.ServerID{Toolbox: "dev", Server: "a_b"}
	prompt := func(server domain.ServerID, name string) domain.RegisteredPrompt {
		return domain.RegisteredPrompt{
			Name: domain.RegisteredPromptName(server, name), Prompt: domain.PromptIdentifier{Server: server, Prompt: name},
		}
	}
	names := func(registered *domain.RegisteredPrompts) []string {
		var list []string
		for _, prompt := range registered.Prompts {
			list = append(list, string(prompt.Prompt.Server.Server)+": "+prompt.Name)
		}
		return list
	}

	It("are named as registered tools are", func() {
		Expect(domain.RegisteredPromptName(first, "review")).To(Equal("dev__a_review"))
		Expect(domain.RegisteredPromptName(first, "Code review")).To(MatchRegexp(`^dev__a_Code-review_[0-9a-f]{8}$`))
		Expect(domain.RegisteredPromptName(first, strings.Repeat("x", 200))).To(HaveLen(46))
	})

	It("leave a name to the first of two", func() {
		registered := domain.RegisterPrompts([]domain.RegisteredPrompt{prompt(first, "b_c"), prompt(second, "c"), prompt(second, "d")}, nil)

		Expect(names(registered)).To(Equal([]string{"a: dev__a_b_c", "a_b: dev__a_b_d"}))
		Expect(registered.Taken).To(Equal(map[domain.PromptIdentifier]string{{Server: second, Prompt: "c"}: "dev__a_b_c"}))
		found, ok := registered.Find("dev__a_b_c")
		Expect(ok).To(BeTrue())
		Expect(found.Server).To(Equal(first))
	})

	It("leave a name to the prompt that has it, as long as that is there", func() {
		before := domain.RegisterPrompts([]domain.RegisteredPrompt{prompt(second, "c")}, nil)
		both := []domain.RegisteredPrompt{prompt(first, "b_c"), prompt(second, "c")}

		Expect(names(domain.RegisterPrompts(both, before))).To(Equal([]string{"a_b: dev__a_b_c"}))
		Expect(names(domain.RegisterPrompts(both[:1], before))).To(Equal([]string{"a: dev__a_b_c"}))
	})

	It("are found by their whole name only", func() {
		registered := domain.RegisterPrompts([]domain.RegisteredPrompt{prompt(first, "review")}, nil)

		for _, name := range []string{"review", "dev__a_revie", "dev__a_review2", "DEV__a_review", ""} {
			_, ok := registered.Find(name)
			Expect(ok).To(BeFalse(), name)
		}
	})
})

var _ = DescribeTable("A URI fits a template", func(template, uri string, fits bool) {
	Expect(domain.MayExpandTo(template, uri)).To(Equal(fits))
},
	Entry("with an expression at its end", "file:///{path}", "file:///a", true),
	Entry("with an empty one", "file:///{path}", "file:///", true),
	Entry("with one of several segments", "file:///{+path}", "file:///a/b/c", true),
	Entry("with one in the middle", "a://{id}/log", "a://7/log", true),
	Entry("with a text at its end that comes twice", "a://{id}/log", "a://7/log/log", true),
	Entry("with several", "a://{id}/{part}.txt", "a://7/x.txt", true),
	Entry("without any", "a://b", "a://b", true),
	Entry("but not of another scheme", "file:///{path}", "a:///b", false),
	Entry("but not with another end", "a://{id}/log", "a://7/logs", false),
	Entry("but not without what comes between", "a://{id}/x/{part}", "a://7/y/8", false),
	Entry("but not what it begins with", "a://b", "a://bc", false),
	Entry("but none that is not closed", "a://{id", "a://7", false),
	Entry("but nothing fits none", "", "a://7", false),
)

var _ = DescribeTable("A resource contains", func(resource, other string, contains bool) {
	Expect(domain.ResourceContains(resource, other)).To(Equal(contains))
},
	Entry("itself", "file:///a", "file:///a", true),
	Entry("what is below it", "file:///a", "file:///a/b/c", true),
	Entry("what is below it, with a slash at its end", "file:///a/", "file:///a/b", true),
	Entry("no resource that only begins like it", "file:///a", "file:///ab", false),
	Entry("not the one above it", "file:///a/b", "file:///a", false),
)
