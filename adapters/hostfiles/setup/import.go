package setup

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/review"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// importPlan is a configuration with servers of hosts in it, before it is written. Its JSON is the
// result of import and init.
type importPlan struct {
	File     string           `json:"file"`
	Created  bool             `json:"created"`
	Changes  bool             `json:"changes"`
	Written  bool             `json:"written"`
	Imported []setup.Imported `json:"imported"`
	Plugins  []importedPlugin `json:"plugins"`
	Left     []setup.Skipped  `json:"left"`
	Unread   []unreadFile     `json:"unread"`
	// Schema is where init writes the JSON Schema of the configuration.
	Schema string `json:"schema,omitempty"`
	Diff   string `json:"diff,omitempty"`
	// NeedsCare is what a plain --yes does not accept, each with its server.
	NeedsCare []string `json:"needsCare"`

	change  change
	reviews []review.Review // of the servers in Imported
}

type unreadFile struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// importing puts servers and plugins of hosts into the configuration.
type importing struct {
	*Editor
	own *ownFile
	// toolbox gets all servers, "" for toolboxes that fit.
	toolbox string
}

// Import puts servers and plugins of hosts into the configuration: those of the sources, which are hosts,
// files and folders of plugins, or of all hosts. All servers go into the toolbox if one is given.
func Import(e *Editor, sources []string, toolbox string) error {
	own, err := e.openOwnFile()
	if err != nil {
		return err
	}
	i := &importing{Editor: e, own: own, toolbox: toolbox}
	found, err := e.findServers(sources)
	if err != nil {
		return err
	}
	plan, err := i.plan(found, len(sources) == 0 && !e.asks())
	if err != nil {
		return err
	}
	if plan, err = i.keepSecrets(plan, found); err != nil {
		return err
	}
	i.report(plan)
	if err := e.unaccepted(plan.NeedsCare); err != nil && e.Yes { // without --yes nothing is written
		return err
	}
	if plan.Changes {
		if plan.Written, err = e.settle(plan.change); err != nil {
			return err
		}
	}
	i.sayVariables(plan)
	switch {
	case !plan.Changes:
		e.say("nothing to import into %s", plan.File)
	case plan.Written:
		e.say("%s: written. Next: %s", plan.File, e.command("connect --all --replace"))
	}
	return e.finish(plan, len(plan.Unread) > 0)
}

// report prints what is about to be imported.
func (i *importing) report(plan *importPlan) {
	for _, unread := range plan.Unread {
		i.Console.Err.Printf("mcp-workbench: %s\n", unread.Error)
	}
	for n, server := range plan.Imported {
		line := fmt.Sprintf("%s/%s from %s", server.Toolbox, server.Name, server.Path)
		if server.Scope == setup.Project {
			line += ", which belongs to the project in this folder"
		}
		i.say("%s", domain.LineText(line))
		i.sayReview(plan.reviews[n])
		for _, note := range server.Notes {
			i.say("  note: %s", domain.LineText(note))
		}
	}
	i.reportPlugins(plan.Plugins)
	if plan.Changes {
		i.sayNotes(plan.change.notes)
	}
	for _, server := range plan.Left {
		i.say("not imported: %q of %s: %s", server.Name, server.Path, domain.LineText(server.Reason))
	}
}

// maxSecretLines is the number of secrets that get a line each. More are only named.
const maxSecretLines = 8

// sayVariables prints which secrets the configuration contains, with the lines that move them
// to the environment, and which secrets the environment needs.
func (i *importing) sayVariables(plan *importPlan) {
	var kept, keptNames, referred, referredNames []string
	for _, server := range plan.Imported {
		for _, secret := range server.Secrets {
			place := domain.LineText(fmt.Sprintf("%s of %s/%s", secret.Key, server.Toolbox, server.Name))
			if secret.Stored {
				continue
			}
			if secret.Referred {
				referred = append(referred, fmt.Sprintf("  %s (%s)", secret.Variable, place))
				referredNames = append(referredNames, secret.Variable)
			} else {
				kept = append(kept, fmt.Sprintf("  %s   and %q in %s", environmentLine(secret.Variable), secret.Reference, place))
				keptNames = append(keptNames, secret.Variable)
			}
		}
	}
	if len(kept) > maxSecretLines {
		kept = []string{
			fmt.Sprintf("  set what you want to move, such as '%s', and write \"${%s}\" in place of the value in %s;",
				environmentLine(keptNames[0]), keptNames[0], plan.File),
			"  the variables: " + namesOnce(keptNames),
		}
	}
	if len(referred) > maxSecretLines {
		referred = []string{"  " + namesOnce(referredNames)}
	}
	i.sayList("Secrets that stay in plain text. To keep them in the environment instead:", kept)
	i.sayList("Secrets that the environment of the hosts must contain:", referred)
}

