package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// Imported is a server of a host that goes into the configuration. Its JSON is that of 'import --json'.
type Imported struct {
	Place
	// Name is the name of the server in the configuration.
	Name string `json:"server"`
	serverconfig.Source
	Settings serverconfig.Settings `json:"-"`
	From     serverconfig.Server   `json:"-"`
	Disabled bool                  `json:"disabled"`
	Notes    []string              `json:"notes"`
	Secrets  []Secret              `json:"secrets"`
}

// Secret is a value in plain text, without the value.
type Secret struct {
	// Key is "env", "headers" or "oauth", and Name the variable or header.
	Key  string `json:"key"`
	Name string `json:"name"`
	// Variable is an environment variable for the value.
	Variable string `json:"variable"`
	// Referred is true if the configuration refers to the variable, and false if it contains
	// the value.
	Referred bool `json:"referred"`
}

// Skipped is a server of a host that does not go into the configuration. Its JSON is that of
// 'import --json'.
type Skipped struct {
	Name string `json:"server"`
	serverconfig.Source
	Reason string `json:"reason"`
}

// Unreviewed parts servers into those to import and those of the project in the working
// directory, which are skipped where the user cannot look at them first: others may have
// written them.
func Unreviewed(found []serverconfig.Server) (kept []serverconfig.Server, skipped []Skipped) {
	for _, server := range found {
		if server.File.Scope != serverconfig.Project {
			kept = append(kept, server)
			continue
		}
		reason := fmt.Sprintf("it belongs to the project in this folder; 'mcp-workbench import %s' imports it", server.File.Host)
		skipped = append(skipped, Skipped{server.Name, server.File, reason})
	}
	return kept, skipped
}

// Import returns which of the servers that were found go into the configuration, in their
// order but enabled ones first, and which do not. All of them go into the toolbox if one is
// given. Lookup returns a variable of the environment.
func (c Configuration) Import(
	found []serverconfig.Server, toolbox string, lookup func(name string) (value string, set bool),
) (imported []Imported, skipped []Skipped) {
	p := importPlan{Configuration: c, toolbox: toolbox, lookup: lookup, imported: []Imported{}, secrets: map[string]string{}}
	skipped = []Skipped{}
	for _, disabled := range []bool{false, true} {
		for _, server := range found {
			if server.Settings.Disabled != disabled {
				continue
			}
			if reason := p.refuse(server); reason != "" {
				skipped = append(skipped, Skipped{server.Name, server.File, reason})
				continue
			}
			p.add(server)
		}
	}
	return p.imported, skipped
}

type importPlan struct {
	Configuration
	toolbox  string
	lookup   func(name string) (value string, set bool)
	imported []Imported
	// secrets are the values of the variables that were named.
	secrets map[string]string
}

// refuse returns why a server is not imported, "" if it is.
func (p *importPlan) refuse(server serverconfig.Server) string {
	settings := server.Settings
	switch {
	case settings.Command == "" && settings.URL == "":
		return strings.Join(append([]string{"it has neither a program nor an address"}, server.Notes...), "; ")
	case strings.HasPrefix(domain.ProgramName(settings.Command), "mcp-workbench"):
		return "it is the workbench itself"
	case p.IsProject && settings.HasInlineSecrets():
		return "an argument or the address looks like a secret, and the configuration belongs to a project"
	}
	for _, other := range p.Servers {
		if other.Settings.IsSame(settings) {
			return "it is in the configuration: " + other.ID.Path()
		}
	}
	for _, other := range p.imported {
		if other.From.Settings.IsSame(settings) {
			return fmt.Sprintf("it is the same as %q in %s", other.From.Name, other.Path)
		}
	}
	return ""
}

// add adds a server to those that are imported.
func (p *importPlan) add(server serverconfig.Server) {
	added := Imported{
		Source: server.File, Settings: server.Settings, From: server, Disabled: server.Settings.Disabled,
		Notes: append([]string{}, server.Notes...), Secrets: []Secret{},
	}
	if added.Place = propose(server); p.toolbox != "" {
		added.Place = Place{Toolbox: p.toolbox}
	}
	added.Name = p.freeName(added.Toolbox, server.Name)
	if added.Name != server.Name {
		added.note("its name here is %q", added.Name)
	}
	if server.Settings.Disabled {
		added.note("it is disabled in the host, and here as well")
	}
	if server.Settings.HasInlineSecrets() {
		added.note(`an argument or the address looks like a secret: "${NAME}" can replace it`)
	}
	if server.File.IsForeign() {
		added.Notes = append(added.Notes, server.ReviewNotes()...)
	}
	for _, secret := range server.Secrets() {
		secret.Variable = p.variable(server, secret)
		value, set := p.lookup(secret.Variable)
		refer := p.IsProject || set && value == secret.Value && !server.File.NoReferences
		if refer {
			added.Settings.Refer(secret)
		}
		added.Secrets = append(added.Secrets, Secret{Key: secret.Key, Name: secret.Name, Variable: secret.Variable, Referred: refer})
	}
	p.imported = append(p.imported, added)
}

func (i *Imported) note(format string, args ...any) {
	i.Notes = append(i.Notes, fmt.Sprintf(format, args...))
}

// Disable disables a server that the configuration refuses for a problem.
func (i *Imported) Disable(problem string) {
	i.note("it is disabled, since it cannot be used as it is: %s", problem)
	i.Settings.Disabled, i.Disabled = true, true
}

// HasSecrets reports whether the configuration gets a secret of the server.
func (i Imported) HasSecrets() bool {
	return i.Settings.HasInlineSecrets() || slices.ContainsFunc(i.Secrets, func(s Secret) bool { return !s.Referred })
}

// variable returns the name of a variable that is not in use for another secret.
func (p *importPlan) variable(server serverconfig.Server, secret serverconfig.Secret) string {
	name := secret.Variable
	if value, used := p.secrets[name]; used && value != secret.Value {
		name = serverconfig.VariableName(server.Name + " " + name)
	}
	p.secrets[name] = secret.Value
	return name
}

// freeName returns a legal name that no other server of the toolbox has.
func (p *importPlan) freeName(toolbox, wanted string) string {
	name := wanted
	if domain.SuspiciousName(name) != nil {
		name = domain.SeenName(name)
	}
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	if p.Dynamic {
		name = strings.ReplaceAll(name, "_", "-")
	}
	name = cmp.Or(name, "server")
	free := name
	for i := 2; p.isUsed(toolbox, free); i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	return free
}

func (p *importPlan) isUsed(toolbox, name string) bool {
	id := domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(name)}
	return slices.ContainsFunc(p.Servers, func(c Configured) bool { return c.ID == id }) ||
		slices.ContainsFunc(p.imported, func(i Imported) bool { return i.Toolbox == toolbox && i.Name == name })
}
