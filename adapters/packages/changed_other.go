//go:build !linux && !darwin

package packages

import (
	"io/fs"
	"time"
)

// changed reports that programs can set the times of files here, so that they say nothing.
func changed(fs.FileInfo) (number uint64, at time.Time, tells bool) { return 0, time.Time{}, false }