// namesOnce returns names as a list in alphabetical order, each once.
func namesOnce(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// environmentLine returns the line that adds a variable to the environment.
func environmentLine(name string) string {
	if runtime.GOOS == "windows" {
		return "setx " + name + " …"
	}
	return "export " + name + "=…"
}

func (i *importing) sayList(title string, lines []string) {
	if len(lines) > 0 {
		i.say("%s", title)
	}
	for _, line := range lines {
		i.say("%s", line)
	}
}

// plan returns the configuration with the servers that were found. One that the check of the
// configuration refuses is added as a disabled one. Servers of the project are skipped if
// they are not reviewed.
func (i *importing) plan(found found, unreviewed bool) (*importPlan, error) {
	configuration, err := i.own.configuration()
	if err != nil {
		return nil, err
	}
	p := &importPlan{File: i.own.path, Created: i.own.isNew(), Unread: found.unread}
	servers := found.servers
	if unreviewed {
		servers, p.Left = setup.Unreviewed(servers)
	}
	imported, skipped := configuration.Import(servers, i.toolbox, os.LookupEnv)
	p.Imported, p.Left = imported, slices.Concat(skipped, p.Left, found.left)
	after, err := i.addTo(i.own.text(), p.Imported...)
	if _, isInvalid := errors.AsType[*config.InvalidError](err); isInvalid {
		after, err = i.addEach(p.Imported)
	}
	if err != nil {
		return nil, err
	}
	if after, err = i.own.withSecrets(after); err != nil {
		return nil, err
	}
	if after, err = i.withPlugins(p, after, found.plugins, unreviewed); err != nil {
		return nil, err
	}
	p.Changes = len(imported)+len(p.Plugins) > 0
	if after, err = p.withFindTool(after); err != nil {
		return nil, err
	}
	p.NeedsCare = []string{}
	for _, server := range p.Imported {
		id := domain.ServerID{Toolbox: domain.ToolboxName(server.Toolbox), Server: domain.ServerName(server.Name)}
		reviewed := i.own.reviewOf(id, nil, &server.Settings, server.IsForeign())
		for _, care := range reviewed.NeedsCare {
			p.NeedsCare = append(p.NeedsCare, id.Path()+": "+care)
		}
		p.reviews = append(p.reviews, reviewed)
	}
	for _, plugin := range p.Plugins {
		p.NeedsCare = append(p.NeedsCare, plugin.plugin.NeedsCare...)
	}
	private := slices.ContainsFunc(p.Imported, setup.Imported.HasSecrets)
	p.change = i.own.change(after, private)
	p.change.apply = trusting(p.Plugins, p.change.apply)
	if p.Changes {
		p.Diff = p.change.diff()
	}
	return p, nil
}

// manyToolboxes is the number of toolboxes from which on a new configuration has find_tool: a model no longer
// sees at a glance which one to open.
const manyToolboxes = 6

// withFindTool returns the text of the configuration, with find_tool if it is new and has many toolboxes.
func (p *importPlan) withFindTool(text []byte) ([]byte, error) {
	toolboxes := map[string]bool{}
	for _, server := range p.Imported {
		toolboxes[server.Place.Toolbox] = true
	}
	for _, plugin := range p.Plugins {
		toolboxes[plugin.Toolbox] = true
	}
	if !p.Created || len(toolboxes) < manyToolboxes {
		return text, nil
	}
	text, err := withMember(text, []string{"findTool"}, true)
	if err != nil {
		return nil, fmt.Errorf("add the key findTool: %w", err)
	}
	return text, nil
}

// addEach returns the text of the file with servers in it, each checked separately. A server that the check
// refuses is added as a disabled one.
func (i *importing) addEach(servers []setup.Imported) ([]byte, error) {
	after := i.own.text()
	for n := range servers {
		server := &servers[n]
		edited, err := i.addTo(after, *server)
		if invalid, ok := errors.AsType[*config.InvalidError](err); ok && !server.Disabled {
			server.Disable(invalid.Problems[0].String())
			edited, err = i.addTo(after, *server)
		}
		if err != nil {
			return nil, err
		}
		after = edited
	}
	return after, nil
}

// addTo returns a text with servers in it, once it was checked.
func (i *importing) addTo(text []byte, servers ...setup.Imported) ([]byte, error) {
	for _, server := range servers {
		var err error
		if text, err = addServer(text, server.Place, server.Name, server.Settings); err != nil {
			return nil, err
		}
	}
	_, err := i.own.check(text)
	return text, err
}
