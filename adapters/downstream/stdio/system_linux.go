package stdio

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// awaitExit waits until a program that was not reaped has ended. The runtime's poller waits for a descriptor of
// the process (pidfd_open(2)), so that this takes no thread: each server already has one that waits for its output.
// It returns at once where there are no such descriptors.
func awaitExit(pid int) {
	descriptor, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if err != nil {
		return
	}
	file := os.NewFile(uintptr(descriptor), "pidfd")
	defer func() { _ = file.Close() }() // nothing is written to it
	conn, err := file.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Read(func(fd uintptr) (ended bool) {
		ready, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0) //nolint:gosec // a descriptor fits
		return ready > 0 || err != nil && err != unix.EINTR
	})
}

// outputPipe returns a pipe whose reads block a thread instead of using the runtime's
// poller: the kernel then wakes the reader directly, which halves the time of a small
// call.
func outputPipe() (read, write *os.File, err error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
}

// closeOutput closes the reading end, even while a goroutine reads from it and a
// descendant of the server holds the pipe open. Closing does not interrupt a read
// that blocks a thread, but data does: closeOutput writes an empty line to the pipe.
// It writes after closing, so that no other read can start; it opens the writing end
// before closing, while the descriptor still means this pipe.
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
	// This fails if no goroutine reads, or if the pipe is full and so no read is waiting.
	_, _ = syscall.Write(write, []byte("\n"))
	return errors.Join(os.NewSyscallError("close", syscall.Close(write)), closeErr)
}
