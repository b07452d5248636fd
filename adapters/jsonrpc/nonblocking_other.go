//go:build !unix

package jsonrpc

import "os"

// NonblockingWrite returns nil: on this system every write to a file can block.
func NonblockingWrite(*os.File) func([]byte) int { return nil }
