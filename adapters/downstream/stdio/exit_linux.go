package stdio

import (
	"os"

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
