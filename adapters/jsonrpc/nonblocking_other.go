//go:build !unix

package jsonrpc

import "os"

// NonblockingWrite returns nil: files of this system cannot be written to
// without the chance of waiting.
func NonblockingWrite(*os.File) func([]byte) int { return nil }
