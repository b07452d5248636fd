package serverconfig

import (
	"maps"
	"slices"
)

// IsSame reports whether two settings mean the same server: the same program with the same
// arguments, or the same address. Different variables mean different accounts, and so
// different servers, unless one of the two has none.
func (s Settings) IsSame(other Settings) bool {
	if s.Command != other.Command || s.URL != other.URL || s.Command == "" && s.URL == "" {
		return false
	}
	if s.URL == "" && !slices.Equal(s.Args, other.Args) {
		return false
	}
	return len(s.Env) == 0 || len(other.Env) == 0 || maps.Equal(s.Env, other.Env)
}
