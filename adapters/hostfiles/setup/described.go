package setup

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/masking"
)

// DescribedServer is a server as the flags of add describe it. The command lines of 'claude mcp
// add' work, or the failure says what to do instead.
type DescribedServer struct {
	Kinds Kinds
	// Set are keys that have no flag, as KEY=VALUE.
	Set                                          []string
	Env, Headers                                 []string
	Transport, Cwd                               string
	URL, TokenVariable                           string
	ClientID, ClientSecret, Issuer, CallbackPort string
}

// kind is the kind of program that a server is.
type kind string

const (
	program kind = "programs, and this server is an address"
	address kind = "addresses, which begin with https:// or http://, and this server is a program"
)

// Server returns the server that the flags and arguments of add describe. The command begins
// at the argument dash, -1 for none. No failure shows a value.
func (d *DescribedServer) Server(args []string, dash int) (setup.Server, error) {
	var none setup.Server
	if d.URL != "" && len(args) > 0 { // as 'codex mcp add' takes it
		if len(args) > 1 {
			return none, errors.New("name the address once: as --url URL, or 'mcp-workbench add NAME URL'")
		}
		args, dash = append(slices.Clone(args), d.URL), -1
	}
	switch {
	case len(args) == 0:
		return none, errors.New("name the server: 'mcp-workbench add NAME -- COMMAND ARGS…' or 'mcp-workbench add NAME URL'")
	case len(args) == 1 && d.Kinds.isOwn(d.Transport):
		members, err := d.Kinds.members(d.Transport, d.Set)
		return setup.Server{Name: args[0], Settings: setup.Settings{Transport: d.Transport, Members: members}}, err
	case dash == 0:
		return none, errors.New("name the server before '--': 'mcp-workbench add NAME -- COMMAND ARGS…'")
	case len(args) == 1:
		return none, fmt.Errorf("add what %q is: 'mcp-workbench add %s -- COMMAND ARGS…' or 'mcp-workbench add %s URL'", args[0], args[0], args[0])
	}
	name, words := args[0], d.takeValues(args[1:], dash-1)
	switch {
	case isPair.MatchString(name):
		return none, errors.New("the name is NAME=VALUE: give each variable an '-e' of its own, and name the server")
	case len(words) == 0:
		return none, errors.New("add what the server is: a command after '--', or an address")
	}
	described := program
	if isAddress(words[0]) {
		described = address
	}
	switch {
	case described == program && len(words) == 1 && isLine(words[0]):
		return none, errors.New("the command is one word with spaces in it; omit its quotes: 'mcp-workbench add NAME -- COMMAND ARGS…'")
	case described == program && (isIncompleteAddress(words[0]) || d.URL != ""):
		return none, errors.New(incompleteAddress(words[0]))
	case described == address && len(words) > 1:
		return none, errors.New("an address takes no arguments, and --client-secret takes no value but '--client-secret=${NAME}'")
	}
	if err := d.checkFlags(described); err != nil {
		return none, err
	}
	server := setup.Server{Name: name}
	var err error
	if server.Settings, err = d.settings(words, described); err != nil {
		return none, err
	}
	server.Notes = hostfiles.DropOwnHeaders(server.Settings.Headers)
	return server, nil
}

// checkFlags refuses flags that are not for the kind of server.
func (d *DescribedServer) checkFlags(described kind) error {
	if strings.HasPrefix(strings.ToLower(d.Transport), "streamable") {
		d.Transport = config.ImpliedKind(true) // other programs call it "streamable-http" and the like
	}
	named := address
	switch {
	case d.Transport == "":
	case d.Kinds[d.Transport] == nil:
		return fmt.Errorf("--transport %q: use %s", d.Transport, d.Kinds.Words())
	case d.Kinds.isOwn(d.Transport):
		return fmt.Errorf("--transport %s takes only the name of the server, and its keys as '--set KEY=VALUE'", d.Transport)
	case len(config.ServerKeys(d.Kinds[d.Transport]).With(keys.Code)) > 0:
		named = program
	}
	for _, flag := range []struct {
		name    string
		isGiven bool
		kind    kind
	}{
		{"--env", len(d.Env) > 0, program},
		{"--cwd", d.Cwd != "", program},
		{"--header", len(d.Headers) > 0, address},
		{"--bearer-token-env-var", d.TokenVariable != "", address},
		{"--client-id", d.ClientID != "", address},
		{"--client-secret", d.ClientSecret != "", address},
		{"--issuer", d.Issuer != "", address},
		{"--callback-port", d.CallbackPort != "", address},
		{"--transport " + d.Transport, d.Transport != "", named},
	} {
		if flag.isGiven && flag.kind != described {
			return fmt.Errorf("%s is for %s", flag.name, flag.kind)
		}
	}
	return nil
}

