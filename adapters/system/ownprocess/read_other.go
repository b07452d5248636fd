//go:build unix && !linux

package ownprocess

// Read returns the figures of this process now. This system tells the memory and the files of a process to
// programs with cgo only. Safe for concurrent use.
func Read() Figures { return Figures{Processor: processor()} }
