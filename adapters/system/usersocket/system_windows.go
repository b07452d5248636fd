package usersocket

import (
	"errors"
	"io/fs"
	"syscall"
)

// restrict does nothing: on this system modes do not restrict connections, and the folder keeps others out.
func restrict(string) error { return nil }

// isOpen reports false: on this system the folders of a user inherit that others cannot enter them.
func isOpen(fs.FileInfo) bool { return false }

// IsRefused reports whether nothing listens at a socket.
func IsRefused(err error) bool {
	const refused = syscall.Errno(10061) // WSAECONNREFUSED
	return errors.Is(err, refused)
}

// errNoSockets reports a system on which no program can ask a workbench.
var errNoSockets = errors.New("this system has no Unix sockets, so running workbenches cannot be asked; Windows has them since version 10 (1803)")

// Supported returns why workbenches cannot be asked on this system, nil if they can.
func Supported() error {
	const (
		version       = 2<<8 | 2             // of Windows Sockets
		noSuchAddress = syscall.Errno(10047) // WSAEAFNOSUPPORT
	)
	var data syscall.WSAData
	if err := syscall.WSAStartup(version, &data); err != nil {
		return errNoSockets
	}
	defer syscall.WSACleanup() //nolint:errcheck // it undoes one WSAStartup
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	switch {
	case errors.Is(err, noSuchAddress):
		return errNoSockets
	case err == nil:
		_ = syscall.Closesocket(socket)
	}
	return nil // listening or asking reports any other failure
}
