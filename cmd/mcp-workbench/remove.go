package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/configtext"
	"mcp-workbench/domain"
)

func newRemoveCommand(options *options) *cobra.Command {
	r := &removing{}
	command := &cobra.Command{
		Use:     "remove NAME | TOOLBOX/NAME",
		Aliases: []string{"rm"},
		Short:   "Take a server out of the configuration",
		Long: `Take a server out of the configuration, which keeps its comments. A toolbox goes
with its last server.`,
		Args: wordsBetween(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			r.open(*options)
			return r.run(*options, args[0])
		},
	}
	r.addFileFlags(command)
	addScopeFlag(command, &r.scope)
	command.Flags().StringVar(&r.toolbox, "toolbox", "", "the toolbox that the server is in")
	return command
}

// removing is the command remove.
type removing struct {
	editing
	toolbox, scope string
}

func (r *removing) run(options options, name string) error {
	own, err := openOwnFile(options)
	if err != nil {
		return ended(err)
	}
	if err := own.fits(r.scope); err != nil {
		return err
	}
	toolbox, server, err := r.find(own, name)
	if err != nil {
		return ended(err)
	}
	after, err := configtext.Remove(own.text(), toolbox, server)
	if err != nil {
		return ended(err)
	}
	if _, err := own.check(after); err != nil {
		return ended(unusable(err))
	}
	result := edit{File: own.path, Toolbox: toolbox, Server: server, Notes: []string{}}
	return r.write(own.proposal(after, false), result, fmt.Sprintf("%s/%s is gone from %s. %s", toolbox, server, own.path, own.takingUp()))
}

// find returns the one server that is meant.
func (r *removing) find(own *ownFile, wanted string) (toolbox, server string, err error) {
	toolboxes, err := configtext.Toolboxes(own.text())
	if err != nil {
		return "", "", err
	}
	var all, found []string
	for _, box := range toolboxes {
		for _, s := range box.Servers {
			all = append(all, s.Name, box.Name+"/"+s.Name)
			if (s.Name == wanted || box.Name+"/"+s.Name == wanted) && (r.toolbox == "" || r.toolbox == box.Name) {
				found = append(found, box.Name+"/"+s.Name)
				toolbox, server = box.Name, s.Name
			}
		}
	}
	switch {
	case len(found) == 1:
		return toolbox, server, nil
	case len(found) > 1:
		return "", "", fmt.Errorf("%q is in several toolboxes; say which: 'mcp-workbench remove %s'", wanted, strings.Join(found, "' or 'mcp-workbench remove "))
	}
	if nearest, ok := domain.Nearest(wanted, all); ok && nearest != wanted {
		return "", "", fmt.Errorf("no server %q in %s; %s", wanted, own.path, domain.DidYouMean(nearest))
	}
	if len(all) == 0 {
		return "", "", fmt.Errorf("no server %q in %s: it has none", wanted, own.path)
	}
	return "", "", fmt.Errorf("no server %q in %s; 'mcp-workbench list' shows those that there are", wanted, own.path)
}
