package http_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

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
