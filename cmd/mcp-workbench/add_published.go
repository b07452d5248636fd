package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/lock/lockreport"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/domain"
)

// publishing is the part of add for servers of the registry.
type publishing struct {
	// wish has the Name "" for a server that the command line describes.
	wish       setup.PublishedServer
	locks, yes bool
}

// registryFlags are the flags of add that are only for servers of the registry.
var registryFlags = []string{"registry", "package", "remote", "name", "yes", "allow-options", "lock"}

func (p *publishing) addFlags(command *cobra.Command, options *options) {
	flags := command.Flags()
	addRegistryFlag(command, options)
	flags.StringVar(&p.wish.Choice.Type, "package", "", "of the registry: take a package of this `type`: "+strings.Join(registry.Types(), ", "))
	flags.BoolVar(&p.wish.Choice.Remote, "remote", false, "of the registry: take an address, and no package")
	flags.StringVar(&p.wish.As, "name", "", "of the registry: the `name` of the server here (default: the last part of its name)")
	flags.BoolVar(&p.yes, "yes", false, "of the registry: write without asking, unless something needs care")
	flags.BoolVar(&p.wish.AllowOptions, "allow-options", false, "of the registry: with --yes, accept what needs care too")
	flags.BoolVar(&p.locks, "lock", false, "of the registry: then start the server, and lock its tools and its package")
	command.MarkFlagsMutuallyExclusive("package", "remote")
	command.MarkFlagsMutuallyExclusive("yes", "dry-run")
	command.MarkFlagsMutuallyExclusive("lock", "dry-run")
	command.MarkFlagsMutuallyExclusive("lock", "json")
}

// read reads the words of add, and reports whether they name a server of the registry.
func (p *publishing) read(command *cobra.Command, words []string, described *setup.DescribedServer) (isPublished bool, err error) {
	if !described.NamesPublished(words, command.ArgsLenAtDash()) {
		for _, flag := range registryFlags {
			if command.Flags().Changed(flag) {
				return false, fmt.Errorf("--%s is for servers of the registry: 'mcp-workbench add NAME'", flag)
			}
		}
		return false, nil
	}
	if kind := p.wish.Choice.Type; kind != "" && !slices.Contains(registry.Types(), kind) {
		return true, fmt.Errorf("--package %q: use %s", kind, strings.Join(registry.Types(), ", "))
	}
	p.wish.Answers = words[1:]
	p.wish.Name, p.wish.Version, err = setup.SplitVersion(words[0])
	return true, err
}

// add adds the server of the registry.
func (p *publishing) add(command *cobra.Command, editor *setup.Editor, options *options, wish setup.PublishedServer) error {
	editor.Yes = p.yes
	if p.locks {
		// Decision: without a lock yet, all servers are locked, since a lock that lacks some reports them as new.
		wish.Added = func(path string, id domain.ServerID) error {
			flags, names := lockreport.Flags{Packages: true}, []string(nil)
			if trust.LockBeside(path) != nil {
				flags.Update, names = true, []string{id.Path()}
			}
			return lock(command.Context(), *options, flags, names)
		}
	}
	return editor.AddPublished(command.Context(), wish)
}
