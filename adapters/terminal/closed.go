package terminal

import (
	"errors"
	"io/fs"
)

// ClosedExit is the exit code of a program whose output is no longer read, as a shell shows the
// end by SIGPIPE.
const ClosedExit = 141

// IsClosed reports whether a failure to write is that the reader of standard output is gone, as in
// a pipe into head. Unix programs end without a word then.
func IsClosed(err error) bool {
	path, ok := errors.AsType[*fs.PathError](err)
	return ok && path.Op == "write" && path.Path == "/dev/stdout" && readerIsGone(path.Err)
}
