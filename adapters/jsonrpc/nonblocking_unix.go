//go:build unix

package jsonrpc

import (
	"os"

	"golang.org/x/sys/unix"
)

// NonblockingWrite returns a function that writes as much to file as it can without blocking,
// and returns the number of bytes. NonblockingWrite returns nil if the file does not allow that.
// Calls of the function must not overlap. If a write fails, the function returns 0: the blocking
// write that follows fails too and reports the failure.
func NonblockingWrite(file *os.File) func([]byte) int {
	writes := unix.Write
	if !isNonblocking(file) {
		if again := reopenNonblocking(file); again != nil {
			file = again
		} else {
			writes = writeIfReady
		}
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	var data []byte
	var written int
	write := func(fd uintptr) bool {
		written, _ = writes(int(fd), data)
		return true
	}
	return func(line []byte) int {
		data, written = line, 0
		if err := conn.Write(write); err != nil {
			return 0
		}
		data = nil
		return max(0, written)
	}
}

func isNonblocking(file *os.File) bool {
	nonblocking := false
	conn, err := file.SyscallConn()
	if err != nil {
		return false
	}
	err = conn.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		nonblocking = err == nil && flags&unix.O_NONBLOCK != 0
	})
	return err == nil && nonblocking
}

// writeIfReady writes to a blocking file if poll reports it as writable. Then the file accepts at
// least as much as is atomic for a pipe (POSIX promises 512 bytes).
func writeIfReady(fd int, data []byte) (int, error) {
	polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	if n, err := unix.Poll(polled, 0); err != nil || n == 0 || polled[0].Revents&unix.POLLOUT == 0 {
		return 0, err
	}
	return unix.Write(fd, data[:min(len(data), 512)])
}
