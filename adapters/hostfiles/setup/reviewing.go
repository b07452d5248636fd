package setup

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/review"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// reviewOf returns the review of a change of a server to the settings after, before nil for a new one.
func (f *ownFile) reviewOf(id domain.ServerID, before, after *setup.Settings, isForeign bool) review.Review {
	return review.Of(review.Change{
		Keys: config.KeysOfServers(f.program.Transports), Before: settingsJSON(before), After: settingsJSON(after), IsForeign: isForeign,
		UsedBy: func(variable string) []string { return f.usersOf(variable, id) },
	})
}

// sayReview prints a review, which has texts of others.
func (e *Editor) sayReview(r review.Review) {
	for _, line := range r.Lines() {
		e.say("%s", domain.ReviewLine("  "+line))
	}
}

// unaccepted returns why what needs care is not accepted, nil if the user can be asked about it or accepted it.
//
// Failures: *UsageError.
func (e *Editor) unaccepted(care []string) error {
	switch {
	case len(care) == 0 || e.AllowOptions || e.DryRun || e.asks():
		return nil
	case e.Yes:
		return &UsageError{fmt.Errorf("--yes alone does not accept what needs care (%s); --allow-options does", nameList(care))}
	}
	return &UsageError{fmt.Errorf("there is no terminal to ask in about what needs care (%s); --allow-options accepts it", nameList(care))}
}

// settingsJSON returns settings as they are written, nil for none.
func settingsJSON(settings *setup.Settings) json.RawMessage {
	if settings == nil {
		return nil
	}
	text, _ := setup.JSON(settings) // texts and their members can be encoded
	return text
}

// usersOf returns the servers of the file, but for one, that use a variable now.
func (f *ownFile) usersOf(variable string, except domain.ServerID) []string {
	servers, _ := serversIn(f.text()) // none in a broken file
	var users []string
	for _, server := range servers {
		raw, _ := textedit.ReadJSON(f.text(), []string{"toolboxes", string(server.ID.Toolbox), "mcpServers"})
		at := slices.IndexFunc(raw, func(m textedit.Member) bool { return m.Name == string(server.ID.Server) })
		if server.ID != except && at >= 0 && strings.Contains(string(raw[at].Value), "${"+variable) {
			users = append(users, server.ID.Path())
		}
	}
	return users
}

// nameList lists names of others on one line.
func nameList(names []string) string { return domain.ReviewLine(strings.Join(names, ", ")) }
