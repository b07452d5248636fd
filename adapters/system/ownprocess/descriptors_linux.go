package ownprocess

import (
	"math"

	"golang.org/x/sys/unix"
)

// KeepDescriptors keeps the descriptors that this process inherited, except for 0 to 2, from the programs that it
// starts. The standard library does so only for those that it opens. It must be called before any program is started.
func KeepDescriptors() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil { // Linux before 5.11
		closeEachOnExec()
	}
}
