package stdio

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// outputPipe returns a pipe whose reads block a thread instead of going through
// the runtime's poller: the kernel then wakes the reader itself, which halves the
// time of a small call (ARCHITECTURE.md, "The data path").
func outputPipe() (read, write *os.File, err error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
}

// closeOutput closes the reading end though somebody reads from it and a descendant
// of the server holds the pipe open: closing does not interrupt a read that blocks
// a thread. An empty line does. It comes after the end was closed, so that nobody
// begins another read behind it; the writing end for it is opened before, while
// the number of the descriptor cannot become another file's.
func closeOutput(read *os.File) error {
	conn, err := read.SyscallConn()
	if err != nil {
		return err
	}
	var write int
	var openErr error
	err = conn.Control(func(fd uintptr) {
		path := fmt.Sprintf("/proc/self/fd/%d", fd)
		write, openErr = syscall.Open(path, syscall.O_WRONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return err
	}
	closeErr := read.Close()
	if openErr != nil {
		return errors.Join(os.NewSyscallError("open", openErr), closeErr)
	}
	// It fails when nobody reads, or when so much is left to be read that nobody waits.
	_, _ = syscall.Write(write, []byte("\n"))
	return errors.Join(os.NewSyscallError("close", syscall.Close(write)), closeErr)
}