func (d *DescribedServer) settings(words []string, described kind) (settings setup.Settings, err error) {
	settings.Cwd = d.Cwd
	if described == program {
		settings.Command, settings.Args = words[0], words[1:]
	} else {
		settings.URL = words[0]
	}
	implied := config.ImpliedKind(described == address)
	of := cmp.Or(d.Transport, implied)
	if of != implied {
		settings.Transport = of
	}
	if settings.Members, err = d.Kinds.members(of, d.Set); err != nil {
		return settings, err
	}
	if settings.Env, err = pairs(d.Env, "=", "--env", "KEY=VALUE or KEY"); err != nil {
		return settings, err
	}
	if settings.Headers, err = pairs(d.Headers, ":", "--header", "'Name: value'"); err != nil {
		return settings, err
	}
	if d.TokenVariable != "" {
		if masking.VariableName(d.TokenVariable) != strings.Trim(strings.ToUpper(d.TokenVariable), "_") {
			return settings, errors.New("--bearer-token-env-var wants the name of a variable, not a token")
		}
		if settings.Headers == nil {
			settings.Headers = map[string]string{}
		}
		settings.Headers["Authorization"] = "Bearer ${" + d.TokenVariable + "}"
	}
	settings.OAuth, err = d.oauth()
	return settings, err
}

// oauth returns the settings of logins, nil for none.
func (d *DescribedServer) oauth() (*setup.OAuth, error) {
	settings := &setup.OAuth{ClientID: d.ClientID, ClientSecret: d.ClientSecret, Issuer: d.Issuer}
	switch {
	case d.ClientID+d.ClientSecret+d.Issuer+d.CallbackPort == "":
		return nil, nil
	case d.ClientSecret != "" && d.ClientID == "":
		return nil, errors.New("--client-secret needs the client that it belongs to: --client-id ID")
	case d.ClientSecret != "" && !strings.Contains(d.ClientSecret, "${"):
		return nil, errors.New("--client-secret: other users can read command lines, so set a variable and write '--client-secret=${NAME}' in single quotes")
	case d.CallbackPort == "":
		return settings, nil
	}
	port, err := strconv.ParseUint(d.CallbackPort, 10, 16)
	switch {
	case err != nil || port == 0:
		return nil, fmt.Errorf("--callback-port %q: want a port, from 1 to 65535", d.CallbackPort)
	case d.ClientID != "": // the client is registered with the whole address
		settings.RedirectURI = hostfiles.ClaudeRedirect(int(port))
	default:
		settings.CallbackPort = json.RawMessage(strconv.FormatUint(port, 10))
	}
	return settings, nil
}

// pairs splits texts at a separator. A variable without a value refers to itself.
func pairs(texts []string, separator, flag, form string) (map[string]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	split := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, separator)
		if name = strings.TrimSpace(name); name == "" || !ok && separator != "=" {
			return nil, fmt.Errorf("%s needs %s", flag, form)
		}
		if !ok {
			value = "${" + name + "}"
		}
		if separator == ":" {
			value = strings.TrimSpace(value)
		}
		split[name] = value
	}
	return split, nil
}

// isPair matches "NAME=VALUE".
var isPair = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// takeValues removes the words that are further values of '-e' or '-H', which take several in
// 'claude mcp add'. The command begins at dash.
func (d *DescribedServer) takeValues(words []string, dash int) []string {
	if len(d.Env) > 0 {
		for ; dash > 0 && isPair.MatchString(words[0]); dash-- {
			d.Env = append(d.Env, words[0])
			words = words[1:]
		}
	}
	if len(d.Headers) > 0 && len(words) > 1 && isAddress(words[0]) {
		d.Headers = slices.Concat(d.Headers, words[1:])
		words = words[:1]
	}
	return words
}

func isAddress(word string) bool {
	return strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://")
}

// isIncompleteAddress reports whether a word is an address that does not begin as one of a server,
// rather than a program.
func isIncompleteAddress(word string) bool {
	if !launcher.IsAddress(word) {
		return false
	}
	_, err := os.Stat(word)
	return err != nil && programs.Find(os.Getenv("PATH"), word) == ""
}

// incompleteAddress says how to write an address. It does not show it, since there may be a secret
// in it.
func incompleteAddress(word string) string {
	where := "in front of it"
	if scheme, _, ok := strings.Cut(word, "://"); ok {
		where = fmt.Sprintf("in place of %s://", scheme)
	} else if strings.HasPrefix(word, "//") {
		where = "in place of //"
	}
	return fmt.Sprintf("this looks like an address; write http:// or https:// %s: 'mcp-workbench add NAME URL'", where)
}

// isLine reports whether a word is a command with its arguments rather than the path of a
// program.
func isLine(word string) bool {
	_, err := os.Stat(word)
	return err != nil && strings.Contains(strings.TrimSpace(word), " ")
}
