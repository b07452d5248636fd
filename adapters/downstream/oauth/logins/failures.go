package logins

import (
	"errors"
	"fmt"
)

// What the function that sends a refresh token wraps. Any other error says that the
// authorization server did not use the token up: it was not reached, or its answer was
// about something else.
var (
	// ErrRefused says that the server does not accept the token, and never will
	// (invalid_grant, RFC 6749 section 5.2).
	ErrRefused = errors.New("the authorization server refused the refresh token")
	// ErrUnanswered says that the token was sent, or may have been, and that no whole
	// answer arrived: nobody knows whether it is used up.
	ErrUnanswered = errors.New("the authorization server did not answer")
)

var (
	// ErrNoRefreshToken says that there is nothing to refresh with: a person has to log in.
	ErrNoRefreshToken = errors.New("the login has no refresh token")
	// ErrLocked says that another process held the login's lock all the time.
	ErrLocked = errors.New("another process works on the login")
)

// EndedError says that a login ended: a person has to log in again.
type EndedError struct {
	// Why is a clause for people, such as "the authorization server refused …".
	Why string
}

// Error implements error.
func (e *EndedError) Error() string { return "the login has ended: " + e.Why }

// NewerVersionError says that a file is of a format that this program does not know. It
// is neither read nor written.
type NewerVersionError struct {
	Path    string
	Version int
}

// Error implements error.
func (e *NewerVersionError) Error() string {
	return fmt.Sprintf("%s was written by a newer version of the program (format %d, this one knows %d)", e.Path, e.Version, formatVersion)
}

// BrokenError says that a file is not a login. It is not written; removing it helps.
type BrokenError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *BrokenError) Error() string { return fmt.Sprintf("%s is not a login: %v", e.Path, e.Err) }

// Unwrap returns what is wrong.
func (e *BrokenError) Unwrap() error { return e.Err }
