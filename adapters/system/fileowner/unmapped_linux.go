package fileowner

import (
	"fmt"
	"os"
	"strings"
)

// overflow is the owner that a system shows for users who are not in the program's user namespace
// (user_namespaces(7)).
const overflow = 65534

// isUnmapped reports whether an owner stands for such users, who can include root: a sandbox such as
// Flatpak's or bubblewrap's has one user only. A namespace can also have a user of that number.
func isUnmapped(owner uint32) bool {
	if owner != overflow {
		return false
	}
	mapped, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && !has(string(mapped), overflow)
}

// has reports whether a user namespace has a user. Each line of its map has the first user inside, the
// first outside, and their number.
func has(mapped string, user uint64) bool {
	for line := range strings.Lines(mapped) {
		var inside, outside, count uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err != nil || inside <= user && user-inside < count {
			return true // an unreadable map allows nothing
		}
	}
	return false
}
