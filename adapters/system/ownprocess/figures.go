package ownprocess

import "time"

// Figures are what the operating system counts about this process. A figure that the system does not report
// is 0.
type Figures struct {
	// Processor is the time that processors spent on the process, in user and system mode.
	Processor time.Duration
	// Resident and Virtual are its memory in bytes.
	Resident, Virtual int64
	// OpenFiles is the number of its open files, MaxFiles the maximum.
	OpenFiles, MaxFiles int64
}
