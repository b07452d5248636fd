package hostimport

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// Options say how servers are taken over.
type Options struct {
	// Toolbox is where all of them go, "" for a proposal for each.
	Toolbox string
	// Dynamic says that names may have no "_" (tests/acceptance/CONTRACT.md section 8).
	Dynamic bool
	// Shared says that the configuration belongs to a project, so that no secret may be
	// written into it.
	Shared bool
	// Lookup returns a variable of the environment.
	Lookup func(name string) (value string, set bool)
}

// Taken is a server that goes into the configuration.
type Taken struct {
	Toolbox, Description, Name string
	Settings                   hostfiles.Settings
	From                       hostfiles.Server
	Notes                      []string
	Secrets                    []Secret
}

// Secret is a value that stood in plain text. The value itself is not in it.
type Secret struct {
	// Key is "env" or "headers", Name the variable or header.
	Key, Name string
	// Variable is the one that can hold the value.
	Variable string
	// Referred says that the configuration refers to the variable, otherwise it holds
	// the value.
	Referred bool
}

// Left is a server that does not go into the configuration.
type Left struct {
	From   hostfiles.Server
	Reason string
}

// Decide returns which servers are taken into a configuration that has toolboxes
// already, in the order in which they were found but enabled ones first, and which are
// left.
func Decide(existing []configtext.Toolbox, found []hostfiles.Server, options Options) (taken []Taken, left []Left) {
	d := decision{existing: existing, options: options, secrets: map[string]string{}}
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b hostfiles.Server) int {
		return cmp.Compare(fmt.Sprint(a.Settings.Disabled), fmt.Sprint(b.Settings.Disabled))
	})
	for _, server := range found {
		if reason := d.refuse(server); reason != "" {
			left = append(left, Left{From: server, Reason: reason})
			continue
		}
		d.take(server)
	}
	return d.taken, left
}

type decision struct {
	existing []configtext.Toolbox
	options  Options
	taken    []Taken
	// secrets are the values that variables stand for.
	secrets map[string]string
}

// refuse returns why a server is not taken, "" when it is.
func (d *decision) refuse(server hostfiles.Server) string {
	settings := server.Settings
	switch {
	case settings.Command == "" && settings.URL == "":
		return strings.Join(append([]string{"it has neither a program nor an address"}, server.Notes...), "; ")
	case strings.HasPrefix(filepath.Base(settings.Command), "mcp-workbench"):
		return "it is the workbench itself"
	case d.options.Shared && settings.HasInlineSecrets():
		return "an argument or the address looks like it holds a secret, and the configuration belongs to a project"
	}
	for _, toolbox := range d.existing {
		for _, other := range toolbox.Servers {
			if other.Settings.IsSame(settings) {
				return fmt.Sprintf("it is in the configuration: %s/%s", toolbox.Name, other.Name)
			}
		}
	}
	for _, other := range d.taken {
		if other.From.Settings.IsSame(settings) {
			return fmt.Sprintf("it is the same as %q in %s", other.From.Name, other.From.File.Path)
		}
	}
	return ""
}

// take adds a server to those that are taken.
func (d *decision) take(server hostfiles.Server) {
	proposed := propose(server)
	if d.options.Toolbox != "" {
		proposed = kind{toolbox: d.options.Toolbox}
	}
	t := Taken{
		Toolbox: proposed.toolbox, Description: proposed.description,
		Settings: server.Settings, From: server, Notes: slices.Clone(server.Notes),
	}
	t.Name = d.name(t.Toolbox, server.Name)
	if t.Name != server.Name {
		t.Notes = append(t.Notes, fmt.Sprintf("it is called %q here", t.Name))
	}
	if server.Settings.Disabled {
		t.Notes = append(t.Notes, "it is disabled in the host, and here as well")
	}
	if server.Settings.HasInlineSecrets() {
		t.Notes = append(t.Notes, `an argument or the address looks like it holds a secret: "${NAME}" can stand in its place`)
	}
	if server.File.IsForeign() {
		t.Notes = append(t.Notes, server.ReviewNotes()...)
	}
	for _, secret := range server.Secrets() {
		secret.Variable = d.variable(server, secret)
		value, set := d.options.Lookup(secret.Variable)
		refer := d.options.Shared || set && value == secret.Value && !server.File.NoReferences
		if refer {
			t.Settings.Refer(secret)
		}
		t.Secrets = append(t.Secrets, Secret{Key: secret.Key, Name: secret.Name, Variable: secret.Variable, Referred: refer})
	}
	d.taken = append(d.taken, t)
}

// variable returns the name of a variable that stands for no other secret.
func (d *decision) variable(server hostfiles.Server, secret hostfiles.Secret) string {
	name := secret.Variable
	if value, used := d.secrets[name]; used && value != secret.Value {
		name = serverconfig.VariableName(server.Name + " " + name)
	}
	d.secrets[name] = secret.Value
	return name
}

// name returns a name that is legal and that no other server of the toolbox has.
func (d *decision) name(toolbox, wanted string) string {
	name := wanted
	if domain.SuspiciousName(name) != nil {
		name = domain.SeenName(name)
	}
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	if d.options.Dynamic {
		name = strings.ReplaceAll(name, "_", "-")
	}
	name = cmp.Or(name, "server")
	free := name
	for i := 2; d.isUsed(toolbox, free); i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	return free
}

func (d *decision) isUsed(toolbox, name string) bool {
	for _, box := range d.existing {
		if box.Name == toolbox && slices.ContainsFunc(box.Servers, func(s configtext.Server) bool { return s.Name == name }) {
			return true
		}
	}
	return slices.ContainsFunc(d.taken, func(t Taken) bool { return t.Toolbox == toolbox && t.Name == name })
}
