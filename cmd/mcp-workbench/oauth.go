package main

import (
	"log/slog"
	"path/filepath"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

// clientName is what a person reads at an authorization server.
const clientName = "MCP Workbench"

// newOAuthClient returns what logs in at remote servers, with the user's logins; nil when
// there is no folder for them. Secrets learns every token. Nothing is read yet.
func newOAuthClient(secrets *oauth.Secrets, log *slog.Logger) *oauth.Client {
	directory, err := stateDirectory()
	if err != nil {
		log.Info("there is no place for logins at remote servers", "error", err)
		return nil
	}
	return oauth.New(logins.New(filepath.Join(directory, "logins"), log, secrets.Learn), clientName, secrets, log)
}
