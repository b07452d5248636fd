//go:build !linux

package stdio

import (
	"os"
)

// awaitExit returns at once: a thread waits for the end of each program.
func awaitExit(int) {}

func outputPipe() (read, write *os.File, err error) { return os.Pipe() }

// closeOutput closes the reading end. This interrupts a read, since the read uses the
// runtime's poller.
func closeOutput(read *os.File) error { return read.Close() }
