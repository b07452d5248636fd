package atomicfile

import "time"

const (
	// maxWait bounds how long a file is waited for that somebody holds.
	maxWait = 2 * time.Second

	// The pauses between attempts: short at first, since most files are held for less than a
	// millisecond.
	minPause = time.Millisecond
	maxPause = 20 * time.Millisecond
)

// whileHeld does something again until it works, fails for another reason than that somebody
// holds the file, or maxWait is over.
func whileHeld(do func() error, isHeld func(error) bool) error {
	last := time.Now().Add(maxWait)
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		err := do()
		if err == nil || !isHeld(err) || time.Now().After(last) {
			return err
		}
		time.Sleep(pause)
	}
}
