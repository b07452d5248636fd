package application

import (
	"context"
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

// startAtUse starts servers that are shown and were not started yet, since their prompts or resources are used. It
// returns once each is up or failed, with one of the failures of Sessions.ConnectInTime. The next opening reports all.
//
// Decision: a list of prompts or resources uses the servers that had some when they listed something last. Without
// that, a host could never find them; servers without any stay down.
func startAtUse(ctx context.Context, connecting *sessions.Sessions, servers []domain.Server) error {
	failures := make([]error, len(servers))
	eachOf(servers, func(i int, server domain.Server) { _, failures[i] = connecting.ConnectInTime(ctx, server) })
	if i := slices.IndexFunc(failures, func(err error) bool { return err != nil }); i >= 0 {
		return failures[i]
	}
	return nil
}
