package login

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// dateFormat is the layout of times for people, in the time zone of the machine.
const dateFormat = "2006-01-02 15:04"

// state says whether a login can be used.
type state string

const (
	valid   state = "valid"
	expired state = "expired" // it is refreshed at the next use, if it can be
	ended   state = "ended"   // the user has to log in again
)

// entry is a login as --json prints it, without tokens.
type entry struct {
	Server string `json:"server"`
	// UsedBy are the servers of the configuration in use that the login is for, as
	// TOOLBOX/SERVER.
	UsedBy  []string `json:"usedBy"`
	Issuer  string   `json:"issuer"`
	Account string   `json:"account,omitempty"`
	// ClientID is the configured client.
	ClientID    string    `json:"clientId,omitempty"`
	Scopes      []string  `json:"scopes"`
	State       state     `json:"state"`
	Ended       string    `json:"ended,omitempty"`
	Expiry      time.Time `json:"expiry,omitzero"`
	LastRefresh time.Time `json:"lastRefresh,omitzero"`
	Renewable   bool      `json:"renewable"`
}

// Show prints the logins on this machine, and returns why some cannot be read. UsedBy maps logins to the
// servers of the configuration that use them.
func Show(store *logins.Store, usedBy map[logins.Key][]string, out *terminal.Output, asJSON bool) error {
	records, failure := store.List()
	list := []entry{}
	for _, record := range records {
		if record.LoggedIn() {
			list = append(list, newEntry(record, usedBy[record.Key], time.Now()))
		}
	}
	if !asJSON {
		out.WrapLines()
		return cmp.Or(printList(out, list), failure)
	}
	return cmp.Or(out.JSON(struct {
		Logins []entry `json:"logins"`
	}{list}), failure)
}

// Servers maps logins to the servers of a configuration that use them.
func Servers(toolboxes []domain.Toolbox) map[logins.Key][]string {
	servers := map[logins.Key][]string{}
	for configured := range domain.ServersOf(toolboxes) {
		if server, err := oauth.ServerOf(configured); err == nil {
			servers[server.Key()] = append(servers[server.Key()], configured.ID.Path())
		}
	}
	return servers
}

func newEntry(record logins.Record, usedBy []string, now time.Time) entry {
	e := entry{
		Server: record.Key.Server, UsedBy: append([]string{}, usedBy...), Issuer: record.Issuer, Account: record.Key.Account,
		ClientID: record.Key.ClientID, Scopes: append([]string{}, record.Granted...), State: valid, Ended: record.Ended,
		Expiry: record.Expiry, LastRefresh: record.LastRefresh, Renewable: record.RefreshToken != "" && record.Ended == "",
	}
	switch isOver := !record.Expiry.IsZero() && !now.Before(record.Expiry); {
	case isOver && e.Renewable:
		e.State = expired
	case isOver, record.Ended != "" && record.Expiry.IsZero():
		e.State = ended
	}
	return e
}

// printList prints logins as text.
func printList(out *terminal.Output, list []entry) error {
	if len(list) == 0 {
		return out.Lines("there are no logins; 'mcp-workbench login TOOLBOX/SERVER' logs in")
	}
	for _, e := range list {
		lines := []string{e.Server}
		add := func(name, value string) {
			if value != "" {
				lines = append(lines, fmt.Sprintf("  %-13s %s", name, value))
			}
		}
		add("used by", strings.Join(e.UsedBy, ", "))
		add("issuer", e.Issuer)
		add("account", e.Account)
		add("scopes", strings.Join(e.Scopes, " "))
		add("expires", e.expires())
		add("last refresh", e.LastRefresh.Local().Format(dateFormat))
		if err := out.Lines(lines...); err != nil {
			return err
		}
	}
	return nil
}

// expires returns when a login expires, and what happens then.
func (e entry) expires() string {
	text := "unknown"
	if !e.Expiry.IsZero() {
		text = e.Expiry.Local().Format(dateFormat)
	}
	switch {
	case e.Ended != "":
		text += "; log in again: " + e.Ended
	case e.Renewable:
		text += "; it is renewed automatically"
	case e.State == ended:
		text += "; log in again"
	}
	return text
}
