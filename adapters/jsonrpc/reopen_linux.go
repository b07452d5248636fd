package jsonrpc

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// reopenNonblocking opens the pipe of file again, for writes that never block. It does not
// change the file itself, which other processes may share. It returns nil if file is not a pipe.
func reopenNonblocking(file *os.File) *os.File {
	info, err := file.Stat()
	if err != nil || info.Mode().Type() != os.ModeNamedPipe {
		return nil
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	var again *os.File
	_ = conn.Control(func(fd uintptr) {
		path := fmt.Sprintf("/proc/self/fd/%d", fd)
		if opened, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			again = opened
		}
	})
	return again
}
