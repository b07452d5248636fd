package setup

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/masking"
)

// Imported is a server of a host that goes into the configuration. Its JSON is that of 'import --json'.
type Imported struct {
	Place
	// Name is the name of the server in the configuration.
	Name string `json:"server"`
	Source
	Settings Settings         `json:"-"`
	From     Server           `json:"-"`
	Disabled bool             `json:"disabled"`
	Notes    []string         `json:"notes"`
	Secrets  []ImportedSecret `json:"secrets"`
	// hasInline reports whether an argument or the address looks like a secret.
	hasInline bool
	// Like says which other server it is like, and in which settings it differs, "" for none.
	Like string `json:"-"`
	// Unshared says why windows do not share the server, "" if they do or if Configuration.Shares is not set.
	Unshared string `json:"-"`
}

// An ImportedSecret is a value in plain text. Its JSON does not contain the value.
type ImportedSecret struct {
	// Key is the key of the server, such as "env", and Name the variable or header.
	Key  string `json:"key"`
	Name string `json:"name"`
	// Variable is an environment variable for the value.
	Variable string `json:"variable"`
	// Reference replaces the value, such as "Bearer ${NAME}".
	Reference string `json:"-"`
	// Referred is true if the configuration refers to the variable, and false if it contains
	// the value.
	Referred bool `json:"referred"`
	// Stored is true if the user's password store has the value.
	Stored bool `json:"stored,omitempty"`
	// Value is the value, which is never shown, and IsLate says that the server does not need it before it starts.
	Value  string `json:"-"`
	IsLate bool   `json:"-"`
}

// Skipped is a server of a host that does not go into the configuration. Its JSON is that of
// 'import --json'.
type Skipped struct {
	Name string `json:"server"`
	Source
	Reason string `json:"reason"`
}

// Unreviewed divides servers into those to import and those of the project in the
// working directory. The latter are skipped if the user cannot review them first, since
// others may have written them.
func Unreviewed(found []Server) (kept []Server, skipped []Skipped) {
	for _, server := range found {
		if server.File.Scope != Project {
			kept = append(kept, server)
			continue
		}
		reason := fmt.Sprintf("it belongs to the project in this folder; 'mcp-workbench import %s' imports it", server.File.Host)
		skipped = append(skipped, Skipped{server.Name, server.File, reason})
	}
	return kept, skipped
}

// Import returns the found servers that go into the configuration, enabled ones first and
// otherwise in their order, and those that do not. All of them go into the toolbox if one
// is given. Lookup returns a variable of the environment.
func (c Configuration) Import(
	found []Server, toolbox string, lookup func(name string) (value string, set bool),
) (imported []Imported, skipped []Skipped) {
	p := importPlan{Configuration: c, toolbox: toolbox, lookup: lookup, imported: []Imported{}, secrets: map[string]string{}}
	skipped = []Skipped{}
	for _, disabled := range []bool{false, true} {
		for _, server := range found {
			if server.Settings.Disabled != disabled {
				continue
			}
			reason := p.refuse(server)
			if reason == "" {
				reason = p.add(server)
			}
			if reason != "" {
				skipped = append(skipped, Skipped{server.Name, server.File, reason})
			}
		}
	}
	return p.imported, skipped
}

type importPlan struct {
	Configuration
	toolbox  string
	lookup   func(name string) (value string, set bool)
	imported []Imported
	// secrets are the values of the variables that the plan uses, by name.
	secrets map[string]string
}

// refuse returns why a server is not imported, "" if it is.
func (p *importPlan) refuse(server Server) string {
	settings := server.Settings
	switch {
	case settings.Command == "" && settings.URL == "":
		return strings.Join(append([]string{"it has neither a program nor an address"}, server.Notes...), "; ")
	case p.RunsWorkbench != nil && p.RunsWorkbench(settings.Command, settings.Args):
		return "it is the workbench itself"
	case server.Name == EntryName && settings.URL != "" && server.File.Host != "":
		return "its name is that of the workbench, and it has an address"
	case p.IsProject && p.Keys.HasInlineSecrets(settings):
		return "an argument or the address looks like a secret, and the configuration belongs to a project"
	}
	settings.Untranslated = nil // these keys are not imported
	if server.IsBroken {
		return "" // what is left of it may look like another server
	}
	for _, other := range p.Servers {
		if p.isSame(other.Settings, settings) {
			return notTaken(server, other.Settings, "it is in the configuration: "+other.ID.Path())
		}
	}
	for _, other := range p.imported {
		if p.comparison(nil).IsSame(other.translated(), settings) {
			return notTaken(server, other.From.Settings, fmt.Sprintf("it is the same as %q in %s", other.From.Name, other.Path))
		}
	}
	return ""
}

