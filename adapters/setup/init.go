package setup

import (
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain/serverconfig"
)

// Init makes a configuration of the servers of all hosts and, where it can ask, connects hosts.
func (e *Editor) Init() error {
	own, err := e.newOwnFile()
	if err != nil {
		return err
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
		e.say("Nothing was written; 'mcp-workbench init' asks again.")
		return e.printErr
	}
	e.sayVariables(plan)
	if asks {
		return e.connectChosen(own)
	}
	if plan.Written {
		next := "'mcp-workbench connect --all --replace', then open the host"
		if len(plan.Imported) == 0 {
			next = "'mcp-workbench add NAME -- COMMAND ARGS…', then 'mcp-workbench connect HOST'"
		}
		e.say("%s: written. Next: %s", plan.File, next)
	}
	return e.finish(plan, len(plan.Unread) > 0)
}

// chooseServers asks which servers of a plan to import, and returns the plan with those.
func (e *Editor) chooseServers(own *ownFile, plan *importPlan) (*importPlan, error) {
	options := make([]terminal.Option, len(plan.Imported))
	for n, server := range plan.Imported {
		label := server.Toolbox + "/" + server.Name
		if host, known := hostfiles.Find(server.Host); known {
			label += "  from " + host.Name
		}
		isProject := server.Scope == serverconfig.Project
		if isProject {
			label += ", in the project of this folder"
		}
		options[n] = terminal.Option{Label: label, Chosen: !isProject}
	}
	chosen, err := e.terminal.Choose("Which servers go into toolboxes?", options)
	if err != nil {
		return nil, err
	}
	chosenServers := found{unread: plan.Unread}
	for n, option := range chosen {
		if option.Chosen {
			chosenServers.servers = append(chosenServers.servers, plan.Imported[n].From)
		}
	}
	return own.plan(chosenServers, "", false)
}

// connectChosen asks which hosts to connect, and connects them.
func (e *Editor) connectChosen(own *ownFile) error {
	c, err := e.newConnecting()
	if err != nil {
		return err
	}
	c.replaces = true
	present := c.present()
	if len(present) == 0 {
		e.say("No host was found on this machine. Next: 'mcp-workbench connect HOST', then open the host")
		return e.printErr
	}
	var options []terminal.Option
	for _, host := range present {
		options = append(options, terminal.Option{Label: host.Name, Chosen: true})
	}
	chosen, err := e.terminal.Choose("Which hosts get the workbench in place of these servers?", options)
	if err != nil {
		return err
	}
	for n, option := range chosen {
		if option.Chosen {
			c.hosts = append(c.hosts, present[n])
		}
	}
	return c.connect(own.path)
}
