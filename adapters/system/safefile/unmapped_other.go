//go:build unix && !linux

package safefile

// isUnmapped reports false: there are no user namespaces.
func isUnmapped(uint32) bool { return false }
