package packages

import (
	"os"
	"time"
)

// The folders of a store, for specs that age them.
var (
	UnusedTime   = unusedTime
	LeftoverTime = leftoverTime
)

// OnStep sets the function that is called between the steps of an installation.
func OnStep(at func(name string)) { step = at }

// Age makes a file or folder look as if it was last written that long ago.
func Age(path string, by time.Duration) error {
	at := time.Now().Add(-by)
	return os.Chtimes(path, at, at)
}
