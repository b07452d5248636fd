package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Updating says what update does.
type Updating struct {
	// Names are toolboxes and servers, none for all. Of a toolbox with a plugin, the plugin is compared with its trusted bytes.
	Names []string
	// Check only tells.
	Check bool
	// AllowOptions accepts what needs care without a question.
	AllowOptions bool
	// Compare shows how the tools of a server differ in two texts of the configuration at a path, which have that server
	// only; nil to start nothing.
	Compare func(path string, before, after []byte, id domain.ServerID) error
}

// updateResult is the JSON that update prints about a server.
type updateResult struct {
	Server     string           `json:"server"`
	Registry   string           `json:"registry"`
	Version    string           `json:"version"`
	Newest     string           `json:"newest,omitempty"`
	Deprecated bool             `json:"deprecated"`
	Deleted    bool             `json:"deleted"`
	Written    bool             `json:"written"`
	Published  *publishedResult `json:"published,omitempty"`
	Diff       string           `json:"diff,omitempty"`
	Error      string           `json:"error,omitempty"`
}

// update is one run of update.
type update struct {
	*Editor
	wish Updating
	// asked is the registry, nil if no server comes from it.
	asked *registry.Client
}

// Update shows what newer versions change in the servers that come from the registry, and what differs in plugins from the bytes
// that the user trusts, and asks for each. Of other servers that launchers fetch it says which version starts and which is the newest.
//
// Failures: those of ownFile.registry; *registry.Error; *UsageError; ErrReported if Check finds something, or a server cannot
// be updated.
func Update(ctx context.Context, e *Editor, wish Updating) error {
	own, configuration, err := e.openInScope("")
	if err != nil {
		return err
	}
	if wish.Compare != nil && !own.mayAsk() {
		return &config.UntrustedError{Path: own.path} // the file says what starts
	}
	toolboxes, names := own.namedPlugins(wish.Names)
	var ids []domain.ServerID
	var others []setup.Configured
	if len(wish.Names) == 0 || len(names) > 0 {
		if ids, others, err = wantedServers(configuration, names); err != nil {
			return err
		}
	}
	u := &update{Editor: e, wish: wish}
	updated, failed, err := u.updatePlugins(own, toolboxes)
	if err != nil {
		return err
	}
	fetched := u.packageVersions(ctx, own, others)
	for _, server := range fetched {
		e.say("%s", domain.ReviewLine(server.line()))
		failed = failed || wish.Check && server.Newest != "" && server.Starts != "" && server.Starts != server.Newest
	}
	if len(ids)+len(toolboxes)+len(fetched) == 0 {
		e.say("No server of %s comes from the registry or is fetched by npx, uvx or docker.", own.path)
	}
	results := []updateResult{}
	if len(ids) > 0 {
		if u.asked, err = own.registry(ctx); err != nil {
			return err
		}
		defer u.asked.Close()
		var isBehind bool
		if results, isBehind, err = u.updateServers(ctx, ids); err != nil {
			return err
		}
		failed = failed || isBehind
	}
	return e.finish(map[string]any{"servers": results, "packages": fetched, "plugins": updated}, failed)
}

// updateServers updates servers of the registry, one after the other. It reports whether the command fails. A server that cannot be
// updated does not keep the others from it.
//
// Failures: *registry.Error; *UsageError; those of printing.
func (u *update) updateServers(ctx context.Context, ids []domain.ServerID) (results []updateResult, failed bool, err error) {
	for _, id := range ids {
		result, err := u.updateServer(ctx, id)
		_, isOut := errors.AsType[*registry.Error](err)
		_, isUsage := errors.AsType[*UsageError](err)
		switch {
		case isOut, isUsage:
			return nil, false, err
		case u.printErr != nil:
			return nil, false, u.printErr
		case err != nil:
			result.Error, failed = err.Error(), true
			u.say("%s: %s", domain.ReviewLine(id.Path()), domain.ReviewLine(err.Error()))
		}
		failed = failed || u.wish.Check && (result.Newest != "" || result.Deprecated || result.Deleted)
		results = append(results, result)
	}
	return results, failed, nil
}

// wantedServers returns the servers that come from the registry, and the other programs that are enabled: those with these names if
// there are any.
func wantedServers(configuration setup.Configuration, names []string) (ids []domain.ServerID, others []setup.Configured, err error) {
	var wanted []domain.ServerID
	for _, name := range names {
		id, err := configuration.Named(name)
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		wanted = append(wanted, id)
	}
	for _, server := range configuration.Servers {
		isWanted := len(names) == 0 || slices.Contains(wanted, server.ID) || slices.Contains(wanted, domain.ServerID{Toolbox: server.ID.Toolbox})
		switch {
		case !isWanted:
		case server.Settings.From != nil && server.Settings.From.Registry != "":
			ids = append(ids, server.ID)
		case server.Settings.Command != "" && !server.Settings.Disabled && isFetched(server.Settings):
			others = append(others, server)
		case slices.Contains(wanted, server.ID):
			return nil, nil, &UsageError{fmt.Errorf("%s does not come from the registry, and nothing fetches it", server.ID.Path())}
		}
	}
	return ids, others, nil
}

