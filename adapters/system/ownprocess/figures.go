// Package ownprocess says what the operating system counts about this process: memory, processor time and
// open files. It also makes that less.
package ownprocess

import "time"

// Figures are what the operating system counts about this process. A figure that the system does not tell
// is 0.
type Figures struct {
	// Processor is the time that processors spent on the process, in user and system mode.
	Processor time.Duration
	// Resident and Virtual are its memory in bytes.
	Resident, Virtual int64
	// OpenFiles are its open files, MaxFiles how many it may have.
	OpenFiles, MaxFiles int64
}
