package launcher

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

// A Machine is what advice about a command depends on.
type Machine struct {
	// System is the value of runtime.GOOS.
	System string
	// Programs returns the names of the programs in the PATH.
	Programs func() []string
	// Elsewhere returns the path of a program that the PATH lacks, "" if it is not known; it can be nil.
	Elsewhere func(name string) string
}

// Advice returns what to do about a command that was not found, as a clause. It has advice for an
// address, a whole command line, a path that begins with "~", a misspelling, and a launcher that is not
// installed; it returns "" for other commands.
func (m Machine) Advice(command string) string {
	switch line := strings.Fields(command); {
	case Unescaped(command) != "":
		return Unescaped(command)
	case IsAddress(command):
		return `it looks like an address: write it as "url", with http:// or https://`
	case isWhole(line):
		return wholeLine(line)
	case IsHome(command):
		return "'~' is not expanded: write " + m.Home(command)
	case m.Expanded(command) != command:
		return "variables of shells are not expanded: write " + strconv.Quote(m.Expanded(command))
	case strings.ContainsAny(command, `/\`):
		_, fix := m.Foreign(command)
		return fix
	}
	return m.nearest(command)
}

var shellVariable = regexp.MustCompile(`%([A-Za-z_][A-Za-z0-9_]{2,}(?:\([xX]86\))?)%|\$env:([A-Za-z_][A-Za-z0-9_]*)`)

// Expanded returns a text with the variables that cmd.exe and PowerShell would expand as the configuration writes them.
// On other systems, texts have none.
func (m Machine) Expanded(text string) string {
	if m.System != "windows" {
		return text
	}
	return shellVariable.ReplaceAllString(text, "$${$1$2}")
}

// Unescaped returns what to do about a path of Windows whose single backslashes JSON read as escapes, as a clause;
// "" for other texts.
func Unescaped(text string) string {
	if len(text) > 2 && text[1] == ':' && strings.ContainsAny(text, "\b\t\n\f\r") {
		return `a single backslash in JSON begins an escape, such as \t: write each backslash twice`
	}
	return ""
}

// IsHome reports whether a text begins with "~" as a shell would expand it to the home directory.
func IsHome(text string) bool {
	return text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`)
}

// Home returns a path that begins with "~" as the configuration writes it, in quotes.
func (m Machine) Home(path string) string {
	if m.System == "windows" {
		return strconv.Quote("${USERPROFILE}" + path[1:])
	}
	return strconv.Quote("${HOME}" + path[1:])
}

// wrongSchemes are schemes of addresses at which there are no MCP servers.
var wrongSchemes = []string{"ws://", "wss://", "ftp://", "tcp://", "sse://", "mcp://"}

// domains are last labels that distinguish the name of a host from that of a file.
var domains = []string{"com", "org", "net", "dev", "io", "ai", "app", "cloud"}

// IsAddress reports whether a word looks like an address rather than a program: "host:3000",
// "example.com/mcp", "//host", "ws://host". It examines nothing but the word, so callers first check
// whether there is a program of that name.
func IsAddress(word string) bool {
	lower := strings.ToLower(word)
	if scheme, _, ok := strings.Cut(lower, "://"); ok && !strings.ContainsAny(scheme, `/\. `) {
		return strings.HasPrefix(lower, "http") || slices.Contains(wrongSchemes, scheme+"://")
	}
	if host, ok := strings.CutPrefix(lower, "//"); ok {
		return isHost(host, false)
	}
	return isHost(lower, true)
}

// isHost reports whether a text begins with a host. If telling is set, something must distinguish it
// from a file: a port, "localhost", or dots and either a path or a well-known domain.
func isHost(text string, telling bool) bool {
	end := strings.IndexAny(text, "/?#")
	authority, hasPath := text, end >= 0
	if hasPath {
		authority = text[:end]
	}
	if strings.HasPrefix(authority, "[") && strings.Contains(authority, "]:") {
		return true // IPv6
	}
	host, port, hasPort := strings.Cut(authority, ":")
	labels := strings.Split(host, ".")
	if slices.ContainsFunc(labels, func(label string) bool { return !isLabel(label) }) || hasPort && !isNumber(port) {
		return false
	}
	last := labels[len(labels)-1]
	return !telling || hasPort || host == "localhost" || len(labels) > 1 && (hasPath || slices.Contains(domains, last) || len(labels) == 4 && isNumber(last))
}

func isLabel(label string) bool {
	return label != "" && !strings.ContainsFunc(label, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isWhole reports whether words are a command with its arguments, rather than a path with spaces in
// it.
func isWhole(words []string) bool {
	if len(words) < 2 {
		return false
	}
	_, known := grammarOf(domain.ProgramName(words[0]))
	return known || !strings.ContainsAny(words[0], `/\`)
}

// wholeLine returns how to write a whole command line. If it contains quotes, only a shell knows how
// to split it.
func wholeLine(words []string) string {
	const what = `it is a whole command line: `
	if strings.ContainsAny(strings.Join(words, ""), "\"'`$&|;<>") {
		return what + `write "command": ` + strconv.Quote(words[0]) + `, and each argument in "args"`
	}
	quoted := make([]string, len(words)-1)
	for i, word := range words[1:] {
		quoted[i] = strconv.Quote(word)
	}
	return what + `write "command": ` + strconv.Quote(words[0]) + `, "args": [` + strings.Join(quoted, ", ") + "]"
}

// An origin is where programs come from.
type origin struct {
	name, address string
	programs      []string
}

var origins = []origin{
	{"Node.js", "https://nodejs.org/en/download", []string{"npx", "npm", "node", "corepack"}},
	{"uv", "https://docs.astral.sh/uv/getting-started/installation/", []string{"uvx", "uv"}},
	{"Docker", "https://docs.docker.com/get-started/get-docker/", []string{"docker"}},
	{"Podman", "https://podman.io/docs/installation", []string{"podman"}},
	{"Python", "https://www.python.org/downloads/", []string{"python3", "python", "py"}},
	{"Bun", "https://bun.com/docs/installation", []string{"bunx", "bun"}},
	{"Deno", "https://docs.deno.com/runtime/getting_started/installation/", []string{"deno"}},
	{"pnpm", "https://pnpm.io/installation", []string{"pnpx", "pnpm"}},
	{"Yarn", "https://yarnpkg.com/getting-started/install", []string{"yarn"}},
	{"pipx", "https://pipx.pypa.io/stable/installation/", []string{"pipx"}},
	{".NET", "https://dotnet.microsoft.com/download", []string{"dnx", "dotnet"}},
	{"JBang", "https://www.jbang.dev/download/", []string{"jbang"}},
	{"Java", "https://adoptium.net/", []string{"java"}},
	{"Go", "https://go.dev/dl/", []string{"go"}},
}

// minGuessed is the length of the shortest name for which programs in the PATH are suggested: too
// many of them have short names.
const minGuessed = 5

// nearest returns the advice about a name that is not in the PATH: how to get a known program, or which
// program may be meant.
func (m Machine) nearest(name string) string {
	programs := m.Programs()
	plain := domain.ProgramName(name)
	var known []string
	if m.Elsewhere != nil {
		if found := m.Elsewhere(name); found != "" {
			return "it is " + found + ": " + m.InFolder(path.Dir(strings.ReplaceAll(found, `\`, "/")))
		}
	}
	if plain != name && slices.Contains(programs, plain) {
		return domain.DidYouMean(plain) // such as for a script of PowerShell
	}
	for _, from := range origins {
		if slices.Contains(from.programs, plain) {
			return from.advice(plain, programs)
		}
		known = append(known, from.programs...)
	}
	if len(plain) >= minGuessed {
		known = append(known, programs...)
	}
	if near, ok := domain.Nearest(plain, known); ok {
		return domain.DidYouMean(near)
	}
	return ""
}

// InFolder returns how a server finds programs in a folder that the PATH lacks.
func (m Machine) InFolder(folder string) string {
	separator := ":"
	if m.System == "windows" {
		separator = ";"
	}
	return `add "PATH": ` + strconv.Quote(folder+separator+"${PATH}") + ` to its "env", or start the host from a shell`
}

// advice returns how to get a program.
func (o origin) advice(program string, programs []string) string {
	for _, other := range o.programs {
		if o.name == "Python" && other != program && slices.Contains(programs, other) {
			return domain.DidYouMean(other)
		}
	}
	if strings.EqualFold(o.name, program) {
		return "install it, or add its folder to the PATH: " + o.address
	}
	return "it comes with " + o.name + "; install that, or add its folder to the PATH: " + o.address
}
