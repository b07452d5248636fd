package shell_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Selecting a part of a result in the shell", func() {
	const list = `[{"title":"one","n":9007199254740993},{"title":"two","n":1.10}]`
	server := func(result string) Server {
		GinkgoHelper()
		s := WithTools("list")
		s.Rules = []script.Rule{script.Answer("list", result)}
		return Scripted("files", s)
	}

	It("prints the output of jq, one value a line, whatever the results mode of the toolbox", func() {
		outcome := callOutcome(server(script.Text(list)), "dev/files/list", "--select", ".[].title, .[0].n")

		Expect(outcome.Stdout).To(Equal("\"one\"\n\"two\"\n9007199254740993\n"))
		Expect(outcome.Code).To(Equal(0))
		Expect(outcome.Stderr).NotTo(ContainSubstring("select"))
	})

	It("prints texts as they are with --raw, and refuses it without --select", func() {
		outcome := callOutcome(server(script.Text(list)), "dev/files/list", "--select", ".[] | .title, ([.title, .n] | @tsv), .n, [.title]", "--raw")

		Expect(outcome.Stdout).To(Equal("one\none\t9007199254740993\n9007199254740993\n[\"one\"]\ntwo\ntwo\t1.10\n1.10\n[\"two\"]\n"))
		Expect(callOutcome(server(script.Text(list)), "dev/files/list", "-r").Code).To(Equal(2))
	})

	It("prints the whole result after a program that fails, so that no second call is needed", func() {
		called := callOutcome(server(script.Text(list)), "dev/files/list", "--select", ".items[]")

		Expect(called.Stdout).To(Equal(list + "\n"))
		Expect(called.Stderr).To(And(ContainSubstring(`mcp-workbench: "select" failed: `), ContainSubstring(`[2 × {"title": string, "n": number}]`)))
		Expect(called.Code).To(Equal(2))
	})

	It("is refused with --json, which prints the whole result", func() {
		files := server(script.Text(list))

		outcome := callOutcome(files, "dev/files/list", "--select", ".", "--json")

		Expect(outcome.Code).To(Equal(2))
		Expect(outcome.Stderr).To(ContainSubstring("--json prints the whole result, and --select a part of it; use one of them"))
		Expect(files.Received()).To(BeEmpty())
	})
})
