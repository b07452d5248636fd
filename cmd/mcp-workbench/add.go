package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/lock/lockreport"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/adapters/terminal/commandline"
	plans "mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

func newAddCommand(options *options) *cobra.Command {
	add := newAdding(options, &cobra.Command{
		Use:   "add NAME[@VERSION] [NAME=value…] | add NAME [flags] -- COMMAND ARGS… | add NAME URL | add FOLDER | add server.json",
		Short: "Add a server, from the MCP registry by its name or any other, or a plugin",
	})
	described := setup.DescribedServer{Kinds: checkingTransports()}
	add.Args = func(command *cobra.Command, args []string) error {
		if len(args) == 1 && command.ArgsLenAtDash() < 0 && plugins.IsIn(args[0]) {
			add.plugin = args[0]
			return add.checkPluginFlags()
		}
		if len(args) > 0 && command.ArgsLenAtDash() < 0 && setup.IsEntryFile(args[0]) {
			add.published.wish.File = args[0]
			isPublished, err := add.published.read(command, args, &described)
			if err == nil && !isPublished {
				err = errors.New("a server.json has all settings of the server; what it asks for is written as NAME=value")
			}
			return err
		}
		if len(args) == 1 && (filepath.IsAbs(args[0]) || strings.HasPrefix(args[0], ".")) {
			return fmt.Errorf("%s is not the folder of a plugin, which has a %s ('mcp-workbench help plugins')", args[0], plugins.Manifest)
		}
		if pasted, isPasted, err := setup.ReadPasted(args, command.ArgsLenAtDash()); isPasted || err != nil {
			for _, flag := range slices.Concat(registryFlags, describingFlags) {
				if err == nil && flag != "allow-options" && command.Flags().Changed(flag) && (flag != "yes" || !pasted.IsLinked) {
					err = fmt.Errorf("--%s cannot be used with JSON, which has all settings of the server", flag)
				}
			}
			if err == nil {
				add.isPasted = true
				add.server, err = setup.Kinds(checkingTransports()).ParseServer(pasted.Name, pasted.Text)
			}
			add.isLinked = pasted.IsLinked
			return err
		}
		isPublished, err := add.published.read(command, args, &described)
		if err == nil && !isPublished {
			add.server, err = described.Server(args, command.ArgsLenAtDash())
		}
		return err
	}
	add.published.addFlags(add.Command, options)
	add.SetFlagErrorFunc(commandline.AddFlagError)
	flags := add.Flags()
	flags.StringArrayVarP(&described.Env, "env", "e", nil, "a variable for the program: `KEY=VALUE`, or KEY for the value of the host's environment")
	flags.StringArrayVarP(&described.Headers, "header", "H", nil, "a header for the address: `'Name: value'`")
	flags.StringVarP(&described.Transport, "transport", "t", "", "the `kind` of the server: "+described.Kinds.Words())
	flags.StringVar(&described.Transport, "type", "", "as --transport")
	flags.Lookup("type").Hidden = true // READMEs for Factory write it
	flags.StringArrayVar(&described.Set, "set", nil, "a key of the server that has no flag, of any kind: `KEY=VALUE`, as text or as JSON")
	flags.StringVar(&described.URL, "url", "", "the `address` of the server, in place of the argument URL")
	flags.StringVar(&described.TokenVariable, "bearer-token-env-var", "", "the `NAME` of the variable with the token for the address")
	flags.StringVar(&described.Cwd, "cwd", "", "the folder in which the program is started")
	flags.StringVar(&described.ClientID, "client-id", "", "the id of an OAuth client that is registered with the server")
	flags.StringVar(&described.ClientSecret, "client-secret", "", "the secret of that client, as `'${NAME}'`; if the flag has no value, ${MCP_CLIENT_SECRET}")
	flags.Lookup("client-secret").NoOptDefVal = "${MCP_CLIENT_SECRET}" // the variable that Claude Code uses
	flags.StringVar(&described.Issuer, "issuer", "", "the `address` of the authorization server that may get the secret")
	flags.StringVar(&described.CallbackPort, "callback-port", "", "the `port` that the browser is redirected to after a login")
	return add.Command
}

