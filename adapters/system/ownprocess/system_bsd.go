//go:build unix && !linux

package ownprocess

// KeepDescriptors keeps the descriptors that this process inherited, except for 0 to 2, from the programs that it
// starts. The standard library does so only for those that it opens. It must be called before any program is started.
func KeepDescriptors() { closeEachOnExec() }

// Read returns the present figures of this process. This system reports the memory and the files of a process only
// to programs with cgo. Safe for concurrent use.
func Read() Figures { return Figures{Processor: processor()} }
