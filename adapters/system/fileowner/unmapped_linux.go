package fileowner

import (
	"fmt"
	"os"
	"strings"
)

// overflow is the owner that a system shows for users whom the program's user namespace does not
// have (user_namespaces(7)).
const overflow = 65534

// isUnmapped reports whether an owner stands for such users, root of the machine among them: a
// sandbox such as Flatpak's or bubblewrap's has one user only. Where there is a user of that
// number, it is them.
func isUnmapped(owner uint32) bool {
	if owner != overflow {
		return false
	}
	mapped, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && !has(string(mapped), overflow)
}

// has reports whether a user namespace has a user. Lines of its map are the first user inside, the
// first outside, and how many there are.
func has(mapped string, user uint64) bool {
	for line := range strings.Lines(mapped) {
		var inside, outside, count uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &count); err != nil || inside <= user && user-inside < count {
			return true // what cannot be read allows nothing
		}
	}
	return false
}
