//go:build unix && !linux

package ownprocess

// Read returns the present figures of this process. This system reports the memory and the files of a process only
// to programs with cgo. Safe for concurrent use.
func Read() Figures { return Figures{Processor: processor()} }
