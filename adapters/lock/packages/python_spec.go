package packages

import (
	"cmp"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// withPythonPackage reads the package of uvx: "name", "name[extra]", "name==1.2", "name>=1,<2",
// "name@1.2", "name@latest".
func (l Launch) withPythonPackage(written string) Launch {
	if l.Program != "" && !isPyName(l.Program) {
		return notPinned("after '--from' uvx expects the name of a program")
	}
	at := strings.IndexAny(written, "[=<>~!@ ")
	if at < 0 {
		at = len(written)
	}
	l.Kind, l.Package, l.Wanted = domain.PackagePyPI, written[:at], written[at:]
	if strings.HasPrefix(l.Wanted, "[") {
		end := strings.IndexByte(l.Wanted, ']')
		if end < 0 || !isExtras(l.Wanted[1:end]) {
			return notPinned("the extras of its package cannot be read")
		}
		l.extras, l.Wanted = l.Wanted[:end+1], l.Wanted[end+1:]
	}
	l.Wanted = strings.TrimSpace(l.Wanted)
	if version, ok := strings.CutPrefix(l.Wanted, "@"); ok {
		l.Wanted = "==" + strings.TrimSpace(version)
		if version == "latest" {
			l.Wanted = "latest"
		}
	}
	if strings.EqualFold(l.Package, "python") {
		return notPinned("uvx starts Python itself, not a package")
	}
	if !isPyName(l.Package) || (l.Wanted != "latest" && !isPySpecifier(l.Wanted)) {
		return notPinned("its package does not come from an index by its name: a folder, a file, a URL or a repository has no version to pin")
	}
	l.Program = cmp.Or(l.Program, l.Package)
	return l
}

// PinnedArgs returns the arguments with which the same command starts an exact version of its
// package. The launch must be of kind PyPI.
func (l Launch) PinnedArgs(version string) []string {
	return slices.Concat(l.before, []string{"--from", l.Package + l.extras + "==" + version, l.Program}, l.Args)
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// isPyName reports whether a text is a name of a package or a program
// (https://packaging.python.org/en/latest/specifications/name-normalization/).
func isPyName(name string) bool {
	return name != "" && !strings.ContainsAny(name[:1], "-._") && strings.Trim(name, alphanumeric+"-._") == ""
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
	return text != "" && text[0] != '-' && strings.Trim(text, alphanumeric+".*+!-_") == ""
}