// updateServer updates one server. It reads the file again, which the update of another server may have changed.
func (u *update) updateServer(ctx context.Context, id domain.ServerID) (updateResult, error) {
	own, configuration, err := u.openInScope("")
	if err != nil {
		return updateResult{}, err
	}
	at := slices.IndexFunc(configuration.Servers, func(s setup.Configured) bool { return s.ID == id })
	if at < 0 || configuration.Servers[at].Settings.From == nil {
		return updateResult{Server: id.Path()}, errors.New("it was removed meanwhile, or no longer comes from the registry")
	}
	settings := configuration.Servers[at].Settings
	from := *settings.From
	result := updateResult{Server: id.Path(), Registry: from.Registry, Version: from.Version}
	standing, err := u.asked.Standing(ctx, from)
	if err != nil {
		return result, err
	}
	result.Deprecated, result.Deleted = standing.IsDeprecated, standing.IsDeleted
	if standing.Newer != nil {
		result.Newest = standing.Newer.Version
	}
	u.sayStanding(result, standing)
	if result.Newest == "" || u.wish.Check {
		return result, nil
	}
	a, err := u.adoptNewer(ctx, own, id, settings, *standing.Newer)
	if err != nil {
		return result, err
	}
	plan, err := a.previewPlan()
	if err != nil {
		return result, err
	}
	a.show(plan, id.Path())
	if plan, err = a.finalPlan(u.wish.AllowOptions); err != nil {
		return result, err
	}
	result.Published = a.result(plan)
	edit := u.edit(own, id)
	a.replace(edit, id, settings, plan.Settings)
	if _, err := edit.check("update " + id.Path()); err != nil {
		return result, aboutServer(err, string(id.Toolbox), string(id.Server))
	}
	u.sayNotes(a.notes)
	if u.wish.Compare != nil {
		if err := u.compare(edit, configuration); err != nil {
			return result, err
		}
	}
	edit.asks = true
	err = edit.make(fmt.Sprintf("Updated %s to %s.", id.Path(), result.Newest))
	result.Diff, result.Written = edit.result.Diff, edit.result.Written
	return result, err
}

// compare shows how the tools of a server differ after an edit. It starts both versions, so the user is shown the edit and
// asked before, unless they said yes on the command line. Without a terminal, and for a dry run, it starts nothing.
func (u *update) compare(edit *edit, configuration setup.Configuration) error {
	own, id := edit.own, edit.id
	switch {
	case u.DryRun:
		u.say("--dry-run starts nothing, so the tools are not compared.")
		return nil
	case u.Yes:
	case !u.asks():
		return nil // the question about the edit is open too, and says so
	default:
		if err := u.show(own.change(edit.text, edit.isPrivate)); err != nil {
			return err
		}
		edit.isShown = true
		if yes, err := u.terminal.Confirm("Start both versions of " + id.Path() + " to compare their tools?"); err != nil || !yes {
			return err
		}
	}
	before, err := u.onlyServer(own.text(), configuration, id)
	if err != nil {
		return err
	}
	after, err := u.onlyServer(edit.text, configuration, id)
	if err != nil {
		return err
	}
	return u.wish.Compare(own.path, before, after, id)
}

// onlyServer returns the text of a configuration without other servers and without included files, for another folder: the
// files that it names are absolute.
func (u *update) onlyServer(text []byte, configuration setup.Configuration, id domain.ServerID) ([]byte, error) {
	unwanted := [][]string{{"include"}}
	for _, server := range configuration.Servers {
		toolbox := []string{"toolboxes", string(server.ID.Toolbox)}
		switch {
		case server.ID.Toolbox == id.Toolbox && server.ID.Server != id.Server:
			unwanted = append(unwanted, append(toolbox, "mcpServers", string(server.ID.Server)))
		case server.ID.Toolbox != id.Toolbox && !slices.ContainsFunc(unwanted, func(path []string) bool { return slices.Equal(path, toolbox) }):
			unwanted = append(unwanted, toolbox)
		}
	}
	for _, path := range unwanted {
		if _, exists := memberOf(text, path); !exists {
			continue
		}
		var err error
		if text, err = textedit.DeleteJSON(text, path); err != nil {
			return nil, fmt.Errorf("compare the tools of %s: %w", id.Path(), err)
		}
	}
	named := [][]string{{"envFile"}}
	places, _ := textedit.ReadJSON(text, []string{"secrets"}) // there may be none
	for _, place := range places {
		named = append(named, []string{"secrets", place.Name, "file"})
	}
	settings, _ := memberOf(text, pathOf(id))
	for _, value := range config.KeysOfServers(u.Transports).Values(settings) {
		if value.Key.Is(keys.Relative) {
			named = append(named, pathOf(id, value.At...))
		}
	}
	for _, path := range named {
		value, exists := memberOf(text, path)
		if file := rawjson.Text(value); exists && !filepath.IsAbs(file) {
			var err error
			if text, err = withMember(text, path, filepath.Join(filepath.Dir(configuration.Path), file)); err != nil {
				return nil, fmt.Errorf("compare the tools of %s: %w", id.Path(), err)
			}
		}
	}
	return text, nil
}

