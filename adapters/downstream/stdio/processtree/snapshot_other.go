//go:build !linux && !darwin

package processtree

import "errors"

var errUnknown = errors.New("this system's processes cannot be listed")

// Snapshot always fails on this system.
func Snapshot() (List, error) { return nil, errUnknown }

// Look always fails on this system.
func Look(int) (Process, error) { return Process{}, errUnknown }
