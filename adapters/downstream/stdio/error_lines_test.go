package stdio_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
)

var _ = Describe("Of the output of a program that failed", func() {
	DescribeTable("the lines that say why are selected", func(output string, why ...string) {
		var selector stdio.ReasonSelector
		var selected []string
		for line := range strings.Lines(output) {
			if selector.Next(line) != stdio.OtherLine {
				selected = append(selected, strings.TrimSpace(line))
			}
		}

		Expect(selected).To(HaveExactElements(why))
	},
		Entry("of Node", `node:internal/modules/cjs/loader:1148
  throw err;
  ^

Error: Cannot find module '/tmp/nosuch.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1145:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`, "Error: Cannot find module '/tmp/nosuch.js'"),
		Entry("of Python", `Traceback (most recent call last):
  File "/tmp/server.py", line 3, in <module>
    raise KeyError("Error: not this one")
KeyError: 'API_KEY'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/tmp/server.py", line 5, in <module>
    main()
pydantic.MissingSetting: 1 problem
API_KEY
  Field required
`, "KeyError: 'API_KEY'", "pydantic.MissingSetting: 1 problem", "API_KEY", "Field required"),
		Entry("of a module of Python that is not there", "/usr/bin/python3: No module named mcp_server_git\n", "/usr/bin/python3: No module named mcp_server_git"),
		Entry("of npm", `npm warn deprecated x@1: no longer maintained
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@scope%2fx - Not found
npm error 404
npm error 404  '@scope/x@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x.log
`, "npm error code E404", "npm error 404 Not Found - GET https://registry.npmjs.org/@scope%2fx - Not found", "npm error 404  '@scope/x@*' is not in this registry."),
		Entry("of an older npm without network", `npm ERR! code EAI_AGAIN
npm ERR! syscall getaddrinfo
npm ERR! errno EAI_AGAIN
npm ERR! request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org
npm ERR! A complete log of this run can be found in: /home/me/.npm/_logs/x.log
`, "npm ERR! code EAI_AGAIN", "npm ERR! request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org"),
		Entry("of a command line", "usage: server [-h] --token TOKEN\nserver: error: the following arguments are required: --token\n",
			"server: error: the following arguments are required: --token"),
		Entry("of Rust", "starting\nError: cannot open the store\n\nCaused by:\n    permission denied (os error 13)\n",
			"Error: cannot open the store", "Caused by:", "permission denied (os error 13)"),
		Entry("of Go", "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: assignment to entry in nil map"),
		Entry("of a log, with what follows", "[info] up\n[ERROR] no licence\nbuy one\nor two\nbye\n", "[ERROR] no licence", "buy one", "or two"),
		Entry("of a shell", "sh: 1: uvx: command not found\n", "sh: 1: uvx: command not found"),
	)

	DescribeTable("no line is selected that says nothing of the kind", func(line string) {
		Expect(new(stdio.ReasonSelector).Next(line)).To(Equal(stdio.OtherLine))
	},
		Entry("a greeting", "server running on stdio"),
		Entry("a count", "0 errors found"),
		Entry("a name", "loaded ErrorHandler and TerrorBird"),
		Entry("nothing", ""),
	)

	It("a reason is told from its details", func() {
		var selector stdio.ReasonSelector

		Expect(selector.Next("Error: no licence")).To(Equal(stdio.ReasonLine))
		Expect(selector.Next("buy one")).To(Equal(stdio.DetailLine))
	})

	It("only the beginning of a long line is looked at", func() {
		Expect(new(stdio.ReasonSelector).Next(strings.Repeat("x", 1<<20) + " Error: far")).To(Equal(stdio.OtherLine))
	})
})
