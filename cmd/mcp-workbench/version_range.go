package main

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// programVersion is a version of a program: major, minor, patch.
type programVersion [3]int

func (r programVersion) compare(other programVersion) int {
	for i := range r {
		if r[i] != other[i] {
			return r[i] - other[i]
		}
	}
	return 0
}

// versionPattern finds the version in what a program prints, and in a range.
var versionPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`v?(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?`)
})

// parseVersion returns the version in a text, and how many of its numbers are given.
func parseVersion(text string) (version programVersion, given int) {
	found := versionPattern().FindStringSubmatch(text)
	if found == nil {
		return version, 0
	}
	for i, number := range found[1:] {
		n, err := strconv.Atoi(number)
		if err != nil {
			break // absent, or any number
		}
		version[i], given = n, i+1
	}
	return version, given
}

// satisfies reports whether a version is in a range as npm writes it
// (https://github.com/npm/node-semver#ranges). A range that it cannot read is satisfied,
// so that nobody is warned without reason.
func satisfies(version programVersion, wanted string) bool {
	for part := range strings.SplitSeq(wanted, "||") {
		if inAll(version, part) {
			return true
		}
	}
	return false
}

// inAll reports whether a version is in all of the ranges that stand side by side.
func inAll(version programVersion, part string) bool {
	if from, to, ok := strings.Cut(part, " - "); ok {
		part = ">=" + strings.TrimSpace(from) + " <=" + strings.TrimSpace(to)
	}
	for _, sign := range []string{">=", "<=", ">", "<", "=", "^", "~"} {
		part = strings.ReplaceAll(part, sign+" ", sign)
	}
	for _, comparator := range strings.Fields(part) {
		if !inOne(version, comparator) {
			return false
		}
	}
	return true
}

func inOne(version programVersion, comparator string) bool {
	sign := comparator[:len(comparator)-len(strings.TrimLeft(comparator, "<>=^~"))]
	limit, given := parseVersion(comparator[len(sign):])
	if given == 0 {
		return true // "*", or a word that only npm knows
	}
	switch sign {
	case ">=":
		return version.compare(limit) >= 0
	case ">":
		return version.compare(next(limit, given)) >= 0
	case "<":
		return version.compare(limit) < 0
	case "<=":
		return version.compare(next(limit, given)) < 0
	case "^":
		for given = 1; given < len(limit) && limit[given-1] == 0; given++ {
			continue // a version before 1.0.0 keeps its first number that is not 0
		}
	case "~":
		given = min(given, 2)
	}
	return version.compare(limit) >= 0 && version.compare(next(limit, given)) < 0
}

// next returns the first version behind all that begin with the given numbers of a
// version.
func next(version programVersion, given int) programVersion {
	version[given-1]++
	for i := given; i < len(version); i++ {
		version[i] = 0
	}
	return version
}
