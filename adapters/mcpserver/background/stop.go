package background

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"mcp-workbench/adapters/system/usersocket"
)

// stopTime is the time limit for a workbench to end.
const stopTime = 30 * time.Second

// Stop ends the background workbenches of all builds and configurations that have sockets in the folders, and waits
// for each. It returns their process ids.
//
// Failures: those of folders that cannot be trusted; workbenches that do not answer, or do not end in time.
func Stop(ctx context.Context, folders []string) (pids []int, err error) {
	var failures []error
	for _, folder := range folders {
		paths, _ := filepath.Glob(filepath.Join(folder, socketPrefix+"*"+socketSuffix))
		if len(paths) == 0 {
			continue
		}
		if err := usersocket.CheckFolder(folder); err != nil {
			failures = append(failures, err)
			continue
		}
		for _, path := range paths {
			pid, err := stop(ctx, path)
			absent, isAbsent := errors.AsType[*absentError](err)
			switch {
			case err == nil:
				pids = append(pids, pid)
			case !isAbsent || absent.hung != nil:
				failures = append(failures, err)
			}
		}
	}
	return pids, errors.Join(failures...)
}

// stop ends the workbench at a socket.
func stop(ctx context.Context, path string) (pid int, err error) {
	key := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), socketPrefix), socketSuffix)
	connection, err := greet(ctx, path, hello{Key: key, Do: doStop})
	if err != nil {
		return 0, err
	}
	defer connection.Close() //nolint:errcheck // the workbench has ended
	_ = connection.SetDeadline(time.Now().Add(stopTime))
	_, err = io.Copy(io.Discard, connection) // returns when the workbench has ended
	if isReset(err) {
		err = nil
	}
	return connection.pid, err
}
