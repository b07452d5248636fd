package mcpclient

import "fmt"

// DeniedError says that a server requires authentication. It says nothing about the version that the
// server speaks.
type DeniedError struct{ Err error }

func (e *DeniedError) Error() string { return e.Err.Error() }

// Unwrap returns the refusal.
func (e *DeniedError) Unwrap() error { return e.Err }

// TooLargeError says that an answer is over the limit on messages. Only its request fails.
type TooLargeError struct {
	Size, Limit int64 // bytes; Size is 0 if unknown
}

func (e *TooLargeError) Error() string {
	if e.Size == 0 {
		return fmt.Sprintf("the answer is over the limit of %d bytes (limits.messageSize raises it)", e.Limit)
	}
	return fmt.Sprintf("the answer of %d bytes is over the limit of %d bytes (limits.messageSize raises it)", e.Size, e.Limit)
}
