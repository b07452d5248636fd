//go:build unix

package background

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// supported returns nil, since bridges are possible on this system.
func supported() error { return nil }

// detached returns the attributes of a process that outlives the terminal and the host of this one.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// sendFile sends a byte and a file over a connection.
func sendFile(connection *net.UnixConn, file *os.File) error {
	if _, _, err := connection.WriteMsgUnix([]byte{0}, syscall.UnixRights(int(file.Fd())), nil); err != nil {
		return fmt.Errorf("pass on standard error: %w", err)
	}
	return nil
}

// receiveFile receives a byte, and a file if there is one.
func receiveFile(connection *net.UnixConn) (*os.File, error) {
	rights := make([]byte, syscall.CmsgSpace(4))
	first := make([]byte, 1)
	n, more, _, _, err := connection.ReadMsgUnix(first, rights)
	if err != nil || n != 1 {
		return nil, errors.Join(err, errors.New("no first byte arrived"))
	}
	messages, err := syscall.ParseSocketControlMessage(rights[:more])
	if err != nil || len(messages) == 0 {
		return nil, err //nolint:nilnil // a bridge need not send one
	}
	descriptors, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(descriptors) == 0 {
		return nil, err //nolint:nilnil // likewise
	}
	syscall.CloseOnExec(descriptors[0])
	return os.NewFile(uintptr(descriptors[0]), "standard error"), nil
}
