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
	if asks && len(plan.imported) > 0 {
		if plan, err = e.chooseServers(plan); err != nil {
			return err
		}
	}
	result := plan.result()
	result.Changes, result.Diff = true, plan.diff()
	e.reportImport(result)
	if own.schema != nil {
		result.Schema = schema
		e.say("with its JSON Schema, for editors: %s", schema)
	} else {
		e.say("note: %s is not the schema of this program and stays as it is, so the configuration names no schema", schema)
	}
	e.Yes = e.Yes || !asks && !e.DryRun
	if result.Written, err = e.settle(plan.change); err != nil {
		return err
	}
	if asks && !result.Written {
		e.say("Nothing was written; 'mcp-workbench init' asks again.")
		return e.printErr
	}
	e.sayVariables(result)
	if asks {
		return e.connectChosen(own)
	}
	if result.Written {
		next := "'mcp-workbench connect --all --replace', then open the host"
		if len(result.Imported) == 0 {
			next = "'mcp-workbench add NAME -- COMMAND ARGS…', then 'mcp-workbench connect HOST'"
		}
		e.say("%s: written. Next: %s", result.File, next)
	}
	return e.finish(result, len(result.Unread) > 0)
}

// chooseServers asks which servers of a plan to import, and returns the plan with those.
func (e *Editor) chooseServers(plan *importPlan) (*importPlan, error) {
	options := make([]terminal.Option, len(plan.imported))
	for n, server := range plan.imported {
		label := server.Toolbox + "/" + server.Name
		if host, known := hostfiles.Find(server.From.File.Host); known {
			label += "  from " + host.Name
		}
		isProject := server.From.File.Scope == serverconfig.Project
		if isProject {
			label += ", in the project of this folder"
		}
		options[n] = terminal.Option{Label: label, Chosen: !isProject}
	}
	chosen, err := e.terminal.Choose("Which servers go into toolboxes?", options)
	if err != nil {
		return nil, err
	}
	chosenServers := found{unread: plan.unread}
	for n, option := range chosen {
		if option.Chosen {
			chosenServers.servers = append(chosenServers.servers, plan.imported[n].From)
		}
	}
	return plan.own.plan(chosenServers, "", false)
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
