package usersocket

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
)

// maxPath is the maximum length of a socket's path that every system allows (unix(7), unix(4) of macOS).
const maxPath = 103

// errTooLong reports a folder whose path is too long for a socket.
var errTooLong = errors.New("the path is too long for a socket")

// CheckPath returns an error if the path of a socket in a folder is too long for any system.
func CheckPath(folder, name string) error {
	if len(filepath.Join(folder, name)) > maxPath {
		return fmt.Errorf("%s: %w", folder, errTooLong)
	}
	return nil
}

// Listen listens at a socket in a folder, which it creates if necessary. Only the user can connect.
//
// Failures: those of CheckPath, MakeFolder, the network and the file system.
func Listen(folder, name string) (*net.UnixListener, error) {
	if err := CheckPath(folder, name); err != nil {
		return nil, err
	}
	if err := MakeFolder(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen at the socket: %w", err)
	}
	if err := restrict(path); err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("restrict the socket to the user: %w", err)
	}
	return listener, nil
}
