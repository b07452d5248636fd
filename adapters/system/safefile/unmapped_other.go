//go:build unix && !linux

package safefile

// isUnmapped reports whether an owner is outside of the user namespace: false, since this system has none.
func isUnmapped(uint32) bool { return false }
