package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

// dateFormat is how people read a time, in the time zone of the machine.
const dateFormat = "2006-01-02 15:04"

// loginState says what a login is good for.
type loginState string

const (
	loginValid   loginState = "valid"
	loginExpired loginState = "expired" // it is refreshed at the next use, if it can be
	loginEnded   loginState = "ended"   // a person has to log in again
)

// shownLogin is a login as --json has it. It has no token.
type shownLogin struct {
	Server string `json:"server"`
	// UsedBy are the servers of the configuration in use that the login is for, as
	// TOOLBOX/SERVER.
	UsedBy  []string `json:"usedBy"`
	Issuer  string   `json:"issuer"`
	Account string   `json:"account,omitempty"`
	// ClientID is the configured client.
	ClientID    string     `json:"clientId,omitempty"`
	Scopes      []string   `json:"scopes"`
	State       loginState `json:"state"`
	Ended       string     `json:"ended,omitempty"`
	Expiry      time.Time  `json:"expiry,omitzero"`
	LastRefresh time.Time  `json:"lastRefresh,omitzero"`
	Renewable   bool       `json:"renewable"`
}

// listLogins runs login --list.
func listLogins(options options, asJSON bool) error {
	client := newOAuthClient(&oauth.Secrets{}, slog.New(slog.NewTextHandler(console.Err, nil)))
	if client == nil {
		return &exitError{code: exitFailure}
	}
	// What can be read is shown whatever else cannot.
	records, failure := client.Store.List()
	usedBy := serversByLogin(options)
	shown := []shownLogin{}
	for _, record := range records {
		if record.LoggedIn() {
			shown = append(shown, showLogin(record, usedBy[record.Key], time.Now()))
		}
	}
	var err error
	if asJSON {
		err = json.NewEncoder(console.Out.Data()).Encode(struct {
			Logins []shownLogin `json:"logins"`
		}{shown})
	} else {
		err = printLogins(console.Out, shown)
	}
	if err == nil {
		err = failure
	}
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	return nil
}

// serversByLogin returns the servers of the configuration by their logins, none when the
// configuration cannot be used.
func serversByLogin(options options) map[logins.Key][]string {
	options.lenient = true
	servers := map[logins.Key][]string{}
	configuration, err := options.load(newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	if err != nil {
		return servers
	}
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		for _, configured := range toolbox.Servers {
			if server, err := oauth.ServerOf(configured); err == nil {
				servers[server.Key()] = append(servers[server.Key()], configured.ID.Path())
			}
		}
	}
	return servers
}

func showLogin(record logins.Record, usedBy []string, now time.Time) shownLogin {
	shown := shownLogin{
		Server: record.Key.Server, UsedBy: append([]string{}, usedBy...), Issuer: record.Issuer, Account: record.Key.Account,
		ClientID: record.Key.ClientID, Scopes: append([]string{}, record.Granted...), State: loginValid, Ended: record.Ended,
		Expiry: record.Expiry, LastRefresh: record.LastRefresh, Renewable: record.RefreshToken != "" && record.Ended == "",
	}
	switch isOver := !record.Expiry.IsZero() && !now.Before(record.Expiry); {
	case isOver && shown.Renewable:
		shown.State = loginExpired
	case isOver, record.Ended != "" && record.Expiry.IsZero():
		shown.State = loginEnded
	}
	return shown
}

// printLogins prints logins for people.
func printLogins(out io.Writer, shown []shownLogin) error {
	if len(shown) == 0 {
		_, err := fmt.Fprintln(out, "nobody is logged in anywhere; 'mcp-workbench login TOOLBOX/SERVER' logs in")
		return err
	}
	for _, login := range shown {
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
		add("last refresh", login.LastRefresh.Local().Format(dateFormat))
		if _, err := fmt.Fprintln(out, strings.Join(lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// expires says until when a login is good.
func (l shownLogin) expires() string {
	text := "not known"
	if !l.Expiry.IsZero() {
		text = l.Expiry.Local().Format(dateFormat)
	}
	switch {
	case l.Ended != "":
		text += "; log in again: " + l.Ended
	case l.Renewable:
		text += "; it is renewed without you"
	case l.State == loginEnded:
		text += "; log in again"
	}
	return text
}
