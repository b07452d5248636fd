package config

import (
	"fmt"
	"strings"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
)

// use returns the text of the source, and whether it can be used. A named file that others can
// change is a problem, unless that is allowed.
func (r *reader) use(source source, options Options) (text []byte, ok bool) {
	if source.path == "" {
		return nil, false
	}
	allowsForeign := options.AllowForeign || r.allowsForeign()
	if source.unusable != "" {
		r.WrongFile(source.unusable, source.wantedFile())
		return nil, false
	}
	exposure := safefile.Exposure(source.info)
	if source.origin.IsNamed() {
		exposure = safefile.PathExposure(source.path)
		if exposure != "" && !allowsForeign {
			r.WrongFile("one that others can change ("+exposure+")",
				"a configuration that only you and root can change, or "+AllowForeignFlag)
			return nil, false
		}
	}
	if exposure != "" {
		r.Warn(tree.WholeFile, exposure+": they decide what is run")
	}
	return source.data, true
}

// allowsForeign reports whether the variable accepts a file that others can change. An unknown value is
// a problem.
func (r *reader) allowsForeign() bool {
	value, given := r.environment.setting(allowForeignVariable)
	allows, known := map[string]bool{"1": true, "true": true, "0": false, "false": false}[value]
	if given && !known {
		r.WrongSource(allowForeignVariable, "allowForeignConfig", "another value", "1 or 0")
	}
	return allows
}

// wantedFile describes the file that is wanted instead of an unusable one. It does not say "found",
// since the file may be gone by now.
func (s *source) wantedFile() string {
	return fmt.Sprintf("a configuration file (%s)", strings.TrimPrefix(s.origin.String(), "found "))
}