// sayStanding prints what the registry says about a server.
func (u *update) sayStanding(result updateResult, standing registry.Standing) {
	words := []string{}
	if result.Deleted {
		words = append(words, "deleted from the registry")
	} else if result.Deprecated {
		words = append(words, strings.TrimSuffix("deprecated: "+domain.OneLine(standing.Message), ": "))
	}
	if result.Newest != "" {
		words = append(words, "has the newer version "+result.Newest)
	}
	if len(words) == 0 {
		words = append(words, "is the newest version")
	}
	u.say("%s", domain.ReviewLine(fmt.Sprintf("%s (%s %s): %s", result.Server, result.Registry, result.Version, strings.Join(words, "; "))))
}

// adoptNewer returns the adoption of a newer version, in the same way and with the answers that the settings have.
func (u *update) adoptNewer(
	ctx context.Context, own *ownFile, id domain.ServerID, settings setup.Settings, newest registry.Server,
) (*adoption, error) {
	choice := registry.Choice{Remote: settings.URL != ""}
	older, err := u.asked.Version(ctx, settings.From.Registry, settings.From.Version)
	if _, isGone := errors.AsType[*registry.NotFoundError](err); err != nil && !isGone {
		return nil, err
	}
	if err != nil {
		older = newest // its answers are found as far as its form is the same
	}
	before, isKnown := older.WayOf(settings)
	if isKnown && before.Runtime != "" {
		choice.Type = before.Package.RegistryType
	}
	a, err := adopt(u.Editor, own, u.asked.Origin(), newest, choice)
	if err != nil {
		return nil, err
	}
	a.name, a.id, a.before = string(id.Server), id, &settings
	if !isKnown {
		return a, nil
	}
	for _, variable := range before.Package.Environment {
		a.olderVariables = append(a.olderVariables, variable.Name)
	}
	for _, header := range before.Remote.Headers {
		a.olderHeaders = append(a.olderHeaders, header.Name)
	}
	had := before.Answers(settings)
	for _, input := range a.inputs {
		if given := had[input.Name]; len(given) > 0 && input.Check(given[0]) == nil {
			a.answers[input.Name] = given
		}
	}
	a.takeVariables()
	return a, nil
}

// merged returns the settings of a server after an update: what the registry describes is replaced. Variables and headers that the
// older version does not have are the user's own, and stay, like all other keys.
func (a *adoption) merged(before, published setup.Settings) setup.Settings {
	kept := func(values, added map[string]string, known []string) map[string]string {
		merged := maps.Clone(values)
		maps.DeleteFunc(merged, func(name, _ string) bool { return slices.Contains(known, name) })
		if merged == nil {
			merged = map[string]string{}
		}
		maps.Copy(merged, added)
		return merged
	}
	after := before
	after.Transport, after.Command, after.Args, after.URL, after.From = published.Transport, published.Command, published.Args, published.URL, published.From
	after.Env, after.Headers = kept(before.Env, published.Env, a.olderVariables), kept(before.Headers, published.Headers, a.olderHeaders)
	return after
}

// replace writes what an update changes in the settings. Of where they come from, only the version is written.
func (a *adoption) replace(edit *edit, id domain.ServerID, before, published setup.Settings) {
	after := a.merged(before, published)
	version := after.From.Version
	after.From = before.From
	old, updated := settingsJSON(&before), settingsJSON(&after)
	members, _ := textedit.ReadJSON(updated, nil) // both are objects
	for _, member := range members {
		if !bytes.Equal(member.Value, rawjson.Member(old, member.Name)) {
			edit.set(pathOf(id, member.Name), member.Value)
		}
	}
	members, _ = textedit.ReadJSON(old, nil)
	for _, member := range members {
		if rawjson.Member(updated, member.Name) == nil {
			edit.remove(pathOf(id, member.Name))
		}
	}
	edit.set(pathOf(id, "from", "version"), version)
	edit.step(a.own.withSecrets)
}
