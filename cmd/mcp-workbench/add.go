package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostimport"
)

func newAddCommand(options *options) *cobra.Command {
	a := &adding{}
	command := &cobra.Command{
		Use:   "add NAME [flags] -- COMMAND ARGS… | add NAME URL",
		Short: "Put a server into the configuration",
		Long: `Put a server into a toolbox of the configuration, which keeps its comments. What
comes of it is checked before it is written.

  mcp-workbench add git -- uvx mcp-server-git --repository .
  mcp-workbench add airtable -e AIRTABLE_API_KEY -- npx -y airtable-mcp-server
  mcp-workbench add sentry https://mcp.sentry.dev/mcp --toolbox code
  mcp-workbench add api https://host/sse --transport sse -H 'Authorization: Bearer ${TOKEN}'`,
		Args: a.arguments,
		RunE: func(*cobra.Command, []string) error {
			settings, err := a.settings(a.words)
			if err != nil {
				return err
			}
			a.open(*options)
			return a.run(*options, hostfiles.Server{Name: a.name, Settings: settings})
		},
	}
	command.SetFlagErrorFunc(adviseOnFlags)
	a.addPlaceFlags(command)
	flags := command.Flags()
	flags.StringArrayVarP(&a.env, "env", "e", nil, "a variable for the program: `KEY=VALUE`, or KEY for the value of the host's environment")
	flags.StringArrayVarP(&a.headers, "header", "H", nil, "a header for the address: `'Name: value'`")
	a.login.addFlags(command)
	flags.StringVarP(&a.transport, "transport", "t", "", "stdio, http or sse")
	flags.StringVar(&a.cwd, "cwd", "", "the folder that the program is started in")
	return command
}

// adding is the command add.
type adding struct {
	editing
	toolbox, description string
	env, headers         []string
	transport, cwd       string
	login                addedLogin
	scope                string

	// name and words are what the arguments say.
	name  string
	words []string
}

// addPlaceFlags gives a command the flags about where a server goes.
func (a *adding) addPlaceFlags(command *cobra.Command) {
	a.addFileFlags(command)
	command.Flags().StringVar(&a.toolbox, "toolbox", "", "the toolbox to put it into (default: one that fits)")
	command.Flags().StringVar(&a.description, "description", "", "what a new toolbox is for")
	addScopeFlag(command, &a.scope)
}

// edit is what add and remove did, the form of --json.
type edit struct {
	File    string   `json:"file"`
	Created bool     `json:"created"`
	Toolbox string   `json:"toolbox"`
	Server  string   `json:"server"`
	Written bool     `json:"written"`
	Notes   []string `json:"notes"`
	Diff    string   `json:"diff"`
}

// arguments checks that there is a name and what it stands for.
func (a *adding) arguments(command *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("name the server: 'mcp-workbench add NAME -- COMMAND ARGS…' or 'mcp-workbench add NAME URL'")
	case command.ArgsLenAtDash() == 0:
		return errors.New("name the server before '--': 'mcp-workbench add NAME -- COMMAND ARGS…'")
	case len(args) == 1:
		return fmt.Errorf("say what %q is: 'mcp-workbench add %s -- COMMAND ARGS…' or 'mcp-workbench add %s URL'", args[0], args[0], args[0])
	}
	a.name, a.words = args[0], a.takeValues(args[1:], command.ArgsLenAtDash()-1)
	if isPair().MatchString(a.name) {
		return errors.New("no server is called NAME=VALUE: give each variable an '-e' of its own, and name the server")
	}
	_, err := a.settings(a.words)
	return err
}

// settings returns the server that the command line describes.
func (a *adding) settings(words []string) (hostfiles.Settings, error) {
	isAddress := len(words) == 1 && isAddress(words[0])
	settings := hostfiles.Settings{Cwd: a.cwd}
	if strings.HasPrefix(strings.ToLower(a.transport), "streamable") {
		a.transport = "http" // "streamable-http" and the like are what others call it
	}
	switch {
	case len(words) == 0:
		return settings, errors.New("say what the server is: a command after '--', or an address")
	case !isAddress && len(words) == 1 && isCommandLine(words[0]):
		return settings, errors.New("the command is one word with spaces in it; leave its quotes out: 'mcp-workbench add NAME -- COMMAND ARGS…'")
	case a.transport != "" && !slices.Contains([]string{"stdio", "http", "sse"}, a.transport):
		return settings, fmt.Errorf("--transport %q: use stdio, http or sse", a.transport)
	case isAddress && (len(a.env) > 0 || a.cwd != "" || a.transport == "stdio"):
		return settings, errors.New("--env, --cwd and --transport stdio are for programs; an address takes --header")
	case !isAddress && a.login != (addedLogin{}):
		return settings, errors.New("--client-id, --client-secret, --issuer and --callback-port are for addresses, and --client-secret takes no value but '--client-secret=${NAME}'")
	case !isAddress && len(a.headers) > 0:
		return settings, errors.New("--header is for addresses; a program takes --env")
	case !isAddress && a.transport != "" && a.transport != "stdio":
		return settings, fmt.Errorf("--transport %s wants an address that begins with https:// or http://", a.transport)
	}
	if isAddress {
		settings.URL = words[0]
		if a.transport == "sse" {
			settings.Transport = "sse"
		}
	} else {
		settings.Command, settings.Args = words[0], words[1:]
	}
	var err error
	if settings.OAuth, err = a.login.settings(); err != nil {
		return settings, err
	}
	if settings.Env, err = pairs(a.env, "=", "--env", "KEY=VALUE or KEY"); err != nil {
		return settings, err
	}
	settings.Headers, err = pairs(a.headers, ":", "--header", "'Name: value'")
	return settings, err
}

