package http_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A caller over HTTP that asks for metrics", func() {
	It("reads metrics with how calls ended, by tool if configured, and about the process if it sees all toolboxes", func() {
		failing := script.Script{
			Tools: []string{script.Tool("echo"), script.Tool("fail")},
			Rules: []script.Rule{script.Answer("echo", script.Text("here")), script.Answer("fail", `{"content":[],"isError":true}`)},
		}
		settings := strings.Replace(tokens, "{", `{"metricsByTool": true, `, 1)
		l := listen(Launch{Config: WithHTTP(settings, NewToolbox("build", Scripted("make", failing))), Env: []string{"CI=" + ciToken}})
		operator, _ := l.as(Older, allToken)
		operator.open("build")
		operator.use("build", "make", "echo")
		operator.use("build", "make", "fail")
		operator.use("build", "make", "made-up")
		read := func(token string) string {
			return l.ask(http.MethodGet, l.root+"/metrics", "", "Authorization", "Bearer "+token).text
		}

		Expect(read(allToken)).To(And(
			ContainSubstring(`mcp_workbench_calls_total{toolbox="build",server="make",outcome="ok"} 1`+"\n"),
			ContainSubstring(`mcp_workbench_calls_total{toolbox="build",server="make",outcome="tool_error"} 1`+"\n"),
			ContainSubstring(`mcp_workbench_call_errors_total{toolbox="build",server="make"} 0`+"\n"),
			ContainSubstring(`mcp_workbench_tool_calls_total{toolbox="build",server="make",tool="fail",outcome="tool_error"} 1`+"\n"),
			ContainSubstring("mcp_workbench_build_info{"), ContainSubstring("\ngo_goroutines "), ContainSubstring("\nprocess_cpu_seconds_total "),
			Not(ContainSubstring("made-up"))))
		Expect(read(ciToken)).To(And(ContainSubstring("mcp_workbench_build_info{"), Not(ContainSubstring("process_"))))
	})

	It("reads the calls and sessions of each identity, if configured and if it sees all toolboxes", func() {
		settings := strings.Replace(tokens, "{", `{"metricsByIdentity": true, `, 1)
		l := listen(Launch{Config: WithHTTP(settings, NewToolbox("build", Scripted("make", WithTools("echo")))), Env: []string{"CI=" + ciToken}})
		for _, token := range []string{allToken, ciToken} {
			host, _ := l.as(Older, token)
			host.open("build")
			host.use("build", "make", "echo")
		}
		read := func(token string) string {
			return l.ask(http.MethodGet, l.root+"/metrics", "", "Authorization", "Bearer "+token).text
		}

		Expect(read(allToken)).To(And(
			ContainSubstring(`mcp_workbench_identity_calls_total{identity="token \"ci\"",outcome="ok"} 1`+"\n"),
			ContainSubstring(`mcp_workbench_identity_calls_total{identity="token \"all\"",outcome="ok"} 1`+"\n"),
			ContainSubstring(`mcp_workbench_identity_sessions{identity="token \"ci\""} 1`+"\n")))
		Expect(read(ciToken)).NotTo(ContainSubstring("identity_"))
	})
})
