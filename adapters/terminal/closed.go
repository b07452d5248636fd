package terminal

import (
	"errors"
	"io/fs"
)

// ClosedExit is the exit code of a program whose output is no longer read. Shells show the same code
// for a program that SIGPIPE ended.
const ClosedExit = 141

// IsClosed reports whether a write failed because the reader of standard output is gone, as in a
// pipe into head. Unix programs then exit without a message.
func IsClosed(err error) bool {
	path, _ := errors.AsType[*fs.PathError](err)
	return IsUnwritten(err) && readerIsGone(path.Err)
}

// IsUnwritten reports whether a write to standard output failed.
func IsUnwritten(err error) bool {
	path, ok := errors.AsType[*fs.PathError](err)
	return ok && path.Op == "write" && path.Path == "/dev/stdout"
}
