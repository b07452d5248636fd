package background

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/system/usersocket"
)

// lockTime is the time limit of Start. Most of it is for another bridge that holds the lock to start a workbench.
const lockTime = 5 * time.Second

// Start starts a background workbench, unless one already listens. It runs the command line with the key of the
// place as the last argument. If the socket is still the file hung, that of a workbench that hangs, Start replaces it;
// hung may be nil.
//
// Failures: a system that cannot pass on sockets; the failures in all folders, joined.
func (p Place) Start(ctx context.Context, command []string, hung os.FileInfo) error {
	if err := supported(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	var failures []error
	for _, folder := range p.folders {
		err := p.startIn(ctx, folder, command, hung)
		if err == nil {
			return nil
		}
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// startIn is Start in one folder.
func (p Place) startIn(ctx context.Context, folder string, command []string, hung os.FileInfo) error {
	if err := usersocket.CheckPath(folder, p.name()); err != nil {
		return err
	}
	if err := usersocket.MakeFolder(folder); err != nil {
		return err
	}
	path := filepath.Join(folder, p.name())
	release, err := safefile.AcquireLock(ctx, lockOf(path))
	if err != nil {
		return fmt.Errorf("lock the socket of the background workbench: %w", err)
	}
	defer release()
	if info, err := os.Lstat(path); err == nil {
		if isHung := hung != nil && os.SameFile(info, hung); !isHung && listens(ctx, path) {
			return nil
		}
		_ = os.Remove(path) // if that fails, listening fails
	}
	listener, err := usersocket.Listen(folder, p.name())
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false)
	defer listener.Close() //nolint:errcheck // the new process has its own descriptor
	if err := launch(listener, append(command, p.key)); err != nil {
		_ = os.Remove(path)
		return err
	}
	return nil
}

// lockOf returns the path of the lock that is held while a socket is created or removed.
func lockOf(path string) string { return path + ".lock" }

// listens reports whether a process listens at a socket.
func listens(ctx context.Context, path string) bool {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return false
	}
	_ = connection.Close()
	return true
}

// launch starts a program with the listener as its descriptor 3. The program outlives this process and its terminal.
func launch(listener *net.UnixListener, command []string) error {
	file, err := listener.File()
	if err != nil {
		return fmt.Errorf("pass on the socket: %w", err)
	}
	defer file.Close()                                  //nolint:errcheck // the new process has its own descriptor
	program := exec.Command(command[0], command[1:]...) //nolint:noctx // it outlives this process
	program.ExtraFiles, program.Dir, program.SysProcAttr = []*os.File{file}, "/", detached()
	if err := program.Start(); err != nil {
		return fmt.Errorf("start the background workbench: %w", err)
	}
	go program.Wait() //nolint:errcheck // its outcome does not matter
	return nil
}
