//go:build !linux

package stdio

import "os"

func outputPipe() (read, write *os.File, err error) { return os.Pipe() }

// closeOutput closes the reading end. That interrupts a read, since it goes through
// the runtime's poller.
func closeOutput(read *os.File) error { return read.Close() }
