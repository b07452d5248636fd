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

// importResult is what import and init did, the form of --json.
type importResult struct {
	File     string           `json:"file"`
	Created  bool             `json:"created"`
	Changes  bool             `json:"changes"`
	Written  bool             `json:"written"`
	Imported []importedServer `json:"imported"`
	Left     []skippedServer  `json:"left"`
	Unread   []unreadFile     `json:"unread"`
	// Schema is where init writes the JSON Schema of the configuration.
	Schema string `json:"schema,omitempty"`
	Diff   string `json:"diff,omitempty"`
}

type importedServer struct {
	Toolbox  string         `json:"toolbox"`
	Server   string         `json:"server"`
	Host     string         `json:"host,omitempty"`
	File     string         `json:"file"`
	Scope    string         `json:"scope,omitempty"`
	Disabled bool           `json:"disabled"`
	Notes    []string       `json:"notes"`
	Secrets  []setup.Secret `json:"secrets"`
}

type skippedServer struct {
	Server string `json:"server"`
	Host   string `json:"host,omitempty"`
	File   string `json:"file"`
	Reason string `json:"reason"`
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
	result := plan.result()
	e.reportImport(result)
	if result.Changes {
		if result.Written, err = e.settle(plan.change); err != nil {
			return err
		}
	}
	e.sayVariables(result)
	switch {
	case !result.Changes:
		e.say("nothing to import into %s", result.File)
	case result.Written:
		e.say("%s: written. Next: 'mcp-workbench connect --all --replace'", result.File)
	}
	return e.finish(result, len(result.Unread) > 0)
}

// reportImport prints what is about to be imported.
func (e *Editor) reportImport(result importResult) {
	for _, unread := range result.Unread {
		e.Console.Err.Printf("mcp-workbench: %s\n", unread.Error)
	}
	for _, server := range result.Imported {
		line := fmt.Sprintf("%s/%s from %s", server.Toolbox, server.Server, server.File)
		if server.Scope == string(serverconfig.Project) {
			line += ", which belongs to the project in this folder"
		}
		e.say("%s", domain.LineText(line))
		for _, note := range server.Notes {
			e.say("  note: %s", domain.LineText(note))
		}
	}
	for _, server := range result.Left {
		e.say("not imported: %q of %s: %s", server.Server, server.File, domain.LineText(server.Reason))
	}
}

// sayVariables prints which secrets the configuration contains, with the lines that move them
// to the environment, and which secrets the environment needs.
func (e *Editor) sayVariables(result importResult) {
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

// importPlan is a configuration with servers of hosts in it, before it is written.
type importPlan struct {
	own      *ownFile
	imported []setup.Imported
	skipped  []setup.Skipped
	unread   []unreadFile
	change
}

// plan returns the configuration with the servers that were found. One that the check of the
// configuration refuses is added as a disabled one. Servers of the project are skipped if
// nobody reviews them.
func (f *ownFile) plan(found found, toolbox string, unreviewed bool) (*importPlan, error) {
	configuration, err := f.configuration()
	if err != nil {
		return nil, err
	}
	p := &importPlan{own: f, unread: found.unread}
	servers := found.servers
	if unreviewed {
		servers, p.skipped = setup.Unreviewed(servers)
	}
	imported, skipped := configuration.Import(servers, toolbox, os.LookupEnv)
	p.imported, p.skipped = imported, append(skipped, p.skipped...)
	after, private := f.text(), false
	for i := range p.imported {
		server := &p.imported[i]
		edited, err := f.add(after, server)
		if invalid, ok := errors.AsType[*config.InvalidError](err); ok && !server.Settings.Disabled {
			server.Disable(invalid.Problems[0].String())
			edited, err = f.add(after, server)
		}
		if err != nil {
			return nil, err
		}
		after, private = edited, private || server.HasSecrets()
	}
	p.change = f.change(after, private)
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

// result returns what is reported of a plan.
func (p *importPlan) result() importResult {
	result := importResult{
		File: p.own.path, Created: p.own.isNew(), Changes: len(p.imported) > 0,
		Imported: []importedServer{}, Left: []skippedServer{}, Unread: append([]unreadFile{}, p.unread...),
	}
	if result.Changes {
		result.Diff = p.diff()
	}
	for _, i := range p.imported {
		result.Imported = append(result.Imported, importedServer{
			Toolbox: i.Toolbox, Server: i.Name, Host: i.From.File.Host, File: i.From.File.Path, Scope: string(i.From.File.Scope),
			Disabled: i.Settings.Disabled, Notes: append([]string{}, i.Notes...), Secrets: append([]setup.Secret{}, i.Secrets...),
		})
	}
	for _, s := range p.skipped {
		result.Left = append(result.Left, skippedServer{Server: s.From.Name, Host: s.From.File.Host, File: s.From.File.Path, Reason: s.Reason})
	}
	return result
}
