package login

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// DateFormat is the layout of times for people, in the time zone of the machine.
const DateFormat = "2006-01-02 15:04"

// state says whether a login can be used.
type state string

const (
	valid   state = "valid"
	expired state = "expired" // it is refreshed at the next use, if it can be
	ended   state = "ended"   // the user has to log in again
)

// Shown is a login as --json prints it, without tokens.
type Shown struct {
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
	list, failure := List(store, usedBy)
	var err error
	if asJSON {
		err = PrintJSON(out.Data(), list)
	} else {
		err = Print(out, list)
	}
	return cmp.Or(err, failure)
}

// List returns the logins on this machine, and why some cannot be read. UsedBy maps logins to the
// servers of the configuration that use them.
func List(store *logins.Store, usedBy map[logins.Key][]string) ([]Shown, error) {
	records, failure := store.List()
	list := []Shown{}
	for _, record := range records {
		if record.LoggedIn() {
			list = append(list, show(record, usedBy[record.Key], time.Now()))
		}
	}
	return list, failure
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

// PrintJSON prints logins as one JSON object.
func PrintJSON(out io.Writer, list []Shown) error {
	return json.NewEncoder(out).Encode(struct {
		Logins []Shown `json:"logins"`
	}{list})
}

func show(record logins.Record, usedBy []string, now time.Time) Shown {
	shown := Shown{
		Server: record.Key.Server, UsedBy: append([]string{}, usedBy...), Issuer: record.Issuer, Account: record.Key.Account,
		ClientID: record.Key.ClientID, Scopes: append([]string{}, record.Granted...), State: valid, Ended: record.Ended,
		Expiry: record.Expiry, LastRefresh: record.LastRefresh, Renewable: record.RefreshToken != "" && record.Ended == "",
	}
	switch isOver := !record.Expiry.IsZero() && !now.Before(record.Expiry); {
	case isOver && shown.Renewable:
		shown.State = expired
	case isOver, record.Ended != "" && record.Expiry.IsZero():
		shown.State = ended
	}
	return shown
}

// Print prints logins as text.
func Print(out io.Writer, list []Shown) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "there are no logins; 'mcp-workbench login TOOLBOX/SERVER' logs in")
		return err
	}
	for _, login := range list {
		lines := []string{login.Server}
		add := func(name, value string) {
			if value != "" {
				lines = append(lines, fmt.Sprintf("  %-13s %s", name, value))
			}
		}
		add("used by", strings.Join(login.UsedBy, ", "))
		add("issuer", login.Issuer)
		add("account", login.Account)
		add("scopes", strings.Join(login.Scopes, " "))
		add("expires", login.expires())
		add("last refresh", login.LastRefresh.Local().Format(DateFormat))
		if _, err := fmt.Fprintln(out, strings.Join(lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// expires returns when a login expires, and what happens then.
func (l Shown) expires() string {
	text := "unknown"
	if !l.Expiry.IsZero() {
		text = l.Expiry.Local().Format(DateFormat)
	}
	switch {
	case l.Ended != "":
		text += "; log in again: " + l.Ended
	case l.Renewable:
		text += "; it is renewed automatically"
	case l.State == ended:
		text += "; log in again"
	}
	return text
}
