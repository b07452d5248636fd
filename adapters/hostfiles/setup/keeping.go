package setup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// keepSecrets offers to keep the secrets of a plan in the password store of this system. It returns the plan
// for the same servers with references to the secrets that are kept there.
func (i *importing) keepSecrets(plan *importPlan, servers found) (*importPlan, error) {
	values := storable{}
	for _, server := range plan.Imported {
		for _, secret := range server.Secrets {
			if !secret.Referred && secret.IsLate {
				values.add(i.own, secret.Variable, secret.Value)
			}
		}
	}
	if err := i.keep(i.own, values); err != nil || len(i.own.kept) == 0 {
		return plan, err
	}
	return i.plan(servers, false)
}

// keepSecretsOf is keepSecrets for a server that is added. It returns the server with references.
func (e *Editor) keepSecretsOf(own *ownFile, server setup.Server) (setup.Server, error) {
	secrets, values := e.Transports.Keys().SecretsOf(server), storable{}
	for _, secret := range secrets {
		if secret.IsLate {
			values.add(own, secret.Variable, secret.Value)
		}
	}
	if err := e.keep(own, values); err != nil {
		return server, err
	}
	for _, secret := range secrets {
		if value, isKept := own.kept[secret.Variable]; isKept && value == secret.Value {
			server.Settings.Refer(secret)
		}
	}
	return server, nil
}

// KeepSecrets keeps the plain secrets of the configuration in the password store of this system, after a
// yes, and writes references in their places. Secrets that it cannot move stay, with a note.
//
// Failures: no configuration; no password store; no terminal to ask in.
func KeepSecrets(e *Editor) error {
	own, configuration, err := e.openInScope("")
	if err != nil {
		return err
	}
	secrets, inline := configuration.PlainSecrets(os.LookupEnv)
	for _, id := range inline {
		e.say("note: an argument or the address of %s looks like a secret: \"${NAME}\" can replace it", domain.LineText(id.Path()))
	}
	values := storable{}
	for _, secret := range secrets {
		if secret.IsLate {
			values.add(own, secret.Variable, secret.Value)
		} else {
			e.say("note: %s of %s stays in the file, since it is needed before the server starts", domain.LineText(secret.Place()), domain.LineText(secret.Server.Path()))
		}
	}
	if len(values) == 0 {
		e.say("%s has no plain secrets in variables and headers", own.path)
		return e.finish(nil, false)
	}
	if _, found := findPasswordStore(); !found {
		return errNoStore
	}
	if !e.asks() {
		return errNoTerminal
	}
	if err := e.keep(own, values); err != nil || len(own.kept) == 0 {
		return err
	}
	edit := e.edit(own, domain.ServerID{})
	edit.asks = true
	for _, secret := range secrets {
		if value, isKept := own.kept[secret.Variable]; isKept && value == secret.Value {
			edit.set(pathOf(secret.Server, secret.Path...), secret.Reference())
		}
	}
	edit.step(own.withSecrets)
	if _, err = edit.check("refer to the secrets"); err != nil {
		return err
	}
	if err := edit.make("Moved " + domain.Counted(len(own.kept), "secret") + " to " + own.store.name + "."); err != nil {
		return err
	}
	return e.finish(nil, false)
}

var (
	errNoStore = errors.New("this system has no password store that can be used: security on macOS, secret-tool in a desktop session, " +
		"or pass after 'pass init'; for others write \"secrets\" ('mcp-workbench help configuration')")
	errNoTerminal = errors.New("secrets are moved only after a yes, and there is no terminal to ask in")
)

// keep stores values in the password store of this system, after one question for all, and notes those that
// were read back. It says why others are not stored. Without a store or a terminal it does nothing.
func (e *Editor) keep(own *ownFile, values storable) error {
	store, found := findPasswordStore()
	if !e.asks() || !found || len(values) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(values))
	question := fmt.Sprintf("Keep %s in %s instead of the file: %s?",
		domain.Counted(len(names), "secret"), store.name, domain.LineText(strings.Join(names, ", ")))
	if yes, err := e.terminal.Confirm(question); err != nil || !yes {
		return err
	}
	own.store, own.kept = store, map[string]string{}
	for _, name := range names {
		if err := store.keep(context.Background(), name, values[name]); err != nil {
			e.say("note: %s stays in the file: %s", name, domain.LineText(err.Error()))
			continue
		}
		own.kept[name] = values[name]
	}
	return nil
}

// storable are values that a command can print, by the names of their variables.
type storable map[string]string

// add adds a value that no server needs before it starts, unless the name has another value or source.
func (s storable) add(own *ownFile, name, value string) {
	_, isSet := os.LookupEnv(name)
	_, known := s[name]
	if !isSet && !known && !slices.Contains(own.elsewhere(), name) {
		s[name] = value
	}
}

// withSecrets returns the text of a configuration with the commands that print the kept values.
func (f *ownFile) withSecrets(text []byte) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(f.kept)) {
		var err error
		text, err = withMember(text, []string{"secrets", name}, map[string][]string{"command": f.store.command(name)})
		if err != nil {
			return nil, fmt.Errorf("add the secret %s: %w", name, err)
		}
	}
	return text, nil
}
