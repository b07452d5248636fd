package masking

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// VariableName makes the name of a variable from a text.
func VariableName(text string) string {
	return strings.Trim(strings.ToUpper(notInNames().ReplaceAllString(text, "_")), "_")
}

var (
	notInNames   = pattern(`[^A-Za-z0-9]+`)
	secretPrefix = pattern(`^(sk-|sk_|pk_live_|rk_live_|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|ntn_|secret_|tvly-|fc-[0-9a-f]{8}|lin_api_|hf_|npm_|pypi-|dop_v1_|sbp_|eyJ[A-Za-z0-9_-]{10})`)
	// strongName is the name of a secret whatever its value, and weakName unless the value is a usual word, a number
	// or a path. A plainKey is the name of something that is known to others.
	strongName = pattern(`(?i)token([^i]|i[^z]|$)|secret|passw|passphrase|passcode|mnemonic|seed_?phrase|bearer|credential|authorization|api_?-?key|access_?-?key|private_?-?key|[_-]pat$|^pat$|cookie`)
	weakName   = pattern(`(^|[_.-])(?i:key|k|pass|auth|jwt|license|sig|signature)$|(?i:pwd|_pw)$|[a-z]Key$`)
	plainKey   = pattern(`(?i)(public|publishable|primary|partition|sort|foreign|cache|issue|project|space|object|bucket|hot)_?-?key$`)
	plainValue = pattern(`^([0-9.]*|[/~].*|[A-Za-z]:[\\/].*)$`)
	// plainNumber are values of switches and limits, such as MAX_TOKENS, and passwordName the names under which a number
	// may be a secret. A fileName is the name of a path to secrets.
	plainNumber  = pattern(`^(?i:true|false|yes|no|on|off|[0-9]{1,9}(\.[0-9]+)?)$`)
	passwordName = pattern(`(?i)passw|passphrase|passcode|pwd|secret`)
	fileName     = pattern(`(?i)_(file|path|dir|sock)$|^google_application_credentials$`)
	filePath     = pattern(`^([/~]|[A-Za-z]:[\\/])`)
	sameKind     = pattern(`[A-Z]+|[a-z]+|[0-9]+`)
	isHex        = pattern(`^[0-9a-fA-F]+$`)
	isWord       = pattern(`^[A-Za-z0-9][A-Za-z0-9_~+-]*={0,2}$`)
)

// LooksSecret reports whether a value is not a reference and looks like a secret: by its
// name, by itself, or by a part of it, such as the password in an address or a connection string.
func LooksSecret(name, value string) bool {
	if value == "" || strings.Contains(value, "${") {
		return false
	}
	isNamed := strongName().MatchString(name) && !isSetting(name, value)
	return isNamed || secretPrefix().MatchString(value) || looksRandom(value) ||
		IsSecretName(name) && !isPlain(value) && !isSetting(name, value) ||
		hasPart(value)
}

// hasPart reports whether a part of a value seems to be a secret.
func hasPart(value string) bool {
	found := false
	inArgument(nil, "", value, func(name, text string) string {
		found = found || !isShort().MatchString(text) && isNamedSecret(name, text)
		return text
	})
	return found
}

// IsSwitch reports whether a value is a switch or a number, and no secret by its name or that of what it is in.
func IsSwitch(path []string, value string) bool {
	isSecret := func(name string) bool { return IsSecretName(name) || passwordName().MatchString(name) }
	return plainNumber().MatchString(value) && !slices.ContainsFunc(path, isSecret)
}

// isSetting reports whether a value under the name of a secret is a switch, a number or the path of a file.
func isSetting(name, value string) bool {
	return plainNumber().MatchString(value) && !passwordName().MatchString(name) || fileName().MatchString(name) && filePath().MatchString(value)
}

// isPlain reports whether a value is a usual word, a number or a path.
func isPlain(value string) bool {
	return isShort().MatchString(value) || plainValue().MatchString(value)
}

// IsSecretName reports whether values of that name are usually secrets.
func IsSecretName(name string) bool {
	return strongName().MatchString(name) || weakName().MatchString(name) && !plainKey().MatchString(name) && name != "PWD" && name != "OLDPWD"
}

// minRandom is the length of the shortest text that looks random: names of projects and regions are shorter.
// Without letters of both cases it is minRandomLower.
const minRandom, minRandomLower = 20, 32

// looksRandom reports whether a text is one word as generators of keys write it and people do not: small and
// capital letters and digits change often. A long row of hexadecimal digits is one too, unless it has the length
// of a commit or of a SHA-256 sum, which say which code runs.
func looksRandom(text string) bool {
	if len(text) < minRandom || !isWord().MatchString(text) {
		return false
	}
	runs := len(sameKind().FindAllString(text, -1))
	hasUpper, hasLower := strings.ToLower(text) != text, strings.ToUpper(text) != text
	hasDigits := strings.ContainsAny(text, "0123456789")
	switch {
	case !hasDigits || !hasUpper && !hasLower:
		return false
	case isHex().MatchString(text):
		return len(text) >= minRandomLower && len(text) != 40 && len(text) != 64 && runs > 4
	case hasUpper && hasLower:
		return runs*20 >= len(text)*9
	}
	return len(text) >= minRandomLower && runs*4 >= len(text) && !strings.ContainsAny(text, "-_")
}

// pattern returns a regular expression that is compiled when it is first used: a bridge to a background workbench, of
// which there is one for each window, masks nothing.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
