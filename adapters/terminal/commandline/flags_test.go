package commandline_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal/commandline"
)

// failure returns the error of a command with a few flags for a command line.
func failure(args ...string) error {
	root := &cobra.Command{Use: "tool", SilenceErrors: true, SilenceUsage: true}
	child := &cobra.Command{Use: "run NAME", Args: commandline.WordsBetween(1, 1, "name one"), RunE: func(*cobra.Command, []string) error { return nil }}
	plain := &cobra.Command{Use: "plain", Args: commandline.NoWords, RunE: child.RunE}
	child.Flags().Bool("json", false, "")
	child.Flags().Bool("yes", false, "")
	child.Flags().Int("count", 0, "")
	child.Flags().Duration("timeout", 0, "")
	child.Flags().String("output", "", "the `directory` of files")
	child.MarkFlagsMutuallyExclusive("yes", "json")
	root.SetFlagErrorFunc(commandline.FlagError)
	root.AddCommand(child, plain)
	root.SetArgs(args)
	root.SetOut(&bytes.Buffer{})
	if err := root.Execute(); err != nil {
		return commandline.Excluding(err)
	}
	return nil
}

var _ = DescribeTable("A wrong command line has a readable error", func(message string, args ...string) {
	Expect(failure(args...)).To(MatchError(message))
},
	Entry(nil, "name one; use 'tool run NAME'", "run"),
	Entry(nil, `unknown argument "b"; use 'tool run NAME'`, "run", "a", "b"),
	Entry(nil, `unknown argument "b": 'tool plain' takes none`, "plain", "b"),
	Entry(nil, "unknown argument \"x y.json\": 'tool plain' takes none; for another configuration use `tool plain --config 'x y.json'`", "plain", "x y.json"),
	Entry(nil, "unknown flag --jsno; did you mean '--json'?", "run", "--jsno", "a"),
	Entry(nil, "unknown flag --something of 'tool run'", "run", "--something", "a"),
	Entry(nil, "unknown flag -x of 'tool run'", "run", "-x", "a"),
	Entry(nil, "--output needs a value: --output DIRECTORY", "run", "a", "--output"),
	Entry(nil, `--timeout "1": write a time, such as 30s or 5m`, "run", "a", "--timeout", "1"),
	Entry(nil, `--json "maybe": write true or false, or leave the value out`, "run", "a", "--json=maybe"),
	Entry(nil, "--json and --yes exclude each other", "run", "a", "--json", "--yes"),
	Entry(nil, "bad flag syntax: ---x", "run", "---x"),
)

var _ = Describe("The hint to --config", func() {
	It("is given for the name of a file, not of a folder", func() {
		folder := filepath.Join(GinkgoT().TempDir(), "a.json")
		Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		Expect(failure("plain", folder)).To(MatchError(Not(ContainSubstring("--config"))))
	})
})

var _ = It("Excluding returns other errors unchanged", func() {
	cause := errors.New("cause")
	Expect(commandline.Excluding(cause)).To(BeIdenticalTo(cause))
})

var _ = Describe("Completion of help", func() {
	printed := func(args ...string) string {
		GinkgoHelper()
		var out bytes.Buffer
		root := &cobra.Command{Use: "mcp-workbench"}
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

	It("offers topics and commands, and after a topic its sections", func() {
		Expect(printed("__complete", "help", "")).To(And(ContainSubstring("animals\tCats and dogs\n"), ContainSubstring("completion\t")))
		Expect(printed("__complete", "help", "animals", "")).To(Equal("cats-and-lions\n:4\n"))
		Expect(printed("help", "animals", "cats-and-lions")).To(Equal("## Cats and `lions`\n\nA.\n\n"))
		Expect(printed("__complete", "help", "animals", "cats", "")).To(Equal(":4\n"))
	})
})
