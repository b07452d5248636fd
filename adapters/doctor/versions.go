package doctor

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// version is the version of a program: major, minor, patch.
type version [3]int

func (v version) compare(other version) int {
	return cmp.Or(v[0]-other[0], v[1]-other[1], v[2]-other[2])
}

func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

const numbers = `v?(\d+)(?:\.(\d+))?(?:\.(\d+))?`

// newVersion returns the version with these numbers. The last ones may be missing.
func newVersion(numbers []string) version {
	var v version
	for i, number := range numbers {
		v[i], _ = strconv.Atoi(number) // a missing number is 0
	}
	return v
}

// parseVersion returns the version that a program prints, which has two numbers or more.
func parseVersion(printed string) (version, bool) {
	found := regexp.MustCompile(numbers).FindStringSubmatch(printed)
	if found == nil || found[2] == "" {
		return version{}, false
	}
	return newVersion(found[1:]), true
}

// oldest returns the oldest version in a range as npm writes it
// (https://github.com/npm/node-semver#ranges): ">=18", "^18.2.0 || >=20", "18 - 20". A range
// that it cannot read allows every version.
//
// Decision: Masterminds/semver is not used for this. It says whether a version is in a range, not what the oldest one
// is: in a run of 3.4.0, Node 22 was not in ">=18 <21" nor Node 19 in "^18.2.0 || >=20", and neither is too old. It
// also refuses a whole range for one part that it cannot read, such as ">=18 || lts/*" or "".
func oldest(wanted string) version {
	bound := regexp.MustCompile(`([<>=^~]*)\s*` + numbers)
	var result version
	for i, alternative := range strings.Split(wanted, "||") {
		var lowest version
		for _, found := range bound.FindAllStringSubmatch(alternative, -1) {
			if !strings.HasPrefix(found[1], "<") {
				lowest = newVersion(found[2:])
				break
			}
		}
		if i == 0 || lowest.compare(result) < 0 {
			result = lowest
		}
	}
	return result
}
