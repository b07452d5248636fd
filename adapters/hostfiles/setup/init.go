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
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// Init makes a configuration of the servers of all hosts and, where it can ask, connects hosts. If a
// configuration exists, such as that of an interrupted run, it continues with the hosts. Where no server is found, it offers
// some of the registry.
func (e *Editor) Init(ctx context.Context) error {
	own, err := e.newOwnFile()
	if exists, ok := errors.AsType[*existsError](err); ok && e.asks() {
		return e.continueWithHosts(exists.path)
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
	plan, err := own.plan(found, "", !e.asks())
	if err == nil {
		plan, err = e.withoutUnseen(own, plan, found)
	}
	if err == nil && plan.Changes && e.asks() {
		plan, err = e.chosenPlan(own, plan)
	}
	if err != nil {
		return err
	}
	if err := e.writeFirst(own, plan, schema); err != nil {
		return err
	}
	switch {
	case e.asks() && !plan.Written:
		e.say("Nothing was written; %s asks again.", e.command("init"))
		return e.printErr
	case e.asks():
		if len(found.servers)+len(found.unread)+len(plan.Plugins) == 0 {
			if err := e.offer(ctx, own); err != nil {
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
		return e.connectChosen(own.path, servers)
	case plan.Written && len(plan.Imported)+len(plan.Plugins) > 0:
		e.say("%s: written. Next: %s, then open the host", plan.File, e.command("connect --all --replace"))
		e.say("%s", dontAskAgain(e))
	case plan.Written:
		e.say("%s: written. Next: %s, then %s", plan.File, e.command("add NAME -- COMMAND ARGS…"), e.command("connect HOST"))
	}
	return e.finish(plan, len(plan.Unread) > 0)
}

// chosenPlan asks which servers of a plan to import, whether windows share one workbench, and whether to keep
// secrets elsewhere. It returns the plan for the answers.
func (e *Editor) chosenPlan(own *ownFile, proposed *importPlan) (*importPlan, error) {
	chosen, err := e.chooseServers(proposed)
	if err != nil {
		return nil, err
	}
	if err := e.askToShare(own); err != nil {
		return nil, err
	}
	plan, err := own.plan(chosen, "", false)
	if err == nil {
		plan, err = e.keepSecrets(own, plan, chosen, "")
	}
	if err != nil {
		return nil, err
	}
	plan.Left = append(proposed.Left, plan.Left...)
	return plan, nil
}

// writeFirst writes a new configuration, after a yes where it can ask, and says what is in it.
//
// Decision: Enter means yes only here, and only if the user has just chosen the servers, and nothing in them needs care. The file is new, so that a
// wrong yes loses nothing. Questions that change, remove, trust or run something need a y. The question follows the list
// of servers, so that a long file does not scroll the list away.
func (e *Editor) writeFirst(own *ownFile, plan *importPlan, schema string) (err error) {
	plan.Changes, plan.Diff = true, plan.change.diff()
	var confirm func(string) (bool, error) // a new file that is written without a terminal harms nothing
	if e.asks() {
		if err := e.show(plan.change); err != nil {
			return err
		}
		if confirm = e.terminal.Confirm; len(plan.Imported)+len(plan.Plugins) > 0 && len(plan.NeedsCare) == 0 {
			confirm = e.terminal.ConfirmChosen
		}
	}
	e.reportImport(plan)
	if own.schema != nil {
		plan.Schema = schema
		e.say("with its JSON Schema, for editors: %s", schema)
	} else {
		e.say("note: %s is not the schema of this program and stays as it is, so the configuration names no schema", schema)
	}
	if confirm == nil {
		err = e.show(plan.change)
	}
	if err == nil {
		plan.Written, err = e.apply(plan.change, confirm)
	}
	if err != nil || e.asks() && !plan.Written {
		return err
	}
	e.sayVariables(plan)
	return nil
}

// chooseServers asks which servers and plugins of a plan to import. Those that are like another one are not chosen: their tools
// would be there twice.
func (e *Editor) chooseServers(plan *importPlan) (found, error) {
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
	answered, err := e.terminal.Choose(terminal.List{
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
func (e *Editor) askToShare(own *ownFile) (err error) {
	if runtime.GOOS == "windows" {
		return nil
	}
	e.say("All windows of your hosts can share one workbench, which ends 10 minutes after the last window. "+
		"A server with \"shared\": true then runs once. %s explains it.", e.command("help background"))
	own.background, err = e.terminal.Confirm("Share one workbench in the background?")
	return err
}

// continueWithHosts connects hosts to the configuration that exists.
func (e *Editor) continueWithHosts(path string) error {
	if _, err := e.Load(path, true); err != nil {
		return err
	}
	e.say("%s exists and stays as it is; %s adds servers to it. Continuing with the hosts.", path, e.command("import"))
	return e.connectChosen(path, path+": unchanged.")
}

// connectChosen asks which hosts to connect to the configuration at path, connects them, and sums up.
// The first line of the summary is about the configuration.
func (e *Editor) connectChosen(path, configuration string) error {
	continues := e.command("init") + " continues with the hosts."
	e.Console.IfInterrupted(configuration + " " + continues)
	c, err := e.newConnecting()
	if err != nil {
		return err
	}
	c.Replaces = true
	present := c.presentHosts()
	if len(present) == 0 {
		e.say("No host was found on this machine. Next: %s, then open the host", e.command("connect HOST"))
		return e.printErr
	}
	var options []terminal.Option
	for _, host := range present {
		options = append(options, terminal.Option{Label: host.Name, Chosen: true})
	}
	chosen, err := e.terminal.Choose(terminal.List{Title: "Which hosts get the workbench in place of these servers?", Options: options})
	if err != nil {
		return err
	}
	for n, option := range chosen {
		if option.Chosen {
			c.hosts = append(c.hosts, present[n])
		}
	}
	c.written = func(results []connection) {
		e.Console.IfInterrupted(strings.Join(append(e.summary(configuration, present, results), continues), "\n"))
	}
	if len(c.hosts) > 0 {
		c.offersCopy = true
		if err := e.offerCopy(); err != nil {
			return err
		}
	}
	err = c.connect(path)
	if err == nil {
		err = c.offerSkills(path)
	}
	for _, line := range e.summary(configuration, present, c.results) {
		e.say("%s", line)
	}
	return cmp.Or(err, e.printErr)
}

// dontAskAgain says what an approval of a host means once servers are below the workbench.
func dontAskAgain(e *Editor) string {
	return `"Don't ask again" for use_tool in a host holds for every tool of every server: "confirm" names tools to ask about each time, ` +
		`and "readTool" lets only those pass that read (` + e.command("help approvals") + ")."
}

// summary returns what was written, what hosts see from now on, and how to undo it.
func (e *Editor) summary(configuration string, present []hostfiles.Host, results []connection) []string {
	var written, known, unchanged, unchangedIDs []string
	removed := 0
	for _, host := range present {
		i := slices.IndexFunc(results, func(result connection) bool { return result.Host == host.ID })
		switch {
		case i >= 0 && results[i].Written:
			written = append(written, host.Name)
			removed += len(results[i].Replaced)
		case i >= 0 && !results[i].Changes && results[i].Error == "":
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
	add(unchanged, "not changed; to connect, run "+e.command("connect "+strings.Join(unchangedIDs, " ")+" --replace")+".")
	if len(written)+len(known) > 0 {
		lines = append(lines, "'mcp-workbench disconnect --all' restores the files of the hosts.", dontAskAgain(e),
			`Say to the host: "Open my toolboxes and tell me what you can do with them." `+e.command("doctor")+" finds what does not work.",
			"A model chooses toolboxes by their descriptions; "+e.command("describe TOOLBOX TEXT")+" changes one.")
	}
	return lines
}
