package using_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Keeping secrets", Label("X02"), func() {
	// The values of these variables appear in no message and on no log line.
	const (
		token    = "s3cr3t-token-of-the-variable"
		password = "s3cr3t-password-in-the-file"
		odd      = "s3cr3t tokén"
	)
	const settings = `"env": {"PASSWORD": "` + password + `", "TOKEN": "${WB_TOKEN}"}`
	const secrets = token + " and " + password
	// launch starts a workbench with one server that logs as much as possible.
	launch := func(server Server) *Workbench {
		GinkgoHelper()
		w := Start(Launch{
			Config: Configuration(InDev(server, Scripted("good", WithTools("read")))),
			Env:    []string{"WB_TOKEN=" + token, "WB_ODD=" + odd}, Args: []string{"--log-level", "debug"},
		})
		w.Initialize()
		return w
	}
	// conversation is everything that the workbench wrote to its host and its log.
	conversation := func(w *Workbench) string {
		GinkgoHelper()
		Expect(w.End()).To(Equal(0))
		text := w.Stderr()
		for _, m := range w.Received() {
			text += m.Line
		}
		return text
	}
	expectNoSecret := func(w *Workbench) {
		GinkgoHelper()
		Expect(conversation(w)).NotTo(Or(ContainSubstring(token), ContainSubstring(password)))
	}

	DescribeTable("shows none when a server cannot be reached", func(server func() Server, shown string) {
		w := launch(server())

		opened := w.Open("dev")
		failure := w.Use("dev", "bad", "t", "{}").Failure()

		Expect(opened.Errors).To(HaveExactElements(ContainSubstring(shown)))
		Expect(failure).To(ContainSubstring(shown))
		expectNoSecret(w)
	},
		Entry("because its command contains one", func() Server {
			return Program("bad", "/nowhere/${WB_TOKEN}", settings)
		}, "command '/nowhere/${WB_TOKEN}' does not exist"),
		Entry("because another variable is not set", func() Server {
			return Program("bad", "/bin/sh", settings, `"cwd": "${WB_TOKEN}/${WB_ABSENT}"`)
		}, "environment variable 'WB_ABSENT' is not set"),
		Entry("because it ends after writing them to its stderr", func() Server {
			return Scripted("bad", script.Script{Start: []script.Step{{Stderr: "I know " + secrets}, {Exit: 1}}}, settings)
		}, "I know ${WB_TOKEN} and ***"),
		Entry("because it refuses the handshake with them in the error", func() Server {
			return Scripted("bad", script.Script{Rules: []script.Rule{
				{Method: "initialize", Do: []script.Step{{Error: `{"code":-32000,"message":"wrong ` + secrets + `"}`}}},
			}}, settings)
		}, "wrong ${WB_TOKEN} and ***"),
		Entry("because it cannot list its tools, with them in the error", func() Server {
			return Scripted("bad", script.Script{Rules: []script.Rule{
				{Method: "tools/list", Do: []script.Step{{Error: `{"code":-32000,"message":"wrong ` + secrets + `"}`}}},
			}}, settings)
		}, "wrong ${WB_TOKEN} and ***"),
	)

	It("shows none when a server dies during a call", func() {
		s := WithTools("t")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Stderr: "I knew " + secrets}, {Exit: 1}}}}
		w := launch(Scripted("bad", s, settings))
		w.Open("dev")

		Expect(w.Use("dev", "bad", "t", "{}").Failure()).To(HaveSuffix("the end of its stderr: I knew ${WB_TOKEN} and ***"))
		expectNoSecret(w)
	})

	It("shows no line of a secret with many lines", func() {
		const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nAoGBAKj34GkxFhD90vcN\n-----END KEY-----\n"
		s := script.Script{Start: []script.Step{{Stderr: "cannot use " + key}, {Exit: 1}}}
		w := launch(Scripted("bad", s, `"env": {"KEY": `+Quote(key)+`}`))

		Expect(w.Open("dev").Errors).To(HaveExactElements(ContainSubstring("the end of its stderr: cannot use ***")))
		Expect(conversation(w)).NotTo(Or(ContainSubstring("MIIEvQ"), ContainSubstring("AoGBAK")))
	})

	It("logs neither arguments nor results of calls", func() {
		s := WithTools("t")
		s.Rules = []script.Rule{script.Answer("t", script.Text("the result "+password))}
		w := launch(Scripted("files", s))
		w.Open("dev")

		w.Use("dev", "files", "t", `{"token":"`+token+`"}`)

		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).NotTo(Or(ContainSubstring(token), ContainSubstring(password)))
	})

	DescribeTable("shows none that a server behind a URL repeats from its request", func(settings ...string) {
		refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, "not %s at %s", r.Header.Get("Authorization"), r.RequestURI)
		}))
		DeferCleanup(refusing.Close)
		address := strings.Replace(refusing.URL, "//", "//"+settings[0], 1) + settings[1]
		w := launch(ServerAt("bad", address, "", settings[2:]...))
		w.Open("dev")

		text := conversation(w)
		Expect(text).To(ContainSubstring("forbids the request (403 Forbidden): not "))
		for _, form := range []string{
			token, password, url.PathEscape(odd), url.QueryEscape(odd), odd,
			base64.StdEncoding.EncodeToString([]byte("user:" + password)),
			base64.StdEncoding.EncodeToString([]byte("user:" + token)),
		} {
			Expect(text).NotTo(ContainSubstring(form))
		}
	},
		Entry("a login in its address", "user:"+password+"@", ""),
		Entry("a login in its address from a variable", "user:${WB_TOKEN}@", ""),
		Entry("an encoded one in its query", "", "/mcp?key=${WB_ODD}"),
		Entry("one after the scheme in a header", "", "", `"headers":{"Authorization":"Bearer `+password+`"}`),
	)

	It("changes nothing in the answers of servers", func() {
		s := WithTools("t")
		s.Rules = []script.Rule{script.Answer("t", script.Text(secrets))}
		w := launch(Scripted("files", s, settings))
		w.Open("dev")

		Expect(w.Use("dev", "files", "t", "{}").Text()).To(Equal(secrets))
	})
})
