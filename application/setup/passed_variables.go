package setup

import "slices"

// Passed returns the variables that a host is to pass on: all that the configuration refers to,
// and those that servers inherit. Servers can do without an inherited variable, so one that is
// not set is skipped, unless the host passes variables by name: other hosts would pass an empty
// text or the reference itself.
func Passed(referred, inherited []string, byName bool, isSet func(name string) bool) (passed, skipped []string) {
	passed = slices.Clone(referred)
	for _, name := range inherited {
		switch {
		case slices.Contains(passed, name):
		case byName || isSet(name):
			passed = append(passed, name)
		default:
			skipped = append(skipped, name)
		}
	}
	return passed, skipped
}
