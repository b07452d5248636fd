package safefile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// exclusiveTime is the time to wait for another process that changes a file.
const exclusiveTime = 30 * time.Second

// changingFolder is the folder, in the state folder, of the locks of files that processes change.
const changingFolder = "changing"

// Exclusively calls change while no other process that calls it with the same path does. Change must not call it with
// that path again.
//
// Decision: the lock is in the state folder, since a file beside the changed one would be in the user's projects and in
// the folders of other programs. If it cannot be created there, such as on a full disk, change is called without it: what
// it compares at the last moment still counts.
//
// Failures: another process does not end within half a minute; those of change.
func Exclusively(path string, change func() error) error { return exclusively("change ", path, change) }

func exclusively(purpose, path string, change func() error) error {
	release, err := lockForChange(purpose, path)
	if err != nil {
		return err
	}
	defer release()
	return change()
}

// lockForChange acquires the lock of a path for a purpose.
func lockForChange(purpose, path string) (release func(), err error) {
	free := func() {}
	folder, err := InStateFolder(changingFolder)()
	if err != nil || os.MkdirAll(folder, 0o700) != nil {
		return free, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), exclusiveTime)
	defer cancel()
	name := Digest([]byte(purpose + resolved(path)))[:32] + ".lock"
	release, err = AcquireLock(ctx, filepath.Join(folder, name))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("write %s: another process has been changing it for %s", path, exclusiveTime)
	case err != nil:
		return free, nil
	}
	return release, nil
}

// resolved returns the absolute path of a file behind links. The file need not exist.
func resolved(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}