// newAddJSONCommand returns the counterpart of 'claude mcp add-json'.
func newAddJSONCommand(options *options) *cobra.Command {
	add := newAdding(options, &cobra.Command{
		Use:    "add-json [NAME] JSON",
		Short:  "Add a server to the configuration, from JSON as in the file of a host",
		Hidden: true,
	})
	add.isPasted = true
	add.Args = func(command *cobra.Command, args []string) (err error) {
		if err = commandline.WordsBetween(1, 2, "name the server, and write its settings as JSON")(command, args); err != nil {
			return err
		}
		pasted, isPasted, err := setup.ReadPasted(args, -1)
		switch {
		case err != nil:
			return err
		case pasted.IsLinked:
			return errors.New("a link is shown and asked about: 'mcp-workbench add LINK'")
		case !isPasted && len(args) == 1:
			return errors.New("write the settings of the server as JSON: 'mcp-workbench add-json NAME JSON'")
		case !isPasted:
			pasted = setup.Pasted{Name: args[0], Text: []byte(args[1])}
		}
		add.server, err = setup.Kinds(checkingTransports()).ParseServer(pasted.Name, pasted.Text)
		return err
	}
	return add.Command
}

// adding is a command that adds the server that its arguments describe.
type adding struct {
	*cobra.Command
	server    plans.Server
	isLinked  bool
	published publishing
	// isPasted says that the server is JSON, which others may have written.
	isPasted bool
	// plugin is the folder of a plugin, "" for a server.
	plugin string
}

// checkPluginFlags refuses the flags that are not for plugins.
func (a *adding) checkPluginFlags() error {
	for _, flag := range slices.Concat(registryFlags, describingFlags) {
		if flag != "yes" && flag != "allow-options" && a.Flags().Changed(flag) {
			return fmt.Errorf("--%s cannot be used with the folder of a plugin, which has all settings of its servers", flag)
		}
	}
	return nil
}

func newAdding(options *options, command *cobra.Command) *adding {
	var toolbox, description string
	add := &adding{}
	add.Command = newChange(options, command, func(editor *setup.Editor, _ []string, scope string) error {
		if add.plugin != "" {
			editor.Yes, editor.AllowOptions = add.published.yes, add.published.wish.AllowOptions
			return setup.AddPlugin(editor, add.plugin, toolbox, description, scope)
		}
		if wish := add.published.wish; wish.Name != "" {
			wish.Toolbox, wish.Description, wish.Scope = toolbox, description, scope
			return add.published.add(command, editor, options, wish)
		}
		if add.isLinked {
			editor.AsksFirst, editor.Yes = true, add.published.yes
		}
		editor.IsPasted, editor.AllowOptions = add.isPasted, add.published.wish.AllowOptions
		return setup.Add(editor, add.server, toolbox, description, scope)
	})
	command.Flags().BoolVar(&add.published.wish.AllowOptions, "allow-options", false, "of the registry, a plugin, or JSON: accept what needs care without a question")
	command.Flags().StringVar(&toolbox, "toolbox", "", "the toolbox of the server (default: one that fits)")
	command.Flags().StringVar(&description, "description", "", "what a new toolbox is for")
	options.completing().FlagToolbox(command)
	return add
}

// publishing is the part of add for servers of the registry.
type publishing struct {
	// wish has the Name "" for a server that the command line describes.
	wish       setup.PublishedServer
	locks, yes bool
}

// registryFlags are the flags of add that are only for servers of the registry.
var registryFlags = []string{"registry", "package", "remote", "name", "yes", "allow-options", "lock"}

// describingFlags are the flags of add that describe a server.
var describingFlags = []string{
	"env", "header", "transport", "type", "set", "url", "bearer-token-env-var", "cwd", "client-id", "client-secret", "issuer", "callback-port",
}

func (p *publishing) addFlags(command *cobra.Command, options *options) {
	flags := command.Flags()
	addRegistryFlag(command, options)
	flags.StringVar(&p.wish.Choice.Type, "package", "", "of the registry: take a package of this `type`: "+strings.Join(registry.Types(), ", "))
	flags.BoolVar(&p.wish.Choice.Remote, "remote", false, "of the registry: take an address, and no package")
	flags.StringVar(&p.wish.As, "name", "", "of the registry: the `name` of the server here (default: the last part of its name)")
	flags.BoolVar(&p.yes, "yes", false, "of the registry, a plugin or a link: write without asking, unless something needs care")
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
	if p.wish.Name = words[0]; p.wish.File == "" {
		p.wish.Name, p.wish.Version, err = setup.SplitVersion(words[0])
	}
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
				flags.Update, flags.Yes, names = true, true, []string{id.Path()} // the yes of add covers it
			}
			return lock(command.Context(), *options, flags, names)
		}
	}
	return setup.AddPublished(command.Context(), editor, wish)
}
