package mcpclient

import "fmt"

// TooLargeError says that the server's answer is over the limit on messages. Only the
// request that it belongs to fails.
type TooLargeError struct {
	Size, Limit int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the answer of %d bytes is over the limit of %d bytes (limits.messageSize raises it)", e.Size, e.Limit)
}
