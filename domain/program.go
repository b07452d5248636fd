package domain

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// RunsLike reports whether both servers start the same program, one with all arguments of the other,
// or reach the same address. It ignores flags, versions of packages, folders of programs and
// variables, and how a path is spelled, but not where links lead. A program can be started in many ways,
// so this finds accidental duplicates, but not servers that are disguised on purpose.
func (s Server) RunsLike(other Server) bool {
	a, b := s.Traits, other.Traits
	if a.Address != "" || b.Address != "" {
		return hostAndPath(a.Address) == hostAndPath(b.Address)
	}
	name, words, otherWords := ProgramName(a.Program.Command), a.Program.words(), b.Program.words()
	return name != "" && name == ProgramName(b.Program.Command) && (hasAll(words, otherWords) || hasAll(otherWords, words))
}

// words returns the arguments other than flags, without versions of packages, each as it is written and as a
// path in full.
func (p Program) words() []word {
	var words []word
	for _, argument := range p.Args {
		if !strings.HasPrefix(argument, "-") {
			written := withoutVersion(argument)
			words = append(words, word{written, p.fullPath(written)})
		}
	}
	return words
}

// A word is an argument that is not a flag.
type word struct{ written, path string }

func (w word) isLike(other word) bool {
	return w.written == other.written || w.path == other.path || isFrom(w.path, other.path) || isFrom(other.path, w.path)
}

// isFrom reports whether a relative path may lead to a full one, from a working directory that is not known.
func isFrom(relative, full string) bool {
	if isFull(relative) || !isFull(full) {
		return false
	}
	for strings.HasPrefix(relative, "../") {
		relative = relative[len("../"):]
	}
	return strings.HasSuffix(full, "/"+relative)
}

// isFull reports whether a path, with slashes, is one of the root of a system or of a drive.
func isFull(slashed string) bool {
	return path.IsAbs(slashed) || len(slashed) > 1 && slashed[1] == ':'
}

// fullPath returns the shortest spelling of a path, below the working directory if that is known.
func (p Program) fullPath(written string) string {
	full := strings.ReplaceAll(written, `\`, "/")
	if p.Cwd == "" || isFull(full) {
		return path.Clean(full)
	}
	return path.Join(strings.ReplaceAll(p.Cwd, `\`, "/"), full)
}

func hasAll(words, wanted []word) bool {
	return !slices.ContainsFunc(wanted, func(w word) bool { return !slices.ContainsFunc(words, w.isLike) })
}

// ProgramName returns the name of a program in lower case, without its folder and the extension
// that Windows adds, whichever system the command is for.
func ProgramName(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		name = strings.TrimSuffix(name, extension)
	}
	return name
}

// withoutVersion returns a package of npx or uvx without its version: "@scope/name" for
// "@scope/name@1.2.3", "name" for "name==1.2.3".
func withoutVersion(word string) string {
	if strings.Contains(word, "://") {
		return word
	}
	word, _, _ = strings.Cut(word, "==")
	if at := strings.LastIndexByte(word, '@'); at > 0 {
		return word[:at]
	}
	return word
}

// hostAndPath returns the host and path of a URL in a normal form, without user, query and protocol.
// Other addresses are returned unchanged.
func hostAndPath(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" {
		return text
	}
	host := strings.TrimSuffix(strings.ToLower(address.Hostname()), ".")
	port := address.Port()
	if address.Scheme == "https" && port == "443" || address.Scheme == "http" && port == "80" {
		port = ""
	}
	return host + ":" + port + path.Clean("/"+address.Path)
}
