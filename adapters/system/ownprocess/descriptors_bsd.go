//go:build unix && !linux

package ownprocess

// KeepDescriptors keeps the descriptors that this process inherited, except for 0 to 2, from the programs that it
// starts. The standard library does so only for those that it opens. It must be called before any program is started.
func KeepDescriptors() { closeEachOnExec() }
