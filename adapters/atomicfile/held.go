package atomicfile

import (
	"io"
	"os"
	"time"
)

const (
	// maxWait bounds how long a file is waited for that somebody holds.
	maxWait = 2 * time.Second

	// The pauses between attempts: short at first, since most files are held for less than a
	// millisecond.
	minPause = time.Millisecond
	maxPause = 20 * time.Millisecond
)

// Open opens a file for reading. On Windows nobody can open a file at the moment when it is
// replaced, or while another program keeps it for itself: that is waited for, up to two seconds.
//
// Failures: those of os.Open.
func Open(path string) (file *os.File, err error) {
	err = whileHeld(func() error {
		file, err = os.Open(path)
		return err
	}, isHeld)
	return file, err
}

// ReadFile reads a file that is opened as Open does it.
//
// Failures: those of os.ReadFile.
func ReadFile(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written, so closing cannot lose anything
	return io.ReadAll(file)
}

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
