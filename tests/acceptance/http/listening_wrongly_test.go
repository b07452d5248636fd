package http_test

import (
	"net"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Listening with wrong settings", Label("T01"), func() {
	DescribeTable("opens no port, serves no host in another way, and names the place of the mistake",
		func(environment []string, code int, message string, args ...string) {
			run := Run(Launch{Config: Configuration(), Args: append([]string{"serve"}, args...), Env: environment})

			Expect(run.Code).To(Equal(code))
			Expect(run.Stderr).To(ContainSubstring(message))
			Expect(run.Stderr).NotTo(ContainSubstring("listening"))
			Expect(run.Stdout).To(BeEmpty())
		},
		Entry("in the variable", []string{"WORKBENCH_HTTP=7345"}, 2, `WORKBENCH_HTTP "7345": want an address and a port`),
		Entry("in the flag", nil, 2, `--http "7345": want an address and a port`, "--http", "7345"),
		Entry("with an empty flag", nil, 2, `--http "": the value is empty`, "--http", ""),
		Entry("with half of a certificate",
			nil, 2, "--tls-cert and --tls-key go together", "--http", "127.0.0.1:0", "--tls-key", "tls.key"),
		Entry("without an address", nil, 2, "need --http or WORKBENCH_HTTP", "--allow-host", "mcp.test"),
	)

	It("at every address of version 4 does not listen at addresses of version 6", Label("TH09"), func() {
		config := WithHTTP(`{"tokens": {"me": {"value": "a-token-that-is-let-in", "toolboxes": ["*"]}}}`)

		l := listen(Launch{Config: config, Args: []string{"--http", "0.0.0.0:0"}})

		Expect(l.Stderr()).To(ContainSubstring("listening on http://0.0.0.0:"))
		_, port, err := net.SplitHostPort(strings.TrimPrefix(l.root, "http://"))
		Expect(err).NotTo(HaveOccurred())
		_, err = net.Dial("tcp", net.JoinHostPort("::1", port))
		Expect(err).To(HaveOccurred())
	})

	It("is found by doctor when a token has no value, with the variable to set", func() {
		config := WithHTTP(`{"tokens": {"ci": {"value": "ci-${CI_SUFFIX}", "toolboxes": ["*"]}}}`, NewToolbox("build", Scripted("make", script.Script{})))

		run := Run(Launch{Config: config, Args: []string{"doctor", "--offline"}, Env: []string{"CI_SUFFIX="}})

		Expect(run.Stdout).To(ContainSubstring("D004"))
		Expect(run.Stdout).To(ContainSubstring("environment variable 'CI_SUFFIX' is empty, so this token gives no access\n     set CI_SUFFIX where 'serve --http' is started"))
		Expect(run.Stdout).NotTo(ContainSubstring("D005"))
	})
})
