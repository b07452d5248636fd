//go:build !unix

package background

import (
	"errors"
	"net"
	"os"
	"syscall"
)

var errUnsupported = errors.New("this system cannot share a workbench in the background")

// supported returns an error, since bridges are not possible on this system.
func supported() error { return errUnsupported }

func detached() *syscall.SysProcAttr { return nil }

func sendFile(*net.UnixConn, *os.File) error { return errUnsupported }

func receiveFile(*net.UnixConn) (*os.File, error) { return nil, errUnsupported }
