package setup

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// Init makes a configuration of the servers of all hosts and, where it can ask, connects hosts. If a
// configuration exists, such as that of an interrupted run, it continues with the hosts.
func (e *Editor) Init() error {
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
	asks := e.asks()
	plan, err := own.plan(found, "", !asks)
	if err != nil {
		return err
	}
	if asks && plan.Changes {
		if plan, err = e.chooseServers(own, plan); err != nil {
			return err
		}
		chosen := found
		chosen.servers = nil
		for _, server := range plan.Imported {
			chosen.servers = append(chosen.servers, server.From)
		}
		again := func() (*importPlan, error) { return own.plan(chosen, "", false) }
		if plan, err = e.shareWorkbench(own, plan, again); err != nil {
			return err
		}
		if plan, err = e.keepSecrets(own, plan, again); err != nil {
			return err
		}
	}
	plan.Changes, plan.Diff = true, plan.change.diff()
	e.reportImport(plan)
	if own.schema != nil {
		plan.Schema = schema
		e.say("with its JSON Schema, for editors: %s", schema)
	} else {
		e.say("note: %s is not the schema of this program and stays as it is, so the configuration names no schema", schema)
	}
	e.Yes = e.Yes || !asks && !e.DryRun
	if plan.Written, err = e.settle(plan.change); err != nil {
		return err
	}
	if asks && !plan.Written {
		e.say("Nothing was written; %s asks again.", e.command("init"))
		return e.printErr
	}
	e.sayVariables(plan)
	if plan.Written && len(plan.Imported) > 0 {
		e.say("A model chooses toolboxes by their descriptions; %s changes one.", e.command("describe TOOLBOX TEXT"))
	}
	if asks {
		servers := fmt.Sprintf("%s: written, with %s.", own.path, domain.Counted(len(plan.Imported), "server"))
		return e.connectChosen(own.path, servers)
	}
	if plan.Written {
		next := e.command("connect --all --replace") + ", then open the host"
		if len(plan.Imported) == 0 {
			next = e.command("add NAME -- COMMAND ARGS…") + ", then " + e.command("connect HOST")
		}
		e.say("%s: written. Next: %s", plan.File, next)
	}
	return e.finish(plan, len(plan.Unread) > 0)
}

// chooseServers asks which servers of a plan to import, and returns the plan with those.
func (e *Editor) chooseServers(own *ownFile, plan *importPlan) (*importPlan, error) {
	options := make([]terminal.Option, len(plan.Imported))
	for n, server := range plan.Imported {
		detail := ""
		if host, known := hostfiles.Find(server.Host); known {
			detail = "from " + host.Name
		}
		isProject := server.Scope == serverconfig.Project
		if isProject {
			detail += ", in the project of this folder"
		}
		options[n] = terminal.Option{Group: server.Toolbox, Label: server.Name, Detail: detail, Chosen: !isProject}
	}
	chosen, err := e.terminal.Choose(terminal.List{
		Title: "Which servers go into toolboxes?", Options: options, Group: "toolbox", CheckGroup: setup.CheckToolbox,
	})
	if err != nil {
		return nil, err
	}
	chosenServers := found{unread: plan.Unread}
	for n, option := range chosen {
		if option.Chosen {
			server := plan.Imported[n].From
			if option.Group != plan.Imported[n].Toolbox {
				server.Toolbox = option.Group
			}
			chosenServers.servers = append(chosenServers.servers, server)
		}
	}
	chosenPlan, err := own.plan(chosenServers, "", false)
	if err != nil {
		return nil, err
	}
	chosenPlan.Left = append(plan.Left, chosenPlan.Left...)
	return chosenPlan, nil
}

// shareWorkbench asks whether windows share one workbench, where they can, and returns the plan for the answer,
// which again makes.
func (e *Editor) shareWorkbench(own *ownFile, plan *importPlan, again func() (*importPlan, error)) (*importPlan, error) {
	if runtime.GOOS == "windows" {
		return plan, nil
	}
	e.say("All windows of your hosts can share one workbench, which ends 10 minutes after the last window. "+
		"A server with \"shared\": true then runs once. %s explains it.", e.command("help background"))
	var err error
	if own.background, err = e.terminal.Confirm("Share one workbench in the background?"); err != nil || !own.background {
		return plan, err
	}
	shared, err := again()
	if err == nil {
		shared.Left = plan.Left
	}
	return shared, err
}

// continueWithHosts connects hosts to the configuration that exists.
func (e *Editor) continueWithHosts(path string) error {
	if _, err := e.Load(path); err != nil {
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
	present := c.present()
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
	for _, line := range e.summary(configuration, present, c.results) {
		e.say("%s", line)
	}
	return cmp.Or(err, e.printErr)
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
		lines = append(lines, "'mcp-workbench disconnect --all' restores the files of the hosts.")
	}
	return lines
}
