package commandline

import (
	"slices"
	"strings"
)

// OnlyFlags returns the flags of a command line that consists of flags, and may begin with the command. The
// switches are the flags without a value, valued those with one. It reports false for every other command
// line, including those that it cannot interpret with certainty.
func OnlyFlags(args []string, command string, switches, valued []string) (flags []string, only bool) {
	if len(args) > 0 && args[0] == command {
		args = args[1:]
	}
	for i := 0; i < len(args); i++ {
		name, _, hasValue := strings.Cut(args[i], "=")
		switch takesValue := slices.Contains(valued, name); {
		case slices.Contains(switches, name) && !hasValue, hasValue && takesValue:
		case takesValue && i+1 < len(args):
			i++
		default:
			return nil, false
		}
	}
	return args, true
}
