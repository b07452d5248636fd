package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain"
)

// What people are used to from 'claude mcp add' works here as well, or the failure says
// what to do instead.

// isPair matches "NAME=VALUE". It is compiled when it is needed, since every start of
// the program would pay otherwise.
var isPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })

// takeValues takes the words out that follow the value of '-e' or '-H' and are further
// values: there these flags take several. The command begins at dash, when there is one.
func (a *adding) takeValues(words []string, dash int) []string {
	if len(a.env) > 0 && dash > 0 {
		for ; dash > 0 && isPair().MatchString(words[0]); dash-- {
			a.env = append(a.env, words[0])
			words = words[1:]
		}
	}
	if len(a.headers) > 0 && len(words) > 1 && isAddress(words[0]) {
		a.headers = append(a.headers, words[1:]...)
		words = words[:1]
	}
	return words
}

func isAddress(word string) bool {
	return strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://")
}

// isCommandLine reports whether a word is a command with its arguments and not the path
// of a program.
func isCommandLine(word string) bool {
	_, err := os.Stat(word)
	return err != nil && strings.Contains(strings.TrimSpace(word), " ")
}

// adviseOnFlags says what to do about a flag that there is none of.
func adviseOnFlags(_ *cobra.Command, err error) error {
	text := err.Error()
	switch {
	case !strings.HasPrefix(text, "unknown"):
		return err
	case strings.Contains(text, "--client-") || strings.Contains(text, "--callback-"):
		return fmt.Errorf("%w; 'mcp-workbench help configuration' says what the workbench does about OAuth", err)
	}
	return fmt.Errorf("%w; flags of the server's program come after '--': 'mcp-workbench add NAME -- COMMAND ARGS…'", err)
}

func addScopeFlag(command *cobra.Command, scope *string) {
	command.Flags().StringVarP(scope, "scope", "s", "", "user or project: fail if the configuration in use is another")
}

// fits returns why the configuration in use is not the one of a scope.
func (f *ownFile) fits(scope string) error {
	isProject := f.origin == config.FromWorkingDirectory || f.isShared()
	switch {
	case scope == "", scope == "user" && !isProject, scope == "project" && isProject:
		return nil
	case scope == "user", scope == "project", scope == "local":
		return fmt.Errorf("--scope %s: the configuration in use is %s; leave the flag out to write there, or name another with '--config FILE'", scope, f.path)
	}
	return fmt.Errorf("--scope %q: use user or project, or leave it out", scope)
}

// newAddJSONCommand is the other form of 'claude mcp add'.
func newAddJSONCommand(options *options) *cobra.Command {
	a := &adding{}
	command := &cobra.Command{
		Use:    "add-json NAME JSON",
		Short:  "Put a server into the configuration that is written as in the file of a host",
		Args:   wordsBetween(2, 2),
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			server, err := hostfiles.ParseServer(args[0], []byte(args[1]))
			if err != nil {
				return err
			}
			a.open(*options)
			return a.run(*options, server)
		},
	}
	a.addPlaceFlags(command)
	return command
}

// insteadOf are commands of other programs, and what does the same here.
var insteadOf = map[string]string{
	"mcp":                     "leave out 'mcp'",
	"get":                     "run 'mcp-workbench list TOOLBOX/SERVER'",
	"tools":                   "run 'mcp-workbench list TOOLBOX'",
	"add-from-claude-desktop": "run 'mcp-workbench import claude-desktop'",
	"edit":                    "the configuration is a file: 'mcp-workbench validate' says where, and checks it",
}

// noCommand says which command is meant by a word that is none.
func noCommand(command *cobra.Command, words []string) error {
	err := cobra.NoArgs(command, words)
	if err == nil {
		return nil
	}
	if advice, known := insteadOf[words[0]]; known {
		return fmt.Errorf("%w; %s", err, advice)
	}
	var names []string
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() && !child.IsAdditionalHelpTopicCommand() {
			names = append(names, child.Name())
		}
	}
	return fmt.Errorf("%w%s", err, domain.Suggest(words[0], names))
}
