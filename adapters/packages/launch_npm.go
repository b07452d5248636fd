package packages

import (
	"slices"
	"strings"
)

// npmOptions are the options of npm that may stand before a package: those that say
// where packages come from are kept, since npm has to resolve and install with them.
var npmOptions = map[string]struct{ value, kept bool }{
	"yes": {}, "y": {}, "quiet": {}, "q": {}, "silent": {}, "s": {}, "verbose": {}, "d": {},
	"no-audit": {}, "no-fund": {}, "no-update-notifier": {}, "no-progress": {}, "no-color": {},
	"ignore-scripts": {}, "prefer-online": {}, "prefer-offline": {}, "prefer-dedupe": {}, "no-prefer-online": {},
	"loglevel": {value: true},
	"registry": {value: true, kept: true}, "cache": {value: true, kept: true}, "userconfig": {value: true, kept: true},
	"globalconfig": {value: true, kept: true}, "cafile": {value: true, kept: true}, "proxy": {value: true, kept: true},
	"https-proxy": {value: true, kept: true}, "noproxy": {value: true, kept: true}, "before": {value: true, kept: true},
	"fetch-timeout": {value: true, kept: true}, "fetch-retries": {value: true, kept: true},
	"no-strict-ssl": {kept: true}, "offline": {kept: true}, "strict-ssl": {kept: true},
}

// parseNPX reads the arguments of npx, which are its own up to the first word that is
// no option, or "--".
func parseNPX(args []string) Launch {
	var words npmWords
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			words.rest = args[i+1:]
			break
		}
		if !isOption(args[i]) {
			words.rest = args[i:]
			break
		}
		var reason string
		if i, reason = words.option(args, i); reason != "" {
			return notPinned(reason)
		}
	}
	return words.launch("npx")
}

// parseNPM reads the arguments of npm, all of which are its own up to "--".
func parseNPM(args []string) Launch {
	const name = "npm exec"
	var words npmWords
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			words.rest = append(words.rest, args[i+1:]...)
			break
		}
		if !isOption(args[i]) {
			words.rest = append(words.rest, args[i])
			continue
		}
		var reason string
		if i, reason = words.option(args, i); reason != "" {
			return notPinned(reason)
		}
	}
	if len(words.rest) == 0 || !slices.Contains([]string{"exec", "x"}, words.rest[0]) {
		return notPinned("only 'npm exec' starts a package that can be pinned")
	}
	words.rest = words.rest[1:]
	return words.launch(name)
}

// isOption reports whether a word is an option for npm. A dash alone is none.
func isOption(word string) bool { return len(word) > 1 && word[0] == '-' }

// npmWords is what was read of the arguments of npx.
type npmWords struct {
	packages []string // values of -p
	kept     []string // options for npm
	rest     []string // the first word that is no option, and what follows
}

// option reads the option at i and returns where its last word is. The reason says why
// nothing can be pinned with it.
func (w *npmWords) option(args []string, i int) (last int, reason string) {
	name, value, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
	if name == "c" || name == "call" {
		return i, "with '" + dashed(name) + "' npx runs a line of the shell, not one package"
	}
	isPackage := name == "p" || name == "package"
	option, known := npmOptions[name]
	isScope := strings.HasPrefix(name, "@") && strings.HasSuffix(name, ":registry")
	switch {
	case isScope:
		option.value, option.kept = true, true
	case !known && !isPackage:
		return i, "the workbench does not know what the option '" + dashed(name) + "' changes"
	}
	if (option.value || isPackage) && !joined {
		if i++; i == len(args) {
			return i, "the option '" + dashed(name) + "' has no value"
		}
		value = args[i]
	}
	switch {
	case isPackage:
		w.packages = append(w.packages, value)
	case option.kept && (option.value || joined):
		w.kept = append(w.kept, "--"+name+"="+value)
	case option.kept:
		w.kept = append(w.kept, "--"+name)
	}
	return i, ""
}

// dashed returns an option as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// launch makes of the words what npx makes of them: without -p the first word is the
// package, else it is a program of it.
func (w *npmWords) launch(launcher string) Launch {
	l := Launch{Kind: NPM, options: w.kept}
	var spec string
	switch {
	case len(w.packages) > 1:
		return notPinned(launcher + " with more than one package cannot be pinned")
	case len(w.rest) == 0:
		return notPinned(launcher + " is not told which package to start")
	case len(w.packages) == 1:
		spec, l.Program, l.Args = w.packages[0], w.rest[0], w.rest[1:]
	default:
		spec, l.Args = w.rest[0], w.rest[1:]
	}
	name, wanted, ok := splitNPMSpec(spec)
	if !ok {
		return notPinned("its package is not one of a registry by its name: a folder, a file, a URL, a repository or an alias has no version to pin")
	}
	l.Package, l.Wanted = name, wanted
	return l
}

// splitNPMSpec takes "@scope/name@^1.2" apart. It refuses everything that does not come
// from a registry by its own name
// (https://docs.npmjs.com/cli/v11/using-npm/package-spec).
func splitNPMSpec(spec string) (name, wanted string, ok bool) {
	name, wanted = spec, ""
	if at := strings.LastIndex(spec, "@"); at > 0 {
		name, wanted = spec[:at], spec[at+1:]
	}
	scope, rest, scoped := strings.Cut(name, "/")
	if scoped {
		if len(scope) < 2 || scope[0] != '@' || !isNPMName(scope[1:]) {
			return "", "", false
		}
	} else {
		rest = name
	}
	if !isNPMName(rest) || isTarball(rest) || isTarball(wanted) || strings.ContainsAny(wanted, ":/\\") || strings.HasPrefix(wanted, ".") {
		return "", "", false
	}
	return name, wanted, true
}

// isNPMName reports whether a text is a legal part of a package's name
// (https://github.com/npm/validate-npm-package-name).
func isNPMName(name string) bool {
	if name == "" || name[0] == '.' || name[0] == '_' || name[0] == '-' {
		return false
	}
	for _, c := range []byte(name) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune("-._~", rune(c)) {
			return false
		}
	}
	return true
}

func isTarball(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tar")
}