// isSame reports whether a server of the configuration has the settings of a server of a host. Secrets that
// the configuration keeps elsewhere are not compared.
func (p *importPlan) isSame(own, found Settings) bool {
	isElsewhere := func(value string) bool {
		return slices.ContainsFunc(p.Elsewhere, func(name string) bool { return strings.Contains(value, "${"+name+"}") })
	}
	return !slices.ContainsFunc(p.comparison(p.lookup).differences(own, found), func(d difference) bool {
		return !d.first.IsNamed || len(d.other.Raw) <= len(`""`) || !isElsewhere(string(d.first.Raw))
	})
}

// comparison returns how settings are compared.
func (c Configuration) comparison(lookup Lookup) Comparison {
	return Comparison{Keys: c.Keys, Lookup: lookup}
}

// translated returns the settings of the host's server without the keys that the configuration cannot hold.
func (i Imported) translated() Settings {
	settings := i.From.Settings
	settings.Untranslated = nil
	return settings
}

// notTaken returns the reason why a server is not imported, extended by its settings that the existing
// server lacks.
func notTaken(server Server, other Settings, reason string) string {
	for _, key := range slices.Sorted(maps.Keys(server.Settings.Untranslated)) {
		reason += fmt.Sprintf(", except for %q, which has no counterpart here", key)
	}
	if !slices.Equal(server.Settings.ToolFilters, other.ToolFilters) {
		reason += "; it selects other tools there"
	}
	if server.Settings.AsksMoreThan(other) {
		reason += "; it asks about fewer tools there"
	}
	return reason
}

// add adds a server to the plan. If the configuration already has a server with the settings that would
// be written, add returns the reason and does not add it.
func (p *importPlan) add(server Server) (reason string) {
	added := Imported{
		Source: server.File, Settings: server.Settings, From: server, Disabled: server.Settings.Disabled,
		Notes: slices.Concat([]string{}, server.Notes, p.Keys.PlaceholderNotes(server)), Secrets: []ImportedSecret{},
	}
	if added.Toolbox = p.toolbox; p.toolbox == "" {
		added.Toolbox = cmp.Or(server.Toolbox, p.legal(propose(server), unnamed))
	}
	if added.Name = p.freeName(added.Toolbox, server.Name); p.toolbox == "" {
		added.Description = describedBy(server.Description, added.Toolbox, added.Name)
	}
	if added.Name != server.Name {
		added.note("its name here is %q", added.Name)
	}
	switch {
	case server.Settings.Disabled:
		added.note("it is disabled in the host, and here as well")
	case server.IsBroken:
		added.note("it is disabled, since a setting that it may need was left out; the host keeps it")
		added.Settings.Disabled, added.Disabled = true, true
	}
	if added.hasInline = p.Keys.HasInlineSecrets(server.Settings); added.hasInline {
		added.note(`an argument or the address looks like a secret: "${NAME}" can replace it`)
	}
	if other, differs := p.like(server.Settings); other != "" && !server.IsBroken {
		added.Like = fmt.Sprintf("the same package as %s, written in another way", other)
		if len(differs) > 0 {
			added.Like = fmt.Sprintf("like %s, but for %s", other, strings.Join(differs, ", "))
		}
		added.note("it is %s: one of them may be enough", added.Like)
	}
	if held := masking.HeldBackNote(HeldBack(server.Settings.program(), server.Settings.InheritEnv, p.lookup)); held != "" {
		added.note("%s", held)
	}
	server.Name = added.Name
	for _, secret := range p.Keys.SecretsOf(server) {
		secret.Variable = p.variable(server.Name, secret)
		value, set := p.lookup(secret.Variable)
		kept, isKept := p.Kept[secret.Variable]
		stored := isKept && kept == secret.Value && secret.IsLate
		refer := stored || p.IsProject || set && value == secret.Value && !server.File.NoReferences
		switch {
		case refer:
			added.Settings.Refer(secret)
		case masking.InsteadOfPlaceholder(secret.Variable, secret.Value) != "":
			continue // a note says what to write in place of a placeholder
		}
		added.Secrets = append(added.Secrets, ImportedSecret{
			Key: secret.Key(), Name: secret.Name(), IsLate: secret.IsLate, Variable: secret.Variable, Reference: secret.Reference(),
			Referred: refer, Stored: stored, Value: secret.Value,
		})
	}
	added.Settings.Untranslated = nil
	for _, other := range p.Servers {
		if p.comparison(nil).IsSame(other.Settings, added.Settings) {
			return notTaken(server, other.Settings, "it is in the configuration: "+other.ID.Path())
		}
	}
	if p.Shares && !added.Disabled {
		added.Settings, added.Unshared = added.Settings.withShared()
	}
	p.imported = append(p.imported, added)
	return ""
}

