package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// initialization makes a configuration of what is imported, and connects hosts to it.
type initialization struct{ importing }

// Init makes a configuration of the servers of all hosts and, where it can ask, connects hosts. If a
// configuration exists, such as that of an interrupted run, it continues with the hosts. Where no server is found, it offers
// some of the registry.
func Init(ctx context.Context, e *Editor) error {
	own, err := e.newOwnFile()
	i := &initialization{importing{Editor: e, own: own}}
	if exists, ok := errors.AsType[*existsError](err); ok && e.asks() {
		return i.continueWithHosts(exists.path)
	}
	if err != nil {
		return err
	}
	if e.asks() {
		e.Console.IfInterrupted("Nothing was written; " + e.command("init") + " starts again.")
	}
	schema, err := own.addSchema()
	if err != nil {
		return err
	}
	found, err := e.findServers(nil)
	if err != nil {
		return err
	}
	plan, err := i.plan(found, !e.asks())
	if err == nil {
		plan, err = i.withoutUnseen(plan, found)
	}
	if err == nil && plan.Changes && e.asks() {
		plan, err = i.chosenPlan(plan)
	}
	if err != nil {
		return err
	}
	if err := i.writeFirst(plan, schema); err != nil {
		return err
	}
	switch {
	case e.asks() && !plan.Written:
		e.say("Nothing was written; %s asks again.", e.command("init"))
		return e.printErr
	case e.asks():
		if len(found.servers)+len(found.unread)+len(plan.Plugins) == 0 {
			if err := i.offer(ctx); err != nil {
				return err
			}
		}
		count := len(plan.Imported)
		if written, err := Servers(own.path); err == nil {
			count = len(written)
		}
		servers := fmt.Sprintf("%s: written, with %s.", own.path, domain.Counted(count, "server"))
		if len(plan.Plugins) > 0 {
			servers = fmt.Sprintf("%s: written, with %s and %s.", own.path, domain.Counted(count, "server"), domain.Counted(len(plan.Plugins), "plugin"))
		}
		return i.connectChosen(own.path, servers)
	case plan.Written && len(plan.Imported)+len(plan.Plugins) > 0:
		e.say("%s: written. Next: %s, then open the host", plan.File, e.command("connect --all --replace"))
		e.say("%s", e.dontAskAgain())
	case plan.Written:
		e.say("%s: written. Next: %s, then %s", plan.File, e.command("add NAME -- COMMAND ARGS…"), e.command("connect HOST"))
	}
	return e.finish(plan, len(plan.Unread) > 0)
}

// withoutUnseen removes plugins from the plan where the command cannot ask about them, unless --yes accepts them.
func (i *initialization) withoutUnseen(plan *importPlan, found found) (*importPlan, error) {
	care := false
	for _, plugin := range plan.Plugins {
		care = care || len(plugin.plugin.NeedsCare) > 0
	}
	if len(plan.Plugins) == 0 || i.asks() || i.DryRun || i.Yes && !care {
		return plan, nil
	}
	found.plugins = nil
	without, err := i.plan(found, true)
	if err != nil {
		return nil, err
	}
	for _, plugin := range plan.Plugins {
		without.Left = append(without.Left, setup.Skipped{
			Name: plugin.Toolbox, Source: setup.Source{Host: plugin.Host, Scope: plugin.Scope, Path: plugin.Folder},
			Reason: domain.QuotedCommand("mcp-workbench add "+domain.ShellWord(plugin.Folder)) + " shows it and asks",
		})
	}
	return without, nil
}

// chosenPlan asks which servers of a plan to import, whether windows share one workbench, and whether to keep
// secrets elsewhere. It returns the plan for the answers.
func (i *initialization) chosenPlan(proposed *importPlan) (*importPlan, error) {
	chosen, err := i.chooseServers(proposed)
	if err != nil {
		return nil, err
	}
	if err := i.askToShare(); err != nil {
		return nil, err
	}
	plan, err := i.plan(chosen, false)
	if err == nil {
		plan, err = i.keepSecrets(plan, chosen)
	}
	if err != nil {
		return nil, err
	}
	plan.Left = append(proposed.Left, plan.Left...)
	return plan, nil
}

