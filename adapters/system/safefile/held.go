package safefile

import (
	"fmt"
	"time"
)

const (
	// maxWait is how long to wait for a file that another program uses.
	maxWait = 2 * time.Second

	// The pauses between attempts: short at first, since most files are held for less than a
	// millisecond.
	minPause = time.Millisecond
	maxPause = 20 * time.Millisecond
)

// whileHeld repeats an operation, for at most maxWait, while it fails because another program uses the
// file.
func whileHeld(do func() error, isHeld func(error) bool) error {
	last := time.Now().Add(maxWait)
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		err := do()
		if err == nil || !isHeld(err) {
			return err
		}
		if time.Now().After(last) {
			return fmt.Errorf("another program may have the file open: %w", err)
		}
		time.Sleep(pause)
	}
}
