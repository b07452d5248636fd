package main

import (
	"log/slog"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/system/statefolder"
)

// clientName is the name that authorization servers show to users.
const clientName = "MCP Workbench"

// newOAuthClient returns the client for logins at remote servers, with the user's logins; nil
// without a state directory. Secrets learns every token. It reads no file yet.
func newOAuthClient(secrets *oauth.Secrets, log *slog.Logger) *oauth.Client {
	directory, err := statefolder.Within("logins")()
	if err != nil {
		log.Info("there is no place for logins at remote servers", "error", err)
		return nil
	}
	return oauth.New(logins.New(directory, log, secrets.Learn), clientName, secrets, log)
}
