package masking

import (
	"slices"
	"strings"

	"mcp-workbench/domain/launcher"
)

// Line returns a command line for display, with its secrets masked. The program, and the words up to the package, the image,
// the script or the code that it runs, are never masked as a whole, so that no name and no option can hide what runs.
func Line(command string, args []string) []string { return inLine(command, args, shownSecret) }

// inLine returns a command line with its probable secrets replaced.
func inLine(command string, args []string, replace replacement) []string {
	words := make([]string, 0, len(args)+1)
	words = append(words, inTarget(command, replace))
	line := launcher.Read(command, args)
	if start := len(args) - len(line.Wrapped); len(line.Wrapped) > 0 && start >= 0 && slices.Equal(args[start:], line.Wrapped) {
		for _, arg := range args[:start] { // of a runner, such as env
			words = append(words, inText(arg, replace, !line.RunsCode(args)))
		}
		return append(words, inLine(line.Wrapped[0], line.Wrapped[1:], replace)...)
	}
	running, before := line.Running(args), ""
	for i, arg := range args {
		switch {
		case i < running && names(line.Targets(), arg):
			arg = inTarget(arg, replace)
		case i < running:
			arg = inText(arg, replace, !line.RunsCode(args))
		default:
			arg, before = inArgument(args, before, arg, replace), arg
		}
		words = append(words, arg)
	}
	return words
}

// names reports whether a word is one of the targets, or an option with one.
func names(targets []string, word string) bool {
	_, value, _ := strings.Cut(word, "=")
	return slices.Contains(targets, word) || word[:min(1, len(word))] == "-" && slices.Contains(targets, value)
}

// inTarget returns what runs with the password of its address replaced, such as that of a repository.
func inTarget(word string, replace replacement) string {
	scheme, rest, found := strings.Cut(word, "://")
	if !found {
		return word
	}
	end := len(rest)
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		end = at
	}
	return scheme + "://" + inAuthority(rest[:end], replace) + rest[end:]
}

// inText returns a text of words with the secrets in its addresses, and the values beside the names of secrets, replaced. In code,
// which is no data, only those are that cannot decide what runs.
func inText(text string, replace replacement, isData bool) string {
	hides := func(name, value, rest string) bool {
		return !isUsed(text, name) && (isData || isLiteral(text, name, value, rest))
	}
	if !strings.Contains(text, "://") {
		return inNamed(text, replace, hides)
	}
	words := strings.Split(text, " ") // an address in a line of a shell
	for i, word := range words {
		if words[i] = inAddress(word, replace); !strings.Contains(word, "://") {
			words[i] = inNamed(word, replace, hides)
		}
	}
	return strings.Join(words, " ")
}

// inArgument returns an argument of a program with its probable secrets replaced: the value of a flag whose name
// suggests a secret, values beside the name of a secret, what looks like one as a whole, and the secrets in
// addresses. Before is the argument before it.
func inArgument(args []string, before, arg string, replace replacement) string {
	if flag := secretFlag().FindString(arg); strings.HasSuffix(flag, "=") {
		return flag + replace("", arg[len(flag):])
	}
	if flag := secretFlag().FindString(before); flag != "" && !strings.HasSuffix(flag, "=") && !isFlag().MatchString(arg) {
		return replace("", arg)
	}
	if secretPrefix().MatchString(arg) || looksRandom(arg) || isMnemonic().MatchString(arg) {
		return replace("", arg)
	}
	if isUserFlag().MatchString(before) || isUserFlag().MatchString(arg) {
		if user, password, ok := strings.Cut(arg, ":"); ok && !plainValue().MatchString(password) && !strings.HasPrefix(password, "//") {
			return user + ":" + replace("", password)
		}
	}
	if password, ok := strings.CutPrefix(arg, "-p"); ok && isJoinedPassword(args, password) {
		return "-p" + replace("", password)
	}
	if at := credentials().FindStringSubmatchIndex(arg); at != nil && isCredential(arg[at[2]:at[3]]) {
		return arg[:at[2]] + replace("", arg[at[2]:at[3]]) + arg[at[3]:]
	}
	return inText(inUsers(arg, replace), replace, true)
}

// isJoinedPassword reports whether a text behind "-p" is a password, as clients of databases take it, rather than a port or a path.
func isJoinedPassword(args []string, text string) bool {
	if text == "" || isPort().MatchString(text) || isPlain(text) || strings.HasPrefix(text, "=") {
		return false
	}
	hasUser := slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-u") || strings.HasPrefix(arg, "--user") })
	return hasUser || isCredential(text)
}

// isCredential reports whether a word is no word of a language.
func isCredential(word string) bool {
	return strings.ContainsAny(word, "0123456789") || len(word) > 1 && strings.ToLower(word[1:]) != word[1:] || len(word) >= 16
}

// inUsers returns a text with the passwords replaced in "user:password@host", which has no scheme.
func inUsers(text string, replace replacement) string {
	at := userAtHost().FindStringSubmatchIndex(text)
	if at == nil || strings.HasPrefix(text[at[3]:], "@sha") {
		return text
	}
	return text[:at[2]] + replace("", text[at[2]:at[3]]) + inUsers(text[at[3]:], replace)
}

var (
	secretFlag = pattern(`(?i)^--?([a-z0-9_-]*(token|secret|passw|passphrase|passcode|mnemonic|credential|api[_-]?key|access[_-]?key|private[_-]?key)[a-z0-9_-]*|([a-z0-9_-]+[_-])?(key|pat|auth|license|pwd|pw|pass|jwt|bearer))(=|$)`)
	isFlag     = pattern(`^--?[a-zA-Z][a-zA-Z_-]*(=|$)`)
	isUserFlag = pattern(`^(-u|--user|--userpwd|--proxy-user|--basic-auth)(=|$)`)
	isPort     = pattern(`^[0-9:./]+(tcp|udp)?$`)
	// credentials matches the value of a header of HTTP, and isMnemonic the words of a wallet.
	credentials = pattern(`(?i)^\s*(?:bearer|basic)\s+(\S+)\s*$`)
	isMnemonic  = pattern(`^([a-z]{3,8}\s+){11,23}[a-z]{3,8}$`)
	userAtHost  = pattern(`(?:^|[\s"'=])[^\s:/@"'=]+:([^\s@/]+)@[A-Za-z0-9._-]+[(:/]`)
)
