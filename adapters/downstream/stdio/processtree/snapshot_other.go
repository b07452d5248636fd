//go:build !linux && !darwin

package processtree

import "errors"

var errUnknown = errors.New("processes cannot be listed on this system")

// Snapshot fails: processes cannot be listed here.
func Snapshot() (List, error) { return nil, errUnknown }

// Look fails: processes cannot be looked at here.
func Look(int) (Process, error) { return Process{}, errUnknown }
