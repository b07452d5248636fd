package http_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
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
		Entry("no name", "/,"), Entry("only an escaped space", "/%20"),
	)

	DescribeTable("may have a slash at its end", func(path, toolboxes string) {
		host, answer := at(path).as(Older, allToken)
		Expect(answer.StatusCode).To(Equal(200))
		Expect(host.open("nowhere").text).To(ContainSubstring("Available toolboxes: " + toolboxes))
	},
		Entry("without names", "/", "build, web, a, b/c"), Entry("behind names", "/web,build/", "build, web"),
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

var _ = Describe("A caller that searches over HTTP", func() {
	const ciToken, allToken = "token-of-the-ci-that-is-long", "token-for-all-that-is-long"
	const tokens = `{"tokens": {
		"ci": {"value": "` + ciToken + `", "toolboxes": ["build"]}, "all": {"value": "` + allToken + `", "toolboxes": ["*"]}
	}}`

	for _, era := range Eras {
		It("finds only the tools of its toolboxes, in "+era.Name, Label("section 20"), func() {
			echo := script.Script{Tools: []string{script.Tool("echo")}, Rules: []script.Rule{script.Answer("echo", script.Text("from afar"))}}
			l := listen(Launch{
				Config: WithHTTP(tokens, NewToolbox("build", Scripted("make", echo)), NewToolbox("concealed", Scripted("vault", echo))),
				Env:    []string{"WORKBENCH_FIND_TOOL=true"},
			})
			find := func(c *caller, words string) string {
				return c.request("tools/call", `"name":"find_tool","arguments":{"query":`+Quote(words)+`}`).text
			}

			operator, _ := l.as(era, allToken)
			Expect(find(operator, "vault")).To(ContainSubstring("toolbox concealed"))
			operator.open("build")
			operator.open("concealed")
			Expect(find(operator, "echo")).To(And(ContainSubstring("build/make/echo"), ContainSubstring("concealed/vault/echo")))
			ci, _ := l.as(era, ciToken)
			Expect(find(ci, "echo")).To(And(ContainSubstring("build/make/echo"), Not(ContainSubstring("vault"))))
			Expect(find(ci, "vault concealed")).To(And(ContainSubstring("No tool was found"),
				ContainSubstring(`No tool has the words \"vault\", \"concealed\"`), Not(ContainSubstring("toolbox concealed"))))
			Expect(ci.use("build", "make", "echo").text).To(ContainSubstring("from afar"))
		})
	}
})

var _ = Describe("The page at /ui", func() {
	const annsToken, bobsToken = "a-token-of-ann-with-32-characters", "a-token-of-bob-with-32-characters"
	greeting := WithTools("greet")
	greeting.Rules = []script.Rule{script.Answer("greet", script.Text("hello"))}
	var boxes []Toolbox
	BeforeEach(func() {
		boxes = []Toolbox{NewToolbox("dev", Scripted("git", greeting)), NewToolbox("ops", Scripted("db", greeting))}
	})
	configured := func(http string) string {
		return strings.Replace(Configuration(boxes...), "{", `{"http":`+http+`,`, 1)
	}

	It("is for callers with a token, in a header or as a password, and each sees its own toolboxes and hosts", func() {
		w := listen(Launch{Config: configured(`{"tokens":{"ann":{"value":"` + annsToken + `","toolboxes":["dev"]},"bob":{"value":"` + bobsToken + `","toolboxes":["*"]}}}`)})
		ann, _ := w.as(Eras[0], annsToken)
		ann.open("dev")
		ann.use("dev", "git", "greet")
		bob, _ := w.as(Eras[0], bobsToken)
		bob.open("ops")

		page := w.ask(http.MethodGet, w.root+"/ui/", "", "Authorization", "Bearer "+annsToken)
		Expect(page.StatusCode).To(Equal(http.StatusOK))
		Expect(page.text).To(And(ContainSubstring("<bdi>git</bdi>"), ContainSubstring(`class="state running"`), Not(ContainSubstring("<bdi>db</bdi>")), Not(ContainSubstring("workbench-config"))))
		Expect(page.Header.Get("Content-Security-Policy")).To(HavePrefix("default-src 'none'"))
		Eventually(func() string {
			return w.ask(http.MethodGet, w.root+"/ui/calls", "", "Authorization", "Bearer "+annsToken).text
		}).WithTimeout(Patience).Should(ContainSubstring("<bdi>greet</bdi>"))
		Expect(w.ask(http.MethodGet, w.root+"/ui/calls", "", "Authorization", "Bearer "+bobsToken).text).NotTo(ContainSubstring("<bdi>greet</bdi>"))
		asked, _ := http.NewRequest(http.MethodGet, w.root, nil)
		asked.SetBasicAuth("any", bobsToken)
		page = w.ask(http.MethodGet, w.root+"/ui/", "", "Authorization", asked.Header.Get("Authorization"))
		Expect(page.text).To(And(ContainSubstring("<bdi>db</bdi>"), ContainSubstring("<bdi>git</bdi>")))
		Expect(w.ask(http.MethodGet, w.root+"/ui/server?toolbox=ops&server=db", "", "Authorization", "Bearer "+annsToken).StatusCode).To(Equal(http.StatusNotFound))
		for _, refused := range [][]string{{}, {"Authorization", "Bearer wrong"}, {"Authorization", "Basic d3Jvbmc6d3Jvbmc="}} {
			page = w.ask(http.MethodGet, w.root+"/ui/", "", refused...)
			Expect(page.StatusCode).To(Equal(http.StatusUnauthorized))
			Expect(page.Header.Values("WWW-Authenticate")).To(ContainElement(HavePrefix("Basic ")))
		}
	})

	It("is read-only, and limited to this machine and its own origin", func() {
		w := listen(Launch{Config: Configuration(boxes...)})

		Expect(w.ask(http.MethodGet, w.root+"/ui/", "").StatusCode).To(Equal(http.StatusOK))
		Expect(w.ask(http.MethodPost, w.root+"/ui/", "{}", "Content-Type", "application/json").StatusCode).To(Equal(http.StatusMethodNotAllowed))
		Expect(w.ask(http.MethodGet, w.root+"/ui/", "", "Host", "evil.example").StatusCode).To(Equal(http.StatusForbidden))
		Expect(w.ask(http.MethodGet, w.root+"/ui/", "", "Origin", "http://127.0.0.1:1").StatusCode).To(Equal(http.StatusForbidden))
	})

	It("does not exist if it is turned off", func() {
		w := listen(Launch{Config: configured(`{"ui":false}`)})

		Expect(w.ask(http.MethodGet, w.root+"/ui/", "").StatusCode).To(Equal(http.StatusNotFound))
	})
})
