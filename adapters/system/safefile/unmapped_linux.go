package safefile

import (
	"fmt"
	"os"
	"strings"
)

// overflow is the owner that the system reports for users who are not in the program's user namespace
// (user_namespaces(7)).
const overflow = 65534

// isUnmapped reports whether an owner represents such users. They may include root: a sandbox such as
// Flatpak's or bubblewrap's has only one user. A namespace may also have a real user with this number.
func isUnmapped(owner uint32) bool {
	if owner != overflow {
		return false
	}
	mapped, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && !hasUser(string(mapped), overflow)
}

// hasUser reports whether a user namespace has a user. Each line of its map has the first user inside, the
// first user outside, and the number of users.
func hasUser(mapped string, user uint64) bool {
	for line := range strings.Lines(mapped) {
		var inside, outside, count uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err != nil || inside <= user && user-inside < count {
			return true // an unreadable map must not make an owner count as root
		}
	}
	return false
}