// like returns the path of another server, of the configuration or the plan, that is the same program or package with
// the same arguments, or the same address, "" for none, and the settings in which it differs, such as "env.TOKEN". Two
// accounts differ in these.
func (p *importPlan) like(settings Settings) (path string, differs []string) {
	name, arguments := packageOf(settings)
	isLike := func(other Settings) bool {
		otherName, otherArguments := packageOf(other)
		isSamePackage := name != "" && otherName == name && slices.Equal(arguments, otherArguments)
		if !isSamePackage && !p.comparison(nil).IsLike(settings, other) {
			return false
		}
		differs = p.differing(settings, other, isSamePackage)
		return true
	}
	for _, other := range p.Servers {
		if isLike(other.Settings) {
			return other.ID.Path(), differs
		}
	}
	for _, other := range p.imported {
		if isLike(other.From.Settings) {
			return other.Toolbox + "/" + other.Name, differs
		}
	}
	return "", nil
}

// differing returns the keys in which a server differs from one that is like it, but for the command line of the same package.
func (p *importPlan) differing(settings, other Settings, isSamePackage bool) []string {
	var keys []string
	for _, d := range p.comparison(nil).differences(settings, other) {
		if !isSamePackage || !d.first.IsLine && !d.other.IsLine {
			keys = append(keys, d.key)
		}
	}
	slices.Sort(keys)
	return keys
}

// packageOf returns the package that a server downloads, without its version, "" for none, and the arguments of
// the server.
func packageOf(settings Settings) (name string, arguments []string) {
	line := launcher.Read(settings.Command, settings.Args)
	if settings.Command == "" || line.Download() == "" {
		return "", nil
	}
	name, arguments = line.Target(), line.Words
	if len(line.Named) == 0 && len(arguments) > 0 {
		arguments = arguments[1:]
	}
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	name, _, _ = strings.Cut(name, "==")
	return name, arguments
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
	return i.hasInline || slices.ContainsFunc(i.Secrets, func(s ImportedSecret) bool { return !s.Referred })
}

// variable returns the name of a variable that is not used for another secret, neither in the
// plan nor, for a project's configuration, in the environment: otherwise the server would use
// another account.
func (p *importPlan) variable(server string, secret Secret) string {
	free := freeVariable(server, secret, p.isOther)
	p.secrets[free] = secret.Value
	return free
}

// isOther reports whether a variable has a value other than the secret.
func (p *importPlan) isOther(variable, secret string) bool {
	value, used := p.secrets[variable]
	if set, isSet := p.lookup(variable); p.IsProject && isSet && !used {
		value, used = set, true
	}
	return used && value != secret
}

// freeName returns a legal name that no other server of the toolbox has.
func (p *importPlan) freeName(toolbox, wanted string) string {
	name := p.legal(wanted, "server")
	free := name
	for i := 2; p.isUsed(toolbox, free); i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	return free
}

// legal returns a name that the configuration accepts, or other if nothing is left of the name.
func (c Configuration) legal(name, other string) string {
	if domain.SuspiciousName(name) != nil {
		name = domain.SeenName(name)
	}
	for strings.Contains(name, "__") {
		name = strings.ReplaceAll(name, "__", "_")
	}
	if c.Dynamic {
		name = strings.ReplaceAll(name, "_", "-")
	}
	if isIgnored(name) {
		name = strings.TrimLeft(name, "_$")
	}
	return cmp.Or(name, other)
}

func (p *importPlan) isUsed(toolbox, name string) bool {
	id := domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(name)}
	return slices.ContainsFunc(p.Servers, func(c Configured) bool { return c.ID == id }) ||
		slices.ContainsFunc(p.imported, func(i Imported) bool { return i.Toolbox == toolbox && i.Name == name })
}
