package safefile

import (
	"context"
	"io/fs"
	"os"
	"time"
)

// pollPause is the time between two polls.
const pollPause = time.Second

// maxUnsettled is the number of consecutive polls that find a different file before the file is reported
// anyway.
const maxUnsettled = 10

// Watch calls changed whenever the file at a path has changed and then stayed the same for a poll, or has
// kept changing for ten seconds. It returns when the context ends. The argument seen is the file as the caller
// last read it, nil for none. Watch polls again after changed returns.
func Watch(ctx context.Context, path string, seen fs.FileInfo, changed func()) {
	polls := time.NewTicker(pollPause)
	defer polls.Stop()
	identify(seen)
	last, unsettled := seen, 0
	for {
		select {
		case <-polls.C:
		case <-ctx.Done():
			return
		}
		now := poll(path)
		switch {
		case isSame(seen, now):
			unsettled = 0
		case isSame(last, now) || unsettled == maxUnsettled:
			seen, unsettled = now, 0
			changed()
		default:
			unsettled++
		}
		last = now
	}
}

// HasChanged reports whether the file at a path is not the one that the caller last read, nil for none.
func HasChanged(path string, seen fs.FileInfo) bool { return !isSame(seen, poll(path)) }

// poll returns the file at a path, nil if there is none or it cannot be examined.
func poll(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	identify(info)
	return info
}

// identify makes a FileInfo keep the identity of its file. On Windows, package os finds out the identity
// by the path at the first comparison, when the file may have been replaced.
func identify(info fs.FileInfo) {
	if info != nil {
		os.SameFile(info, info)
	}
}

// isSame reports whether two polls found the same file, unchanged.
func isSame(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}
