//go:build unix

package ownprocess

import (
	"os"
	"strconv"
	"syscall"
)

// closeEachOnExec marks the open descriptors from 3 on, one after the other.
func closeEachOnExec() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, entry := range open {
		if descriptor, err := strconv.Atoi(entry.Name()); err == nil && descriptor > 2 {
			syscall.CloseOnExec(descriptor)
		}
	}
}
