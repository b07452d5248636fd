package http_test

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A host that chooses toolboxes by its address", func() {
	const ciToken, allToken = "token-of-the-ci-that-is-long", "token-for-all-that-is-long"
	const tokens = `{"tokens": {"ci": {"value": "` + ciToken + `", "toolboxes": ["build"]}, "all": {"value": "` + allToken + `", "toolboxes": ["*"]}}}`
	// at listens with three toolboxes and calls the path after /mcp.
	at := func(path string) *listener {
		GinkgoHelper()
		var toolboxes []Toolbox
		for _, name := range []string{"build", "web", "a, b/c"} {
			toolboxes = append(toolboxes, NewToolbox(name, Scripted("server", WithTools("read"))))
		}
		l := listen(Launch{Config: WithHTTP(tokens, toolboxes...)})
		l.url += path
		return l
	}

	for _, era := range Eras {
		It("sees only those, as one of "+era.Name, func() {
			l := at("/web,build")
			host, hello := l.as(era, allToken)
			Expect(hello.StatusCode).To(Equal(200))
			Expect(hello.text).NotTo(ContainSubstring("b/c"))
			Expect(host.open("web").text).To(ContainSubstring("read"))
			Expect(host.open("build").text).To(ContainSubstring("read"))
			Expect(host.open("a, b/c").text).To(ContainSubstring("Toolbox 'a, b/c' not found. Available toolboxes: build, web"))
		})

		It("sees one whose name is encoded, as one of "+era.Name, func() {
			host, _ := at("/a%2C%20b%2Fc").as(era, allToken)
			Expect(host.open("a, b/c").text).To(ContainSubstring("read"))
		})

		It("gets 404 for a name that it cannot see, as for one that does not exist, as one of "+era.Name, func() {
			l := at("/web")
			_, hidden := l.as(era, ciToken)
			l.url = l.root + "/mcp/bulid"
			_, unknown := l.as(era, ciToken)
			Expect(hidden.StatusCode).To(Equal(404))
			Expect(hidden.text).To(And(ContainSubstring("there is no toolbox 'web'; there is build"), Not(ContainSubstring("b/c"))))
			Expect(unknown.StatusCode).To(Equal(404))
			Expect(unknown.text).To(ContainSubstring("there is no toolbox 'bulid'; did you mean 'build'?"))
		})
	}

	DescribeTable("gets 404 where the address has", func(path string) {
		_, answer := at(path).as(Older, allToken)
		Expect(answer.StatusCode).To(Equal(404))
		Expect(answer.text).To(ContainSubstring("want names of toolboxes separated by commas after /mcp/, such as /mcp/files,web"))
	},
		Entry("no name", "/"), Entry("only an escaped space", "/%20"),
	)

	It("can use its session only at the address where it began", func() {
		l := at("/web")
		own := l.url
		host, _ := l.as(Older, allToken)
		Expect(host.open("web").text).To(ContainSubstring("read"))
		for _, other := range []string{"/mcp", "/mcp/build", "/mcp/build,web"} {
			host.url = l.root + other
			Expect(host.open("web").StatusCode).To(Equal(404), other)
		}
		host.url = own
		Expect(host.open("web").text).To(ContainSubstring("read"))
	})

	It("needs a token like any other host", func() {
		l := at("/web")
		Expect(l.ask(http.MethodPost, l.url, "{}", "Content-Type", "application/json").StatusCode).To(Equal(401))
	})
})
