package status

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// longestPath is the maximum length of the path of a socket on every system (unix(7), unix(4) of macOS).
	longestPath = 103
	socketEnd   = ".sock"
	// staleAfter is how old a socket that nothing listens at must be to be removed: there is a moment between
	// its creation and the beginning of listening.
	staleAfter = 5 * time.Second
)

// socketName returns a name for the socket of this process. Numbers of processes are not enough: containers
// with numbers of their own may share a folder.
func socketName() string {
	return strconv.Itoa(os.Getpid()) + "-" + strings.ToLower(rand.Text()[:6]) + socketEnd
}

// pidOf returns the number of the process in the name of a socket.
func pidOf(name string) (pid int, ok bool) {
	name, isSocket := strings.CutSuffix(name, socketEnd)
	number, _, hasMore := strings.Cut(name, "-")
	pid, err := strconv.Atoi(number)
	return pid, isSocket && hasMore && err == nil && pid > 0
}

// errTooLong reports a folder whose path is too long for a socket.
var errTooLong = errors.New("the path is too long for a socket")

// listenIn listens at a socket in a folder.
func listenIn(folder string) (*net.UnixListener, error) {
	path := filepath.Join(folder, socketName())
	if len(path) > longestPath {
		return nil, fmt.Errorf("%s: %w", folder, errTooLong)
	}
	if err := makeFolder(folder); err != nil {
		return nil, err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listen at the socket: %w", err)
	}
	if err := closeToOthers(path); err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("close the socket to others: %w", err)
	}
	return listener, nil
}

// removeStale removes a socket that nothing listens at, unless it is new.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.IsDir() {
		return
	}
	if age := time.Since(info.ModTime()); age > staleAfter || age < -staleAfter { // the clock can have jumped
		_ = os.Remove(path) // another program may have been faster
	}
}