// writeFirst writes a new configuration, after a yes where it can ask, and says what is in it.
//
// Decision: Enter means yes here and for the hosts, only if the user has just chosen the servers or the hosts, and nothing in them
// needs care. The file is new, and 'disconnect' restores those of the hosts, so that a wrong yes loses nothing. Questions that
// trust or run something need a y. The question follows the list of servers, so that a long file does not scroll the list away.
func (i *initialization) writeFirst(plan *importPlan, schema string) (err error) {
	plan.Changes, plan.Diff = true, plan.change.diff()
	var confirm func(string) (bool, error) // a new file that is written without a terminal harms nothing
	if i.asks() {
		if err := i.show(plan.change); err != nil {
			return err
		}
		if confirm = i.terminal.Confirm; len(plan.Imported)+len(plan.Plugins) > 0 && len(plan.NeedsCare) == 0 {
			confirm = i.terminal.ConfirmChosen
		}
	}
	i.report(plan)
	if i.own.background {
		i.saySharing(plan)
	}
	if i.own.schema != nil {
		plan.Schema = schema
		i.say("with its JSON Schema, for editors: %s", schema)
	} else {
		i.say("note: %s is not the schema of this program and stays as it is, so the configuration names no schema", schema)
	}
	if confirm == nil {
		err = i.show(plan.change)
	}
	if err == nil {
		plan.Written, err = i.apply(plan.change, confirm)
	}
	if err != nil || i.asks() && !plan.Written {
		return err
	}
	i.sayVariables(plan)
	return nil
}

// chooseServers asks which servers and plugins of a plan to import. Those that are like another one are not chosen: their tools
// would be there twice.
func (i *initialization) chooseServers(plan *importPlan) (found, error) {
	options := make([]terminal.Option, len(plan.Imported))
	for n, server := range plan.Imported {
		detail := ""
		if host, known := hostfiles.Find(server.Host); known {
			detail = "from " + host.Name
		}
		isProject := server.Scope == setup.Project
		if isProject {
			detail += ", in the project of this folder"
		}
		if server.Like != "" {
			detail += ", " + server.Like
		}
		options[n] = terminal.Option{Group: server.Toolbox, Label: server.Name, Detail: detail, Chosen: !isProject && server.Like == ""}
	}
	for _, plugin := range plan.Plugins {
		detail := "in " + plugin.Folder
		isProject := plugin.Scope == setup.Project
		if isProject {
			detail += ", in the project of this folder"
		}
		options = append(options, terminal.Option{Group: plugin.Toolbox, Label: "all of the plugin", Detail: detail, Chosen: !isProject})
	}
	answered, err := i.terminal.Choose(terminal.List{
		Title: "Which servers go into toolboxes?", Options: options, Group: "toolbox", CheckGroup: setup.CheckToolbox,
	})
	chosen := found{unread: plan.Unread}
	for n, option := range answered {
		if of := n - len(plan.Imported); of >= 0 {
			if plugin := plan.Plugins[of].from; option.Chosen {
				plugin.toolbox = option.Group
				chosen.plugins = append(chosen.plugins, plugin)
			}
			continue
		}
		if option.Chosen {
			server := plan.Imported[n].From
			if option.Group != plan.Imported[n].Toolbox {
				server.Toolbox = option.Group
			}
			chosen.servers = append(chosen.servers, server)
		}
	}
	return chosen, err
}

// askToShare asks whether windows share one workbench, where they can.
func (i *initialization) askToShare() (err error) {
	if runtime.GOOS == "windows" {
		return nil
	}
	i.say("All windows of your hosts can share one workbench, which ends 10 minutes after the last window. "+
		"Servers that keep nothing of a window (\"shared\": true) then run once. %s explains it.", i.command("help background"))
	i.own.background, err = i.terminal.Confirm("Share one workbench in the background?")
	return err
}

// saySharing prints which servers all windows share, and why others are not shared.
func (i *initialization) saySharing(plan *importPlan) {
	var shared, reasons []string
	unshared := map[string][]string{}
	for _, server := range plan.Imported {
		path := server.Toolbox + "/" + server.Name
		switch {
		case server.Disabled:
		case server.Unshared == "":
			shared = append(shared, path)
		default:
			if unshared[server.Unshared] == nil {
				reasons = append(reasons, server.Unshared)
			}
			unshared[server.Unshared] = append(unshared[server.Unshared], path)
		}
	}
	if len(shared) > 0 {
		i.say("All windows share %s.", domain.LineText(strings.Join(shared, ", ")))
	}
	if len(reasons) > 0 {
		i.say("Each window starts its own (\"shared\": true changes that):")
	}
	for _, reason := range reasons {
		i.say("  %s: %s", domain.LineText(strings.Join(unshared[reason], ", ")), reason)
	}
}

// continueWithHosts connects hosts to the configuration that exists.
func (i *initialization) continueWithHosts(path string) error {
	if _, err := i.Load(path, true); err != nil {
		return err
	}
	i.say("%s exists and stays as it is; %s adds servers to it. Continuing with the hosts.", path, i.command("import"))
	return i.connectChosen(path, path+": unchanged.")
}

