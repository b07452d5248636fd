package registry

import (
	"slices"
	"strings"

	"mcp-workbench/domain/launcher"
)

// packageWords returns the arguments of the program that runs the package, given those for itself and those for the
// package.
func (b *builder) packageWords(words, arguments []string) []string {
	b.target = b.way.Package.Target()
	if b.way.Package.RegistryType == PyPI {
		if len(arguments) > 0 && (arguments[0] == "--from" || strings.HasPrefix(arguments[0], "--from=")) { // which is for uvx, wherever an entry has it
			words, arguments = slices.Concat(words, arguments), nil
		}
		words = apart(words, "--from")
		if slices.Contains(words, "--from") {
			return b.wordsFrom(words, arguments)
		}
	}
	words, behind := b.aroundPackage(apart(words, "--package"))
	without := func(known ...string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(known, word) })
	}
	switch b.way.Package.RegistryType {
	case NPM:
		words = append([]string{"-y"}, without("-y", "--yes")...)
	case OCI:
		words = append([]string{"run", "-i", "--rm"}, without("run", "-i", "--interactive", "--rm")...)
		for _, name := range b.names {
			words = append(words, "-e", name)
		}
	}
	return slices.Concat(words, []string{b.target}, behind, arguments)
}

// apart returns words in which the value of an option is a word of its own.
func apart(words []string, option string) (separate []string) {
	for _, word := range words {
		if value, isJoined := strings.CutPrefix(word, option+"="); isJoined {
			separate = append(separate, option)
			word = value
		}
		separate = append(separate, word)
	}
	return separate
}

// switches are options without a value, behind which the package may stand, and those of npx whose value it is.
var switches = []string{"-y", "--yes", "-q", "--quiet", "-i", "--interactive", "--rm", "-t", "--tty", "-it", "--", "--package", "-p"}

// aroundPackage divides the arguments for the program that runs a package where they name the package themselves, or where
// npx or uvx would take a word for another package, as in some entries: what follows are arguments of the package.
func (b *builder) aroundPackage(words []string) (before, behind []string) {
	for i, word := range words {
		isValue := i > 0 && strings.HasPrefix(words[i-1], "-") && !slices.Contains(switches, words[i-1])
		if !isValue && b.packageName(word) == b.packageName(b.way.Package.Identifier) {
			return words[:i], words[i+1:]
		}
	}
	line := launcher.Read(b.way.Runtime, words)
	if b.way.Package.RegistryType == OCI || b.way.Package.RegistryType == NPM && len(line.Named) > 0 {
		return words, nil
	}
	end := len(words) - len(line.Words)
	return words[:end], words[end:]
}

// packageName returns the name of a package without its version, as it is compared.
func (b *builder) packageName(word string) string {
	switch b.way.Package.RegistryType {
	case NPM:
		name, _, _ := launcher.NPMPackage(word)
		return name
	case PyPI:
		name, _ := readRequirement(word)
		return normalName(name)
	}
	word, _, _ = strings.Cut(strings.TrimPrefix(word, "docker.io/"), "@")
	if tag := strings.LastIndexByte(word, ':'); tag > strings.LastIndexByte(word, '/') {
		word = word[:tag]
	}
	return word
}

// normalName returns the name of a Python package as PyPI compares it.
func normalName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
}

// readRequirement returns the name and the extras, in brackets, of what uvx takes: name[extra]==1.0.
func readRequirement(text string) (name, extras string) {
	end := strings.IndexAny(text, "[@=<>~! ")
	if end < 0 {
		return text, ""
	}
	if name, text = text[:end], text[end:]; text[0] == '[' {
		if end := strings.IndexByte(text, ']'); end > 0 {
			extras = text[:end+1]
		}
	}
	return name, extras
}

// wordsFrom is packageWords with "--from", which names the package if its program has another name, or has extras.
//
// Decision: uvx wants a program behind --from. Entries have it there, or as the first argument of the package, or leave it
// out since it is the identifier. A first argument is the program if it has a word of the identifier ("mneme" of
// mneme-hq, but not "mcp" of mergetrain).
func (b *builder) wordsFrom(words, arguments []string) []string {
	at := slices.Index(words, "--from")
	if at+1 >= len(words) {
		return slices.Concat(words[:at], []string{b.target}, arguments)
	}
	from, rest := words[at+1], words[at+2:]
	program := b.way.Package.Identifier
	line := launcher.Read(b.way.Runtime, rest)
	options := rest[:len(rest)-len(line.Words)]
	switch {
	case len(line.Words) > 0:
		program, arguments = line.Words[0], slices.Concat(line.Words[1:], arguments)
	case len(arguments) > 0 && sharesWord(arguments[0], program):
		program, arguments = arguments[0], arguments[1:]
	}
	name, extras := readRequirement(from)
	switch {
	case normalName(name) != normalName(b.way.Package.Identifier):
		b.note("--from %s: the program %s comes from another package", from, program)
		return slices.Concat(words[:at], options, []string{"--from", from, program}, arguments)
	case extras != "":
		b.target = b.way.Package.Identifier + extras + "==" + b.way.Package.Version
	case program == b.way.Package.Identifier:
		return slices.Concat(words[:at], options, []string{b.target}, arguments)
	}
	return slices.Concat(words[:at], options, []string{"--from", b.target, program}, arguments)
}

// sharesWord reports whether a word begins no option, and has a part of the name of a package that is not in the names of
// all servers.
func sharesWord(word, name string) bool {
	if strings.HasPrefix(word, "-") {
		return false
	}
	parts := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune("-_.", r) })
	}
	known := parts(name)
	return slices.ContainsFunc(parts(word), func(part string) bool {
		return slices.Contains(known, part) && !slices.Contains([]string{"mcp", "server", "stdio", "serve", "client"}, part)
	})
}
