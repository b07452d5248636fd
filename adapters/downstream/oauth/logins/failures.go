package logins

import (
	"errors"
	"fmt"
)

// The errors that the send function of Refresh wraps. Any other error says that the token is not used
// up: the authorization server was not reached, or its answer was about something else.
var (
	// ErrRefused says that the server will never accept the token (invalid_grant, RFC 6749 section
	// 5.2).
	ErrRefused = errors.New("the authorization server refused the refresh token")
	// ErrUnanswered says that the token may have been sent and no complete answer arrived, so that it
	// may be used up.
	ErrUnanswered = errors.New("the authorization server did not answer")
)

var (
	// ErrNoRefreshToken says that the login cannot be refreshed: the user has to log in.
	ErrNoRefreshToken = errors.New("the login has no refresh token")
	// ErrLocked says that another process held the login's lock until the context ended.
	ErrLocked = errors.New("another process uses the login")
)

// EndedError says that a login ended: the user has to log in again.
type EndedError struct {
	// Why is a clause for people, such as "the authorization server refused …".
	Why string
}

// Error implements error.
func (e *EndedError) Error() string { return "the login has ended: " + e.Why }

// NewerVersionError says that a file has a newer format than this program knows. The file is neither
// read nor written.
type NewerVersionError struct {
	Path    string
	Version int
}

// Error implements error.
func (e *NewerVersionError) Error() string {
	return fmt.Sprintf("%s was written by a newer version of the program (format %d, this one knows %d)", e.Path, e.Version, formatVersion)
}

// BrokenError says that a file is not a login. The file is not written; removing it helps.
type BrokenError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *BrokenError) Error() string { return fmt.Sprintf("%s is not a login: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *BrokenError) Unwrap() error { return e.Err }
