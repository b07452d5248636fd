package mcpclient

import "fmt"

// DeniedError says that a server refused a request since it does not know who asks. It
// says nothing about what the server speaks.
type DeniedError struct{ Err error }

func (e *DeniedError) Error() string { return e.Err.Error() }

// Unwrap returns the refusal.
func (e *DeniedError) Unwrap() error { return e.Err }

// TooLargeError says that the server's answer is over the limit on messages. Only the
// request that it belongs to fails.
type TooLargeError struct {
	Size, Limit int64 // bytes; Size is 0 when it is not known
}

func (e *TooLargeError) Error() string {
	if e.Size == 0 {
		return fmt.Sprintf("the answer is over the limit of %d bytes (limits.messageSize raises it)", e.Limit)
	}
	return fmt.Sprintf("the answer of %d bytes is over the limit of %d bytes (limits.messageSize raises it)", e.Size, e.Limit)
}
