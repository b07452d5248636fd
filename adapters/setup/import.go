package setup

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"mcp-workbench/adapters/config"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// importPlan is a configuration with servers of hosts in it, before it is written. Its JSON is the
// result of import and init.
type importPlan struct {
	File     string           `json:"file"`
	Created  bool             `json:"created"`
	Changes  bool             `json:"changes"`
	Written  bool             `json:"written"`
	Imported []setup.Imported `json:"imported"`
	Left     []setup.Skipped  `json:"left"`
	Unread   []unreadFile     `json:"unread"`
	// Schema is where init writes the JSON Schema of the configuration.
	Schema string `json:"schema,omitempty"`
	Diff   string `json:"diff,omitempty"`

	change change
}

type unreadFile struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// Import puts servers of hosts into the configuration: those of the sources, which are hosts
// and files, or of all hosts. All servers go into the toolbox if one is given.
func (e *Editor) Import(sources []string, toolbox string) error {
	own, err := e.openOwnFile()
	if err != nil {
		return err
	}
	found, err := e.findServers(sources)
	if err != nil {
		return err
	}
	plan, err := own.plan(found, toolbox, len(sources) == 0 && !e.asks())
	if err != nil {
		return err
	}
	e.reportImport(plan)
	if plan.Changes {
		if plan.Written, err = e.settle(plan.change); err != nil {
			return err
		}
	}
	e.sayVariables(plan)
	switch {
	case !plan.Changes:
		e.say("nothing to import into %s", plan.File)
	case plan.Written:
		e.say("%s: written. Next: 'mcp-workbench connect --all --replace'", plan.File)
	}
	return e.finish(plan, len(plan.Unread) > 0)
}

// reportImport prints what is about to be imported.
func (e *Editor) reportImport(plan *importPlan) {
	for _, unread := range plan.Unread {
		e.Console.Err.Printf("mcp-workbench: %s\n", unread.Error)
	}
	for _, server := range plan.Imported {
		line := fmt.Sprintf("%s/%s from %s", server.Toolbox, server.Name, server.Path)
		if server.Scope == serverconfig.Project {
			line += ", which belongs to the project in this folder"
		}
		e.say("%s", domain.LineText(line))
		for _, note := range server.Notes {
			e.say("  note: %s", domain.LineText(note))
		}
	}
	for _, server := range plan.Left {
		e.say("not imported: %q of %s: %s", server.Name, server.Path, domain.LineText(server.Reason))
	}
}

// sayVariables prints which secrets the configuration contains, with the lines that move them
// to the environment, and which secrets the environment needs.
func (e *Editor) sayVariables(plan *importPlan) {
	var kept, referred []string
	for _, server := range plan.Imported {
		for _, secret := range server.Secrets {
			place := domain.LineText(fmt.Sprintf("%s of %s/%s", secret.Key, server.Toolbox, server.Name))
			if secret.Referred {
				referred = append(referred, fmt.Sprintf("  %s (%s)", secret.Variable, place))
			} else {
				kept = append(kept, fmt.Sprintf("  %s   and \"${%s}\" in %s", environmentLine(secret.Variable), secret.Variable, place))
			}
		}
	}
	e.sayList("Secrets that stay in plain text. To keep them in the environment instead:", kept)
	e.sayList("Secrets that the environment of the hosts must contain:", referred)
}

// environmentLine returns the line that adds a variable to the environment.
func environmentLine(name string) string {
	if runtime.GOOS == "windows" {
		return "setx " + name + " …"
	}
	return "export " + name + "=…"
}

func (e *Editor) sayList(title string, lines []string) {
	if len(lines) > 0 {
		e.say("%s", title)
	}
	for _, line := range lines {
		e.say("%s", line)
	}
}

// plan returns the configuration with the servers that were found. One that the check of the
// configuration refuses is added as a disabled one. Servers of the project are skipped if
// nobody reviews them.
func (f *ownFile) plan(found found, toolbox string, unreviewed bool) (*importPlan, error) {
	configuration, err := f.configuration()
	if err != nil {
		return nil, err
	}
	p := &importPlan{File: f.path, Created: f.isNew(), Unread: found.unread}
	servers := found.servers
	if unreviewed {
		servers, p.Left = setup.Unreviewed(servers)
	}
	imported, skipped := configuration.Import(servers, toolbox, os.LookupEnv)
	p.Imported, p.Left, p.Changes = imported, append(skipped, p.Left...), len(imported) > 0
	after, private := f.text(), false
	for i := range p.Imported {
		server := &p.Imported[i]
		edited, err := f.add(after, server)
		if invalid, ok := errors.AsType[*config.InvalidError](err); ok && !server.Disabled {
			server.Disable(invalid.Problems[0].String())
			edited, err = f.add(after, server)
		}
		if err != nil {
			return nil, err
		}
		after, private = edited, private || server.HasSecrets()
	}
	p.change = f.change(after, private)
	if p.Changes {
		p.Diff = p.change.diff()
	}
	return p, nil
}

// add returns a text with a server in it, once it was checked.
func (f *ownFile) add(text []byte, server *setup.Imported) ([]byte, error) {
	after, err := addServer(text, server.Place, server.Name, server.Settings)
	if err == nil {
		_, err = f.check(after)
	}
	return after, err
}
