package filewatch

import (
	"context"
	"io/fs"
	"os"
	"time"
)

// pause is the time between two looks at the file.
const pause = time.Second

// maxUnsettled is how many looks in a row may each find another file before the file is
// reported all the same.
const maxUnsettled = 10

// Watch calls changed each time that what the path leads to is not the same any more, and
// has come to rest, or has not come to rest for ten seconds, until the context ends. Seen is
// the file as the caller knows it, nil when there was none. Changed is called on the goroutine
// of Watch, which looks no further until it returns.
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

// look returns what the path leads to, nil when there is nothing that can be looked at.
func look(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	identify(info)
	return info
}

// identify has a look remember which file it saw: on Windows package os finds that out
// when looks are compared, by the path, where another file may be then.
func identify(info fs.FileInfo) {
	if info != nil {
		os.SameFile(info, info)
	}
}

// isSame reports whether two looks found the same.
func isSame(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}