// pairs parts texts at a separator. A variable without a value is a reference to itself.
// No failure shows a value.
func pairs(texts []string, separator, flag, form string) (map[string]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, separator)
		if name = strings.TrimSpace(name); name == "" || !ok && separator != "=" {
			return nil, fmt.Errorf("%s wants %s", flag, form)
		}
		if !ok {
			value = "${" + name + "}"
		}
		if separator == ":" {
			value = strings.TrimSpace(value)
		}
		all[name] = value
	}
	return all, nil
}

// run puts a server into the configuration.
func (a *adding) run(options options, server hostfiles.Server) error {
	own, err := openOwnFile(options)
	if err != nil {
		return ended(err)
	}
	if err := own.fits(a.scope); err != nil {
		return err
	}
	settings := server.Settings
	if err := a.refuse(own, server); err != nil {
		return ended(err)
	}
	toolbox, description := hostimport.Propose(server)
	if a.toolbox != "" {
		toolbox, description = a.toolbox, ""
	}
	if a.description != "" {
		description = a.description
	}
	after, err := configtext.Add(own.text(), toolbox, description, server.Name, settings)
	if err != nil {
		return ended(err)
	}
	configuration, err := own.check(after)
	if err != nil {
		return ended(unusable(err))
	}
	result := edit{File: own.path, Created: own.isNew(), Toolbox: toolbox, Server: server.Name, Notes: append([]string{}, server.Notes...)}
	for _, warning := range configuration.Warnings {
		if strings.HasPrefix(warning.KeyPath, "toolboxes."+toolbox+".mcpServers."+server.Name+".") {
			result.Notes = append(result.Notes, warning.Message)
		}
	}
	private := len(server.Secrets()) > 0 || settings.HasInlineSecrets()
	return a.write(own.proposal(after, private), result, fmt.Sprintf("%s/%s is in %s. %s", toolbox, server.Name, own.path, own.takingUp()))
}

// refuse returns why a server cannot be added, nil when it can.
func (a *adding) refuse(own *ownFile, server hostfiles.Server) error {
	toolboxes, err := configtext.Toolboxes(own.text())
	if err != nil {
		return err
	}
	for _, toolbox := range toolboxes {
		for _, other := range toolbox.Servers {
			if other.Name == server.Name && (a.toolbox == "" || a.toolbox == toolbox.Name) {
				return fmt.Errorf("%s/%s exists in %s; run 'mcp-workbench remove %s' first, or take another name",
					toolbox.Name, other.Name, own.path, toolbox.Name+"/"+other.Name)
			}
		}
	}
	if own.isShared() && (len(server.Secrets()) > 0 || server.Settings.HasInlineSecrets()) {
		return fmt.Errorf("%s belongs to a project, so no secret is written into it; write \"${NAME}\" in its place, or '--env NAME'", own.path)
	}
	return nil
}

// write makes a change of the configuration that its author asked for by the command
// itself, so there is no question.
func (e *editing) write(p proposal, result edit, done string) error {
	result.Diff = p.diff()
	for _, note := range result.Notes {
		if err := e.say("note: %s", note); err != nil {
			return ended(err)
		}
	}
	e.yes = true
	if e.dryRun {
		if _, err := e.settle(p); err != nil {
			return ended(err)
		}
		return e.finish(result, false)
	}
	if err := p.apply(); err != nil {
		return ended(err)
	}
	result.Written = true
	if err := e.say("%s", done); err != nil {
		return ended(err)
	}
	return e.finish(result, false)
}

// addFileFlags gives a command the flags of editing that make sense without a question.
func (e *editing) addFileFlags(command *cobra.Command) {
	command.Flags().BoolVar(&e.dryRun, "dry-run", false, "show what would be written, and write nothing")
	command.Flags().BoolVar(&e.asJSON, "json", false, "print one JSON object ('mcp-workbench help hosts' has its form)")
}
