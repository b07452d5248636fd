//go:build !linux

package stdio

import "os"

func outputPipe() (read, write *os.File, err error) { return os.Pipe() }

// wakeReader is not needed: closing interrupts a read that goes through the
// runtime's poller.
func wakeReader(*os.File) error { return nil }
