package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostimport"
	"mcp-workbench/domain"
)

func newImportCommand(options *options) *cobra.Command {
	i := &importing{}
	command := &cobra.Command{
		Use:   "import [HOST|FILE…]",
		Short: "Take the servers of hosts into the configuration",
		Long: `Take the servers in the files of hosts into toolboxes of the configuration: those
of the hosts or files that are named or, without a name, of every host on this machine.
Servers of the project in the working folder are then taken only after a question.
'-' is standard input. What is in the configuration already stays as it is. The
hosts' files are not changed: 'mcp-workbench connect --replace' does that.

Values that look like secrets are never printed. One whose variable is set in this
environment is taken as "${NAME}"; the others are kept in the configuration, which
only you can read, unless it belongs to a project.

Hosts: ` + strings.Join(hostIDs(), ", ") + `.`,
		Args: i.sources,
		RunE: func(_ *cobra.Command, sources []string) error {
			i.open(*options)
			return i.run(*options, sources)
		},
	}
	i.addFlags(command)
	command.Flags().StringVar(&i.toolbox, "toolbox", "", "the toolbox for all of them (default: one that fits each)")
	return command
}

// importing is the command import.
type importing struct {
	editing
	toolbox string
}

// importResult is what import did, the form of --json.
type importResult struct {
	File     string           `json:"file"`
	Created  bool             `json:"created"`
	Changes  bool             `json:"changes"`
	Written  bool             `json:"written"`
	Imported []importedServer `json:"imported"`
	Left     []leftServer     `json:"left"`
	Unread   []unreadFile     `json:"unread"`
	// Schema is where init writes the JSON Schema of the configuration.
	Schema string `json:"schema,omitempty"`
	Diff   string `json:"diff,omitempty"`
}

type importedServer struct {
	Toolbox  string           `json:"toolbox"`
	Server   string           `json:"server"`
	Host     string           `json:"host,omitempty"`
	File     string           `json:"file"`
	Scope    string           `json:"scope,omitempty"`
	Disabled bool             `json:"disabled"`
	Notes    []string         `json:"notes"`
	Secrets  []importedSecret `json:"secrets"`
}

type importedSecret struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Variable string `json:"variable"`
	Referred bool   `json:"referred"`
}

type leftServer struct {
	Server string `json:"server"`
	Host   string `json:"host,omitempty"`
	File   string `json:"file"`
	Reason string `json:"reason"`
}

type unreadFile struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// sources checks the names of hosts and files.
func (i *importing) sources(_ *cobra.Command, sources []string) error {
	for _, source := range sources {
		if _, known := hostfiles.Find(source); known || source == "-" || strings.ContainsAny(source, `./\`) {
			continue
		}
		if _, err := os.Stat(source); err != nil {
			return unknownHost(source)
		}
	}
	return nil
}

func (i *importing) run(options options, sources []string) error {
	own, err := openOwnFile(options)
	if err != nil {
		return ended(err)
	}
	found, err := findServers(sources)
	if err != nil {
		return ended(err)
	}
	if len(sources) == 0 && !i.asks() {
		found.withoutProject()
	}
	prepared, err := own.take(found.servers, i.toolbox)
	if err != nil {
		return ended(err)
	}
	result := prepared.result()
	result.Unread = append(result.Unread, found.unread...)
	result.Left = append(result.Left, found.left...)
	if err := i.report(result); err != nil {
		return ended(err)
	}
	if len(prepared.taken) > 0 {
		if result.Written, err = i.settle(prepared.proposal); err != nil {
			return ended(err)
		}
	}
	if err := i.conclude(result); err != nil {
		return ended(err)
	}
	return i.finish(result, len(found.unread) > 0)
}

// report prints what is about to be taken.
func (i *importing) report(result importResult) error {
	for _, unread := range result.Unread {
		console.Err.Printf("mcp-workbench: %s\n", unread.Error)
	}
	for _, server := range result.Imported {
		line := fmt.Sprintf("%s/%s from %s", server.Toolbox, server.Server, server.File)
		if server.Scope == string(hostfiles.Project) {
			line += ", which belongs to the project in this folder"
		}
		if err := i.say("%s", domain.LineText(line)); err != nil {
			return err
		}
		for _, note := range server.Notes {
			if err := i.say("  note: %s", domain.LineText(note)); err != nil {
				return err
			}
		}
	}
	for _, server := range result.Left {
		if err := i.say("not taken: %q of %s: %s", server.Server, server.File, domain.LineText(server.Reason)); err != nil {
			return err
		}
	}
	return nil
}

// conclude prints what is to be done next.
func (i *importing) conclude(result importResult) error {
	if err := i.sayVariables(result); err != nil {
		return err
	}
	switch {
	case len(result.Imported) == 0:
		return i.say("nothing to import into %s", result.File)
	case result.Written:
		return i.say("%s: written. Next: 'mcp-workbench connect --all --replace'", result.File)
	}
	return nil
}

// sayVariables prints which secrets were kept, with the lines by which the environment
// can hold them, and which the environment has to hold.
func (i *importing) sayVariables(result importResult) error {
	var kept, referred []string
	for _, server := range result.Imported {
		for _, secret := range server.Secrets {
			place := domain.LineText(fmt.Sprintf("%s of %s/%s", secret.Key, server.Toolbox, server.Server))
			if secret.Referred {
				referred = append(referred, fmt.Sprintf("  %s (%s)", secret.Variable, place))
			} else {
				kept = append(kept, fmt.Sprintf("  %s   and \"${%s}\" in %s", environmentLine(secret.Variable), secret.Variable, place))
			}
		}
	}
	if err := i.sayList("Secrets that stay in plain text. To have the environment hold them instead:", kept); err != nil {
		return err
	}
	return i.sayList("Secrets that the environment of the hosts has to hold:", referred)
}

// environmentLine returns the line by which the environment gets a variable.
func environmentLine(name string) string {
	if runtime.GOOS == "windows" {
		return "setx " + name + " …"
	}
	return "export " + name + "=…"
}

func (i *importing) sayList(title string, lines []string) error {
	for n, line := range lines {
		if n == 0 {
			line = title + "\n" + line
		}
		if err := i.say("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// prepared is a configuration with servers of hosts in it, before it is written.
type prepared struct {
	own   *ownFile
	taken []hostimport.Taken
	left  []hostimport.Left
	after []byte
	proposal
}

// result returns what is reported of it.
func (p *prepared) result() importResult {
	result := importResult{
		File: p.own.path, Created: p.own.isNew(), Changes: len(p.taken) > 0,
		Imported: []importedServer{}, Left: []leftServer{}, Unread: []unreadFile{},
	}
	if result.Changes {
		result.Diff = p.diff()
	}
	for _, t := range p.taken {
		server := importedServer{
			Toolbox: t.Toolbox, Server: t.Name, Host: t.From.File.Host, File: t.From.File.Path,
			Scope: string(t.From.File.Scope), Disabled: t.Settings.Disabled,
			Notes: append([]string{}, t.Notes...), Secrets: []importedSecret{},
		}
		for _, secret := range t.Secrets {
			server.Secrets = append(server.Secrets, importedSecret(secret))
		}
		result.Imported = append(result.Imported, server)
	}
	for _, l := range p.left {
		result.Left = append(result.Left, leftServer{Server: l.From.Name, Host: l.From.File.Host, File: l.From.File.Path, Reason: l.Reason})
	}
	return result
}
