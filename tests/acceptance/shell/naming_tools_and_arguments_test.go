package shell_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A name on the command line", func() {
	It("may be a server without its toolbox, if only one toolbox has it", func() {
		s := WithTools("read")
		s.Rules = []script.Rule{script.Answer("read", script.Text("x"))}
		config := Configuration(InDev(Scripted("files", s)))

		Expect(Run(Launch{Config: config, Args: []string{"call", "files/read"}}).Stdout).To(Equal("x\n"))
		Expect(Run(Launch{Config: config, Args: []string{"list", "files"}}).Stdout).To(HavePrefix("files\tread\t"))
		Expect(Run(Launch{Config: config, Args: []string{"login", "files"}}).Stderr).To(ContainSubstring("dev/files: the server has no URL"))
	})

	It("that is only a listed tool gets its path suggested, and no call is made", func() {
		p := NewPinnedFiles(WithTools("read"))
		Expect(p.Run("call", "read").Stderr).To(ContainSubstring(`toolbox "read" not found; there is dev`))
		p.Run("list", "dev")

		outcome := p.Run("call", "read")

		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring(`toolbox "read" not found; did you mean 'dev/files/read'?`))
	})

	It("that is no argument of the tool causes a note with the nearest argument, and the call is made", func() {
		server := Scripted("s", echoScript(`{"message":{"type":"string"},"count":{"type":"integer"}}`))

		outcome := callOutcome(server, "dev/s/echo", "mesage=hi", "other=1")

		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stdout).To(Equal(`{"mesage":"hi","other":"1"}` + "\n"))
		Expect(outcome.Stderr).To(HaveSuffix("mcp-workbench: 'echo' does not describe an argument 'mesage'; did you mean 'message'?\n" +
			"mcp-workbench: 'echo' does not describe an argument 'other'\n" +
			"mcp-workbench: it takes echo(message?: string, count?: integer)\n"))
	})

	It("can be any argument of a tool that accepts any", func() {
		open := strings.Replace(echoScript(`{"a":{}}`).Tools[0], `"type":"object"`, `"type":"object","additionalProperties":true`, 1)
		server := echoScript(`{}`)
		server.Tools = []string{open}

		Expect(callOutcome(Scripted("s", server), "dev/s/echo", "b=1").Stderr).NotTo(ContainSubstring("does not describe"))
		Expect(callOutcome(Scripted("s", echoScript(`{}`)), "dev/s/echo", "b=1").Stderr).NotTo(ContainSubstring("does not describe"))
	})
})
