package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles"
)

// addedLogin is what the flags of add say about logins. They are those of 'claude mcp add',
// and --issuer.
type addedLogin struct {
	clientID, clientSecret, issuer, callbackPort string
}

// addFlags makes the flags. A secret without a value is the variable in which Claude Code
// looks for it.
func (l *addedLogin) addFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&l.clientID, "client-id", "", "the client that is registered for the address (OAuth)")
	flags.StringVar(&l.clientSecret, "client-secret", "", "its secret: `'${NAME}'`, or nothing for the variable MCP_CLIENT_SECRET")
	flags.Lookup("client-secret").NoOptDefVal = "${MCP_CLIENT_SECRET}"
	flags.StringVar(&l.issuer, "issuer", "", "the `address` of the authorization server that may get them")
	flags.StringVar(&l.callbackPort, "callback-port", "", "the `port` that the browser is sent back to after a login")
}

// settings returns what the configuration says about logins, nil for nothing. No failure
// shows a value.
func (l *addedLogin) settings() (*hostfiles.OAuth, error) {
	if *l == (addedLogin{}) {
		return nil, nil
	}
	settings := &hostfiles.OAuth{ClientID: l.clientID, ClientSecret: l.clientSecret, Issuer: l.issuer}
	if l.clientSecret != "" && l.clientID == "" {
		return nil, errors.New("--client-secret wants the client that it belongs to: --client-id ID")
	}
	if l.clientSecret != "" && !strings.Contains(l.clientSecret, "${") {
		return nil, errors.New("--client-secret: other users can read command lines, so set a variable and write '--client-secret=${NAME}' in single quotes")
	}
	if l.callbackPort == "" {
		return settings, nil
	}
	port, err := strconv.ParseUint(l.callbackPort, 10, 16)
	switch {
	case err != nil || port == 0:
		return nil, fmt.Errorf("--callback-port %q: want a port, from 1 to 65535", l.callbackPort)
	case l.clientID != "": // the client is registered with the whole address
		settings.RedirectURI = hostfiles.ClaudeRedirect(int(port))
	default:
		settings.CallbackPort = json.RawMessage(strconv.FormatUint(port, 10))
	}
	return settings, nil
}
