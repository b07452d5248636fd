package commandline_test

import (
	"bytes"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal/commandline"
)

var _ = Describe("Completion", func() {
	printed := func(args ...string) string {
		GinkgoHelper()
		var out bytes.Buffer
		root := &cobra.Command{Use: "mcp-workbench"}
		root.AddCommand(commandline.NewCompletionCommand())
		topics := commandline.Topics{
			List: []commandline.Topic{{Name: "animals", Line: "Cats and dogs"}},
			Text: func(name string) string {
				if name != "animals" {
					return ""
				}
				return "# Animals\n\nText.\n\n## Cats and `lions`\n\nA.\n\n## Dogs | wolves\n\nB.\n"
			},
		}
		root.AddCommand(topics.Commands()...)
		root.SetHelpCommand(topics.NewHelpCommand())
		root.SetOut(&out)
		root.SetErr(&bytes.Buffer{})
		root.SetArgs(args)
		Expect(root.Execute()).To(Succeed())
		return out.String()
	}

	DescribeTable("prints a script, with descriptions or without", func(shell string) {
		Expect(printed("completion", shell)).To(ContainSubstring("__complete "))
		Expect(printed("completion", shell, "--no-descriptions")).To(ContainSubstring("__completeNoDesc "))
		Expect(printed("completion", shell, "--help")).To(And(ContainSubstring("mcp-workbench completion "+shell), Not(ContainSubstring("autocompletion"))))
	},
		Entry(nil, "bash"), Entry(nil, "zsh"), Entry(nil, "fish"), Entry(nil, "powershell"),
	)

	It("completes help with topics and commands, and a topic with its sections", func() {
		Expect(printed("__complete", "help", "")).To(And(ContainSubstring("animals\tCats and dogs\n"), ContainSubstring("completion\t")))
		Expect(printed("__complete", "help", "animals", "")).To(Equal("cats-and-lions\n:4\n"))
		Expect(printed("help", "animals", "cats-and-lions")).To(Equal("## Cats and `lions`\n\nA.\n\n"))
		Expect(printed("__complete", "help", "animals", "cats", "")).To(Equal(":4\n"))
	})
})
