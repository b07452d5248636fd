package packages_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A server of npx without a network", func() {
	var p *packagedServer
	BeforeEach(func() {
		p = newPackagedServer()
		p.standIn("npx", `
echo "npm error code EAI_AGAIN" >&2
echo "npm error after ${npm_config_fetch_retries:-2} other tries, after ${npm_config_fetch_retry_mintimeout:-10000} to ${npm_config_fetch_retry_maxtimeout:-60000} ms" >&2
exit 1
`)
	})

	opening := func() string {
		GinkgoHelper()
		return p.connect(Older).Call("open_toolbox", `{"toolbox":"dev"}`).Failure()
	}

	It("is given up after seconds, with the usual number of tries", func() {
		Expect(opening()).To(HaveSuffix("after 2 other tries, after 1000 to 5000 ms"))
	})

	It("waits as long as its variables say", func() {
		p.starts(`"command":"npx","args":["-y","files-server"],"env":{"npm_config_fetch_retry_mintimeout":"7"}`)

		Expect(opening()).To(HaveSuffix("after 7 to 5000 ms"))
	})
})
