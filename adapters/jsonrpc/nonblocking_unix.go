//go:build unix

package jsonrpc

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// pipeBuf returns how much a pipe that polls writable takes without waiting: a
// page on Linux (pipe(7), PIPE_BUF); POSIX promises no less than 512 bytes.
func pipeBuf() int {
	if runtime.GOOS == "linux" {
		return 4096
	}
	return 512
}

// NonblockingWrite returns a function that writes to file what can be written
// without waiting and returns how many bytes that was, or nil if that cannot be
// done. The function is for one goroutine at a time.
func NonblockingWrite(file *os.File) func([]byte) int {
	conn, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	blocking := true
	if err := conn.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		blocking = err != nil || flags&unix.O_NONBLOCK == 0
	}); err != nil {
		return nil
	}
	var data []byte
	var written int
	write := func(fd uintptr) bool {
		written = writeNow(int(fd), data, blocking)
		return true
	}
	return func(line []byte) int {
		data, written = line, 0
		if err := conn.Write(write); err != nil {
			return 0
		}
		data = nil
		return written
	}
}

// writeNow writes once without waiting. Failures show as nothing written: the
// blocking write that follows meets and reports them.
func writeNow(fd int, data []byte, blocking bool) int {
	if blocking {
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		if n, err := unix.Poll(polled, 0); err != nil || n == 0 || polled[0].Revents&unix.POLLOUT == 0 {
			return 0
		}
		data = data[:min(len(data), pipeBuf())]
	}
	n, err := unix.Write(fd, data)
	if err != nil {
		return 0
	}
	return n
}
