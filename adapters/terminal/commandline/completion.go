package commandline

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// script is the completion script for one shell.
type script struct {
	shell string
	// setup says where to put the script, for this session and for every new one.
	setup string
	write func(root *cobra.Command, out io.Writer, described bool) error
}

var scripts = []script{
	{
		"bash", `It needs the package bash-completion. For this session:

  source <(mcp-workbench completion bash)

For every new session, on Linux:

  mkdir -p ~/.local/share/bash-completion/completions
  mcp-workbench completion bash > ~/.local/share/bash-completion/completions/mcp-workbench

With the bash of Homebrew:

  mcp-workbench completion bash > "$(brew --prefix)/etc/bash_completion.d/mcp-workbench"`,
		func(root *cobra.Command, out io.Writer, described bool) error {
			return root.GenBashCompletionV2(out, described)
		},
	},
	{
		"fish", `For this session:

  mcp-workbench completion fish | source

For every new session:

  mcp-workbench completion fish > ~/.config/fish/completions/mcp-workbench.fish`,
		func(root *cobra.Command, out io.Writer, described bool) error {
			return root.GenFishCompletion(out, described)
		},
	},
	{
		"powershell", `For this session:

  mcp-workbench completion powershell | Out-String | Invoke-Expression

For every new session, add that line to the file that $PROFILE names.`,
		func(root *cobra.Command, out io.Writer, described bool) error {
			if described {
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return root.GenPowerShellCompletion(out)
		},
	},
	{
		"zsh", `It needs the completion of zsh: 'autoload -U compinit; compinit' in ~/.zshrc turns it on.
For this session:

  source <(mcp-workbench completion zsh)

For every new session:

  mcp-workbench completion zsh > "${fpath[1]}/_mcp-workbench"`,
		func(root *cobra.Command, out io.Writer, described bool) error {
			if described {
				return root.GenZshCompletion(out)
			}
			return root.GenZshCompletionNoDesc(out)
		},
	},
}

// NewCompletionCommand returns the command that prints scripts for shells. It replaces that of the
// library.
func NewCompletionCommand() *cobra.Command {
	var shells []string
	for _, script := range scripts {
		shells = append(shells, script.shell)
	}
	command := &cobra.Command{
		Use:   "completion",
		Short: "Print a script that completes commands and names in your shell",
		Long: `Print a script for your shell. It completes commands, flags, toolboxes, servers, the tools
that were last seen and their arguments, hosts, and help topics. Completing starts no
server. 'mcp-workbench completion SHELL --help' says where to put the script:

  source <(mcp-workbench completion bash)`,
		Args: func(_ *cobra.Command, args []string) error {
			known := strings.Join(shells, ", ")
			if len(args) == 0 {
				return fmt.Errorf("name a shell: %s", known)
			}
			return fmt.Errorf("unknown shell %q: use one of %s", args[0], known)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		// Without RunE the library does not check the arguments.
		RunE: func(command *cobra.Command, args []string) error { return command.Args(command, args) },
	}
	for _, script := range scripts {
		command.AddCommand(script.command())
	}
	return command
}

// command returns the command that prints the script.
func (s script) command() *cobra.Command {
	var plain bool
	command := &cobra.Command{
		Use:                   s.shell,
		Short:                 "Print the script for " + s.shell,
		Long:                  "Print the script for " + s.shell + ". " + s.setup,
		Args:                  NoWords,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := s.write(command.Root(), command.OutOrStdout(), !plain); err != nil {
				return fmt.Errorf("print the script: %w", err)
			}
			return nil
		},
	}
	command.Flags().BoolVar(&plain, "no-descriptions", false, "complete names without descriptions")
	return command
}
