package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ReviewedPlugin is a plugin as a user sees it before they trust it.
type ReviewedPlugin struct {
	config.UsedPlugin
	// Lines describe what it starts and reaches, what it is, and for which bytes a yes holds.
	Lines []string
	// Was are the lines of the review before that no longer hold, and New those that it did not have. For a plugin that was not
	// trusted, Was is empty and all lines are new.
	Was, New []string
	// IsTrusted reports whether the user trusts these bytes already.
	IsTrusted bool
}

// ReviewPlugin reads the plugin in a folder and describes it.
//
// Failures: those of plugins.Load; a plugin that others can change.
func (c Consent) ReviewPlugin(from config.Options, transports map[string]ports.Transport, folder string) (*ReviewedPlugin, error) {
	loaded, err := plugins.Load(folder)
	if err != nil {
		return nil, err
	}
	entry, err := json.Marshal(map[string]any{"toolboxes": map[string]any{loaded.Name: map[string]string{"plugin": loaded.Root}}})
	if err != nil {
		return nil, fmt.Errorf("describe the plugin %s: %w", loaded.Name, err)
	}
	from.Untrusted, from.Toolboxes = config.LookedAt, nil
	configuration, err := config.Check(from, filepath.Join(loaded.Root, plugins.Manifest), entry, transports)
	if err != nil {
		return nil, err
	}
	if closed := configuration.Closed(); len(closed) > 0 {
		return nil, closed[0]
	}
	used := configuration.Plugins[0] // these are the bytes that the lines are about
	reviewed := &ReviewedPlugin{UsedPlugin: used, Lines: slices.Concat(serverLines(configuration, transports, states{}), aboutPlugin(used))}
	before := c.Records.ShownOf(used.ManifestPath())
	reviewed.Was, reviewed.New = without(before, reviewed.Lines), without(reviewed.Lines, before)
	reviewed.IsTrusted, _ = c.Trusts(used.ManifestPath(), used.Seen())
	return reviewed, nil
}

// without returns the lines that others do not have.
func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// NeedsCare returns the lines about what gives more than a server needs, and about servers that were other ones in the review
// before.
func (r *ReviewedPlugin) NeedsCare() []string {
	lines := slices.DeleteFunc(slices.Clone(r.Lines), func(line string) bool { return !needsCare(line) })
	for _, line := range r.Was {
		if strings.HasPrefix(line, r.Name+"/") {
			lines = append(lines, "was: "+line)
		}
	}
	return lines
}

// AddPlugin records that the user trusts a plugin as they saw it.
func (c Consent) AddPlugin(reviewed *ReviewedPlugin) error {
	path := reviewed.ManifestPath()
	return c.Records.AddPlugin(path, reviewed.Seen(), LockBeside(path), reviewed.Lines)
}

// aboutPlugin returns lines about a plugin besides its servers. Each foreign text is one quoted line.
func aboutPlugin(used config.UsedPlugin) []string {
	line := "plugin " + used.Name
	if used.Version != "" {
		line += " " + domain.QuotedName(used.Version)
	}
	if used.Description != "" {
		line += ", which says: " + quoted(used.Description)
	}
	lines := []string{line}
	for _, skill := range used.Skills {
		lines = append(lines, "skill "+skill.Name+", which says: "+quoted(skill.Description))
	}
	for _, report := range used.Reports {
		lines = append(lines, report.String())
	}
	for _, name := range used.Deciding() {
		lines = append(lines, "a yes holds for "+domain.ShellWord(name)+" with the SHA-256 "+used.Digest(name))
	}
	return append(lines, "its private folder is "+domain.ShellWord(used.Data))
}

// maxQuoted is the maximum number of characters of a description in a review.
const maxQuoted = 300

func quoted(text string) string {
	return `"` + domain.CutCharacters(domain.OneLine(text), maxQuoted) + `"`
}

// PrintPlugin shows a plugin.
func PrintPlugin(user *terminal.Terminal, reviewed *ReviewedPlugin) error {
	if err := user.Print("The plugin in %s would start and reach, with your rights:", domain.ReviewLine(reviewed.Root)); err != nil {
		return err
	}
	for _, line := range reviewed.Lines {
		if err := user.Print("  %s", domain.ReviewLine(line)); err != nil {
			return err
		}
	}
	for _, line := range reviewed.Was {
		if err := user.Print("  was: %s", domain.ReviewLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// trustPlugin shows a plugin, asks, and records that it is trusted, as Trust does for a configuration.
func (c Consent) trustPlugin(from config.Options, transports map[string]ports.Transport, folder string, answer Answer) error {
	reviewed, err := c.ReviewPlugin(from, transports, folder)
	if err != nil {
		return err
	}
	user, yes := terminal.New(c.Screen, c.Colour), answer.Yes
	if !yes && !user.IsInteractive() {
		return &RefusedError{fmt.Errorf("there is no terminal to ask in; to trust the plugin, run %s", domain.QuotedCommand(answer.Command))}
	}
	if err := PrintPlugin(user, reviewed); err != nil {
		return err
	}
	if yes && !answer.AllowOptions && len(reviewed.NeedsCare()) > 0 {
		return errNeedsCare
	}
	if !yes {
		if yes, err = user.Confirm("Trust this plugin?"); err != nil {
			return err
		}
	}
	if !yes {
		return errors.New("it is not trusted")
	}
	if err := c.AddPlugin(reviewed); err != nil {
		return err
	}
	return user.Print("%s is trusted as it is now. %s takes that back.",
		reviewed.Root, domain.QuotedCommand("mcp-workbench trust --remove "+domain.ShellWord(reviewed.ManifestPath())))
}