// connectChosen asks which hosts to connect to the configuration at path, connects them, and sums up.
// The first line of the summary is about the configuration.
func (i *initialization) connectChosen(path, configuration string) error {
	continues := i.command("init") + " continues with the hosts."
	i.Console.IfInterrupted(configuration + " " + continues)
	c, err := newConnecting(i.Editor)
	if err != nil {
		return err
	}
	c.Replaces = true
	present := c.presentHosts()
	if len(present) == 0 {
		i.say("No host was found on this machine. Next: %s, then open the host", i.command("connect HOST"))
		return i.printErr
	}
	var options []terminal.Option
	for _, host := range present {
		options = append(options, terminal.Option{Label: host.Name, Chosen: true})
	}
	chosen, err := i.terminal.Choose(terminal.List{Title: "Which hosts get the workbench in place of these servers?", Options: options})
	if err != nil {
		return err
	}
	for n, option := range chosen {
		if option.Chosen {
			c.hosts = append(c.hosts, present[n])
		}
	}
	c.written = func(results []connection) {
		i.Console.IfInterrupted(strings.Join(append(i.summary(configuration, present, results), continues), "\n"))
	}
	c.hasChosen = true
	if len(c.hosts) > 0 {
		if err := c.offerCopy(); err != nil {
			return err
		}
	}
	err = c.connect(path)
	if err == nil {
		err = c.offerSkills(path)
	}
	for _, line := range i.summary(configuration, present, c.results) {
		i.say("%s", line)
	}
	return cmp.Or(err, i.printErr)
}

// dontAskAgain says what an approval of a host means once servers are below the workbench.
func (e *Editor) dontAskAgain() string {
	return `"Don't ask again" for use_tool in a host holds for every tool of every server: "confirm" names tools to ask about each time, ` +
		`and "readTool" lets only those pass that read (` + e.command("help approvals") + ")."
}

// summary returns what was written, what hosts see from now on, and how to undo it.
func (i *initialization) summary(configuration string, present []hostfiles.Host, results []connection) []string {
	var written, known, unchanged, unchangedIDs []string
	removed := 0
	for _, host := range present {
		at := slices.IndexFunc(results, func(result connection) bool { return result.Host == host.ID })
		switch {
		case at >= 0 && results[at].Written:
			written = append(written, host.Name)
			removed += len(results[at].Replaced)
		case at >= 0 && !results[at].Changes && results[at].Error == "":
			known = append(known, host.Name)
		default:
			unchanged, unchangedIDs = append(unchanged, host.Name), append(unchangedIDs, host.ID)
		}
	}
	lines := []string{"", "What was done:", "  " + configuration}
	add := func(names []string, text string) {
		if len(names) > 0 {
			lines = append(lines, "  "+strings.Join(names, ", ")+": "+text)
		}
	}
	sees := "after a restart the model sees the tools of the workbench"
	if removed > 0 {
		sees += " in place of " + domain.Counted(removed, "server")
	}
	add(written, sees+".")
	add(known, "nothing to change.")
	add(unchanged, "not changed; to connect, run "+i.command("connect "+strings.Join(unchangedIDs, " ")+" --replace")+".")
	if len(written)+len(known) > 0 {
		lines = append(lines, "'mcp-workbench disconnect --all' restores the files of the hosts.", i.dontAskAgain(),
			`Say to the host: "Open my toolboxes and tell me what you can do with them." `+i.command("doctor")+" finds what does not work.",
			"A model chooses toolboxes by their descriptions; "+i.command("describe TOOLBOX TEXT")+" changes one.")
		if names := i.undescribed(); len(names) > 0 {
			lines = append(lines, fmt.Sprintf("%s: no description. %s gives one; until then the model sees what the servers say of themselves, "+
				"once they were opened.", domain.LineText(strings.Join(names, ", ")), i.command("describe "+domain.ShellWord(names[0])+" TEXT")))
		}
	}
	return lines
}

// undescribed returns the toolboxes of the configuration that have no description of their own or of a plugin.
func (i *initialization) undescribed() (names []string) {
	path := i.own.path
	text, err := hostfiles.LoadIfThere(path)
	if err != nil {
		return nil
	}
	toolboxes, _ := textedit.ReadJSON(text, []string{"toolboxes"}) // a file with a mistake there has none
	for _, toolbox := range toolboxes {
		description, _ := memberOf(text, []string{"toolboxes", toolbox.Name, "description"})
		if rawjson.Text(description) == "" && pluginOf(path, text, toolbox.Name) == "" {
			names = append(names, toolbox.Name)
		}
	}
	return names
}
