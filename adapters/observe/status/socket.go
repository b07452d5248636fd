package status

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/system/usersocket"
)

const (
	socketSuffix = ".sock"
	// staleAfter is the age from which a socket without a listener is removed. A newer one may belong to a
	// process that does not listen yet.
	staleAfter = 5 * time.Second
)

// socketName returns a name for the socket of this process. A process id is not enough: containers
// with process ids of their own may share a folder.
func socketName() string {
	return strconv.Itoa(os.Getpid()) + "-" + strings.ToLower(rand.Text()[:6]) + socketSuffix
}

// pidOf returns the process id in the name of a socket.
func pidOf(name string) (pid int, ok bool) {
	name, isSocket := strings.CutSuffix(name, socketSuffix)
	number, _, hasMore := strings.Cut(name, "-")
	pid, err := strconv.Atoi(number)
	return pid, isSocket && hasMore && err == nil && pid > 0
}

// listenIn listens at a socket in a folder.
func listenIn(folder string) (*net.UnixListener, error) {
	return usersocket.Listen(folder, socketName())
}

// maxSockets is the maximum number of sockets of a folder that are used.
const maxSockets = 256

// sockets returns the paths of the sockets in a folder, after checking that it can be trusted. A folder that does
// not exist has none.
func sockets(folder string) ([]string, error) {
	if err := usersocket.CheckFolder(folder); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	opened, err := os.Open(folder)
	if err != nil {
		return nil, fmt.Errorf("look for sockets: %w", err)
	}
	defer opened.Close()                            //nolint:errcheck // it was only read
	names, _ := opened.Readdirnames(4 * maxSockets) // for an empty folder, it returns an error
	var paths []string
	for _, name := range names {
		if _, ok := pidOf(name); ok && len(paths) < maxSockets {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	return paths, nil
}

// removeStale removes a socket without a listener, unless it is new.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.IsDir() {
		return
	}
	if age := time.Since(info.ModTime()); age > staleAfter || age < -staleAfter { // the clock can have jumped
		_ = os.Remove(path) // another program may have been faster
	}
}
