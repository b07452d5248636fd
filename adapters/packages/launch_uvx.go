package packages

import (
	"slices"
	"strings"
)

// The options of uvx whose value is another word, and those that have none. Others
// are not known, and may change what is started.
var (
	uvxValues = []string{
		"--with", "-w", "--with-editable", "--with-requirements", "--python", "-p", "--index", "--default-index",
		"--index-url", "-i", "--extra-index-url", "--find-links", "-f", "--index-strategy", "--keyring-provider",
		"--constraints", "--constraint", "-c", "--overrides", "--override", "--build-constraints", "-b",
		"--env-file", "--cache-dir", "--directory", "--project", "--config-file", "--color", "--link-mode", "--exclude-newer",
		"--prerelease", "--resolution", "--python-preference", "--allow-insecure-host", "--refresh-package",
	}
	uvxSwitches = []string{
		"--isolated", "--quiet", "-q", "--verbose", "-v", "--no-cache", "-n", "--offline", "--no-config", "--refresh", "--no-progress",
		"--native-tls", "--system-certs", "--no-index", "--no-env-file", "--managed-python", "--no-managed-python", "--no-python-downloads",
		"--compile-bytecode", "--no-build", "--no-build-isolation", "--no-sources", "--lfs",
	}
)

// parseUVX reads the arguments of uvx, which are its own up to the first word that is
// no option. verb is 'tool run' of uv.
func parseUVX(verb, args []string) Launch {
	l := Launch{Kind: PyPI, before: slices.Clone(verb)}
	from, given := "", false
	i := 0
	for ; i < len(args) && isOption(args[i]) && args[i] != "--"; i++ {
		option, value, joined := strings.Cut(args[i], "=")
		takes := option == "--from" || slices.Contains(uvxValues, option)
		switch {
		case !takes && (joined || !slices.Contains(uvxSwitches, option)):
			return notPinned("the workbench does not know what the option '" + option + "' changes")
		case takes && !joined && i+1 == len(args):
			return notPinned("the option '" + option + "' has no value")
		}
		words := args[i : i+1]
		if takes && !joined {
			words = args[i : i+2]
			value = args[i+1]
			i++
		}
		if option == "--from" {
			from, given = value, true
			continue
		}
		l.before = append(l.before, words...)
	}
	if i < len(args) && args[i] == "--" {
		i++
	}
	if i == len(args) {
		return notPinned("uvx is not told which package to start")
	}
	l.Program, l.Args = args[i], args[i+1:]
	if given {
		if !isPyName(l.Program) {
			return notPinned("with '--from' uvx takes the name of a program, and this is none")
		}
		return l.ofPython(from)
	}
	launch := l.ofPython(l.Program)
	launch.Program = launch.Package // as it is written
	return launch
}

// ofPython puts the package into a launch of uvx: "name", "name[extra]", "name==1.2",
// "name>=1,<2", "name@1.2", "name@latest".
func (l Launch) ofPython(spec string) Launch {
	at := strings.IndexAny(spec, "[=<>~!@ ")
	if at < 0 {
		at = len(spec)
	}
	l.Package, l.Wanted = spec[:at], spec[at:]
	if strings.HasPrefix(l.Wanted, "[") {
		end := strings.IndexByte(l.Wanted, ']')
		if end < 0 || !isExtras(l.Wanted[1:end]) {
			return notPinned("the extras of its package cannot be read")
		}
		l.extras, l.Wanted = l.Wanted[:end+1], l.Wanted[end+1:]
	}
	l.Wanted = strings.TrimSpace(l.Wanted)
	if version, is := strings.CutPrefix(l.Wanted, "@"); is {
		l.Wanted = "==" + strings.TrimSpace(version)
		if version == "latest" {
			l.Wanted = "latest"
		}
	}
	if strings.EqualFold(l.Package, "python") {
		return notPinned("uvx starts Python itself and no package")
	}
	if !isPyName(l.Package) || (l.Wanted != "latest" && !isPySpecifier(l.Wanted)) {
		return notPinned("its package is not one of an index by its name: a folder, a file, a URL or a repository has no version to pin")
	}
	return l
}

// PinnedArgs returns the arguments that make the same command start an exact version of
// its package. It is for launches of kind PyPI.
func (l Launch) PinnedArgs(version string) []string {
	return slices.Concat(l.before, []string{"--from", l.Package + l.extras + "==" + version, l.Program}, l.Args)
}

// isPyName reports whether a text is a name of a package or a program
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func isPyName(name string) bool {
	if name == "" || strings.ContainsAny(name[:1], "-._") {
		return false
	}
	for _, c := range []byte(name) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune("-._", rune(c)) {
			return false
		}
	}
	return true
}

func isExtras(text string) bool {
	for extra := range strings.SplitSeq(text, ",") {
		if !isPyName(strings.TrimSpace(extra)) {
			return false
		}
	}
	return true
}

// isPySpecifier reports whether a text is a list of version specifiers, "" included
// (https://packaging.python.org/en/latest/specifications/version-specifiers/).
func isPySpecifier(text string) bool {
	if text == "" {
		return true
	}
	for clause := range strings.SplitSeq(text, ",") {
		version := strings.TrimLeft(strings.TrimSpace(clause), "=<>~!")
		if version == strings.TrimSpace(clause) || !isPyVersion(strings.TrimSpace(version)) {
			return false
		}
	}
	return true
}

func isPyVersion(text string) bool {
	if text == "" || strings.HasPrefix(text, "-") {
		return false
	}
	for _, c := range []byte(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune(".*+!-_", rune(c)) {
			return false
		}
	}
	return true
}
