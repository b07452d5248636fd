package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell/remote"
	"mcp-workbench/domain"
)

// sharedServers are the flags of a command that uses servers of the background workbench.
type sharedServers struct {
	alone   bool
	session string
}

func (s *sharedServers) addFlags(command *cobra.Command) {
	notEmpty := commandline.NotEmpty(command.Flags())
	notEmpty(&s.session, "session", "with \"background\": use the servers of the session with this `name`, not of the terminal's")
	command.Flags().BoolVar(&s.alone, "alone", false, "start servers for this command only, whatever \"background\" says")
	command.MarkFlagsMutuallyExclusive("alone", "session")
}

// share lets a visit use the servers of the background workbench.
func (v *visit) share(servers sharedServers) {
	v.shares, v.session = v.configuration.Background.On && v.configuration.Path != "" && !servers.alone, servers.session
}

// background connects to the background workbench, which it starts if none runs. It returns nil if the visit has to start
// its servers itself, and says why unless the user wants that.
func (v *visit) background(ctx context.Context) *remote.Client {
	if !v.shares {
		return nil
	}
	place, err := v.options.place()
	if err == nil {
		place.Flags, place.Caller, place.Announced = v.options.flagsText(), ownprocess.Caller(), true
		place.Session = v.sessionKey(place.Environ)
		client := &background.Client{
			Place: background.Find(statusFolders(), v.configuration.Path, version), Window: place,
			Command: []string{programs.OwnPath(), backgroundArgument},
		}
		connection, failed := client.Connect(ctx)
		if failed == nil {
			return remote.NewClient(connection, v.host, v.configuration.Catalog.Toolbox)
		}
		err = failed
	}
	if ctx.Err() == nil {
		v.screen.Print("mcp-workbench: servers are started for this command only, without the background workbench: " + domain.LineText(err.Error()))
	}
	return nil
}

// namedSession begins the key of a session that the user named.
const namedSession = "name "

// sessionKey names the session: what the user chose, or the terminal, and the digest of values.
func (v *visit) sessionKey(environ []string) string {
	session := namedSession + v.session
	if v.session == "" {
		session = ownprocess.ShellSession()
	}
	return session + " " + v.valuesDigest(environ)
}

// valuesDigest returns a digest of the names of the files that belong to the configuration in this folder, and of the values
// of the variables that they refer to. With other values, servers get other settings.
func (v *visit) valuesDigest(environ []string) string {
	values := sha256.New()
	_, _ = io.WriteString(values, strings.Join(v.configuration.Included, "\x00"))
	for _, name := range v.configuration.Reads {
		for _, entry := range environ {
			if strings.HasPrefix(entry, name+"=") {
				_, _ = io.WriteString(values, entry+"\x00")
				break
			}
		}
	}
	return hex.EncodeToString(values.Sum(nil))
}

// sessionName returns the name that the user gave the session with a key, "" for none.
func sessionName(key string) string {
	name, isNamed := strings.CutPrefix(key[:max(0, strings.LastIndexByte(key, ' '))], namedSession)
	if !isNamed {
		return ""
	}
	return name
}
