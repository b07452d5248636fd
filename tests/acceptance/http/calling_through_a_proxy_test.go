package http_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Calling a workbench through a proxy", func() {
	const token = "a-token-that-is-let-in"
	const tokens = `{"tokens": {"me": {"value": "` + token + `", "toolboxes": ["*"]}}}`
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"spec","version":"1"}}}`
	headers := []string{"Forwarded", "X-Forwarded-For", "X-Real-IP"}

	It("is refused if calls need no authentication, and both sides are told what to configure", Label("TH05"), func() {
		l := listen(Launch{Config: Configuration()})
		for _, header := range headers {
			for _, path := range []string{"/mcp", "/metrics"} {
				method := map[string]string{"/mcp": http.MethodPost, "/metrics": http.MethodGet}[path]
				asked := l.ask(method, l.root+path, hello, "Content-Type", "application/json", header, "203.0.113.7")

				Expect(asked.StatusCode).To(Equal(403), header+" "+path)
				Expect(asked.text).To(ContainSubstring("the header " + header + " says that a proxy passed this request on, and calls here need no authentication; " +
					"the operator has to configure http.tokens or http.auth"))
			}
		}
		Expect(l.Stderr()).To(MatchRegexp(`level=WARN msg="a request was refused" from=127\.0\.0\.1:\d+ status=403 reason="the header X-Forwarded-For says .*forwarded=203\.0\.113\.7`))
		_, direct := l.as(Older, "")
		Expect(direct.StatusCode).To(Equal(200))
	})

	It("is served with a token", Label("TH05"), func() {
		l := listen(Launch{Config: WithHTTP(strings.Replace(tokens, "{", `{"allowHosts": ["mcp.example.com"], `, 1))})
		Expect(l.Stderr()).To(ContainSubstring("callers need a token"))
		for _, header := range headers {
			asked := l.ask(http.MethodPost, l.url, hello, "Host", "mcp.example.com", "Content-Type", "application/json", "Authorization", "Bearer "+token, header, "203.0.113.7")
			Expect(asked.StatusCode).To(Equal(200), header)
		}
	})

	It("is refused with a warning that has the caller's address, at most ten times a minute", Label("TH06"), func() {
		l := listen(Launch{Config: WithHTTP(tokens)})
		for range 30 {
			asked := l.ask(http.MethodPost, l.url, hello, "Content-Type", "application/json", "Authorization", "Bearer n0t-a-tok3n", "X-Forwarded-For", "203.0.113.7\tlevel=ERROR")
			Expect(asked.StatusCode).To(Equal(401))
		}

		log := l.Stderr()
		Expect(strings.Count(log, `level=WARN msg="a request was refused" from=127.0.0.1:`)).To(Equal(10))
		Expect(strings.Count(log, `status=401 reason="the token is not known" host=127.0.0.1:`)).To(Equal(10))
		Expect(log).To(ContainSubstring(`forwarded="203.0.113.7\tlevel=ERROR"`))
		Expect(log).NotTo(ContainSubstring("n0t-a-tok3n"))
	})

	It("is refused with a token that became short while the workbench runs, where other machines may call", Label("TH07"), func() {
		path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
		config := func(value string) string {
			return WithHTTP(`{"allowHosts": ["mcp.example.com"], "tokens": {"me": {"value": "` + value + `", "toolboxes": ["*"]}}}`)
		}
		WriteFile(path, config(token))
		l := listen(Launch{Args: []string{"--config", path}})
		WriteFile(path, config("short"))
		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring(`takes effect at the next start or with SIGHUP" token=me`))
		l.Signal(syscall.SIGHUP)

		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring(`a token with fewer than 16 characters is refused where other machines can call" token=me`))
		for _, value := range []string{token, "short"} {
			asked := l.ask(http.MethodPost, l.url, hello, "Content-Type", "application/json", "Authorization", "Bearer "+value)
			Expect(asked.StatusCode).To(Equal(401), value)
		}
	})
})
