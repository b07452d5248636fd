package filewatch

import (
	"context"
	"io/fs"
	"os"
	"time"
)

// pause is the time between two polls.
const pause = time.Second

// maxUnsettled is the number of polls in a row that find a different file before the file is reported
// all the same.
const maxUnsettled = 10

// Watch calls changed whenever the file at a path has changed and then stayed the same for a poll, or has
// kept changing for ten seconds, until the context ends. Seen is the file as the caller knows it, nil for
// none. Watch calls changed on its own goroutine, and polls again after it returns.
func Watch(ctx context.Context, path string, seen fs.FileInfo, changed func()) {
	looks := time.NewTicker(pause)
	defer looks.Stop()
	identify(seen)
	last, unsettled := seen, 0
	for {
		select {
		case <-looks.C:
		case <-ctx.Done():
			return
		}
		now := look(path)
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

// look returns the file at a path, nil if there is none or it cannot be examined.
func look(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	identify(info)
	return info
}

// identify makes a FileInfo remember the identity of its file. On Windows package os finds that out by
// the path at the first comparison, when another file can be there.
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
