package login

import (
	"context"
	"errors"
	"fmt"

	"mcp-workbench/adapters/downstream/oauth"
)

// LogOut forgets the login at the server, revokes its tokens, and returns what to print about it. The
// login is forgotten before it is revoked, so that no process refreshes what is being revoked.
//
// Failures: *UnreachableError, and any other cause.
func (t *Target) LogOut(ctx context.Context) (text string, err error) {
	removed, err := t.Client.Store.Remove(ctx, t.server.Key())
	if err != nil {
		return "", t.failed(err)
	}
	if !removed.LoggedIn() {
		return fmt.Sprintf("There is no login to %s.", t.name), nil
	}
	err = t.Client.Revoke(ctx, t.server, removed)
	switch {
	case errors.Is(err, oauth.ErrNoRevocation):
		return fmt.Sprintf("Logged out of %s here; %v.", t.name, err), nil
	case err != nil:
		return "", t.failed(fmt.Errorf("logged out here, but the tokens could not be revoked: %w", err))
	}
	return fmt.Sprintf("Logged out of %s at %s.", t.name, removed.Issuer), nil
}
