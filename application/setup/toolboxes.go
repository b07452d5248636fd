package setup

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
)

// unnamed is the toolbox for servers whose names say nothing about their use.
const unnamed = "tools"

// maxNames is the maximum length of the list of server names in a description.
const maxNames = 90

// Description returns a description for a toolbox of a subject for which the user wrote none: first the names of
// its servers, since hosts cut the end, then their use. It is "" for another toolbox: then what its servers say of
// themselves, once they were started, describes it.
func Description(toolbox string, servers []string) string {
	i := slices.IndexFunc(kinds(), func(k kind) bool { return k.toolbox == toolbox })
	if i < 0 {
		return ""
	}
	names, left := "", len(servers)
	for _, server := range servers {
		server = ownName(server)
		if names != "" && len(names)+len(server) > maxNames {
			break
		}
		if names != "" {
			names += ", "
		}
		names += server
		left--
	}
	if left > 0 {
		names += fmt.Sprintf(" and %d more", left)
	}
	return names + ": " + kinds()[i].purpose
}

// Renewed returns a description that Description returned for servers, for the servers that the toolbox has now. The
// toolbox may have another name since then. It returns false for a text of the user.
func Renewed(description string, before, now []string) (renewed string, ok bool) {
	for _, kind := range kinds() {
		if Description(kind.toolbox, before) == description {
			return Description(kind.toolbox, now), true
		}
	}
	return "", false
}

// maxDescribed is the maximum length in bytes of a description that a host's file has for a server.
const maxDescribed = 200

// describedBy returns a description for a new toolbox with one server: what a host's file says of the server, if
// nothing is known of the subject, otherwise the generated one. Others may have written the file, so the text is
// one visible line of bounded length.
func describedBy(text, toolbox, server string) string {
	text = domain.CutBytes(domain.SeenName(text), maxDescribed)
	if text == "" || slices.ContainsFunc(kinds(), func(k kind) bool { return k.toolbox == toolbox }) {
		return Description(toolbox, []string{server})
	}
	return ownName(server) + ": " + text
}

// ownName returns the name of a server without the namespace that registries put before it.
func ownName(server string) string { return server[strings.LastIndexByte(server, '/')+1:] }

// bridges is the toolbox of services that reach servers of other subjects too.
const bridges = "automation"

// propose returns the toolbox that fits a server, by its package or name: one for its subject, otherwise
// one with its own name.
func propose(server Server) string {
	name := ownName(server.Name)
	bridge := ""
	for _, text := range append(program(server.Settings), name) {
		toolbox := subject(words(text))
		if host, _, isHost := strings.Cut(text, "/"); isHost && strings.Contains(host, ".") && slices.Contains(documents, words(host)[0]) {
			toolbox = "docs" // an address that begins with docs.
		}
		if toolbox == bridges && bridge == "" {
			bridge = toolbox // what it reaches tells more
		} else if toolbox != "" && toolbox != bridges {
			return toolbox
		}
	}
	return cmp.Or(bridge, ownToolbox(name))
}

// words returns the words of a text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// documents are the words that end the name of a server with documents about something, whatever that is.
var documents = []string{"docs", "doc", "documentation", "reference", "manual", "handbook"}

// subject returns the toolbox for these words, "" for none.
func subject(words []string) (toolbox string) {
	longest := 0
	telling := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(neutral, word) })
	if last := len(telling) - 1; last > 0 && slices.Contains(documents, telling[last]) || last >= 0 && isJoined(telling[last]) {
		longest, toolbox = 1, "docs"
	}
	for _, kind := range kinds() {
		for _, entry := range kind.words {
			if count := matchLength(words, entry); count > longest {
				longest, toolbox = count, kind.toolbox
			}
		}
	}
	return toolbox
}

// isJoined reports whether a word ends in "Docs" that is written together with a name.
func isJoined(word string) bool { return len(word) > len("docs")+2 && strings.HasSuffix(word, "docs") }

// matchLength returns the number of words in a table entry if these words contain them in a row, otherwise 0.
func matchLength(words []string, entry string) int {
	entry, isUsual := strings.CutPrefix(entry, "=")
	if isUsual && slices.ContainsFunc(words, func(word string) bool { return word != entry && !slices.Contains(neutral, word) }) {
		return 0
	}
	wanted := strings.Fields(entry)
	for i := range words {
		if len(words)-i >= len(wanted) && slices.Equal(words[i:i+len(wanted)], wanted) {
			return len(wanted)
		}
	}
	return 0
}

// ownToolbox returns a toolbox for one server, named like the server but without "mcp" and "server".
func ownToolbox(server string) string {
	name := strings.ToLower(server)
	for before := ""; before != name; {
		before = name
		for _, word := range []string{"mcp", "server"} {
			name = strings.TrimSuffix(strings.TrimPrefix(name, word+"-"), "-"+word)
			name = strings.TrimSuffix(strings.TrimPrefix(name, word+"_"), "_"+word)
		}
	}
	name = strings.Trim(strings.Join(strings.Fields(name), "-"), "_-")
	switch {
	case slices.Contains(neutral, name) || name == "":
		return unnamed
	case slices.ContainsFunc(kinds(), func(k kind) bool { return k.toolbox == name }):
		return name + "-server" // the server does not belong to that subject
	}
	return name
}

// program returns names that tell what a server is, the most telling first: its package, script or program,
// or the host and the path of its address.
func program(settings Settings) []string {
	if settings.URL != "" {
		return placesIn(settings.URL)
	}
	line := launcher.Read(settings.Command, settings.Args)
	if line.IsShell() { // what it starts tells the subject
		if line.Wrapped == nil && line.Target() == "" {
			return nil
		}
		if line.Wrapped != nil {
			line = launcher.Read(line.Wrapped[0], line.Wrapped[1:])
		}
	}
	target := repository(line.Target())
	if slices.ContainsFunc(relays, func(relay string) bool { return strings.Contains(target, relay) }) {
		for _, word := range line.Words {
			if strings.Contains(word, "://") {
				return placesIn(word)
			}
		}
	}
	for _, option := range line.Options {
		if option.Name == "--directory" { // of uv: the repository of the server
			target = option.Value
		}
	}
	target = cmp.Or(withoutFolders(target, line.Script() != ""), line.Program)
	if _, name, isScoped := strings.Cut(target, "/"); isScoped && strings.HasPrefix(target, "@") {
		return []string{target, name} // without the name of its author
	}
	return []string{target}
}

// repository returns the name of the repository that a package comes from, without its place, and another target unchanged.
func repository(target string) string {
	_, rest, isAddress := strings.Cut(target, "://")
	scheme, short, isShort := strings.Cut(target, ":")
	switch {
	case isAddress && (strings.HasPrefix(target, "git+") || strings.HasPrefix(target, "http") || strings.HasPrefix(target, "ssh")):
	case !isAddress && isShort && slices.Contains([]string{"github", "gitlab", "bitbucket", "gist"}, scheme):
		rest = short
	default:
		return target
	}
	rest, _, _ = strings.Cut(rest, "#")
	name, _, _ := strings.Cut(path.Base(rest), "@")
	return strings.TrimSuffix(name, ".git")
}

// relays are programs that only pass messages on to an address.
var relays = []string{"mcp-remote", "mcp-proxy", "supergateway"}

// placesIn returns the host of an address, with a slash, and its path.
func placesIn(address string) []string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "?")
	host, rest, _ := strings.Cut(rest, "/")
	return []string{host + "/", rest}
}

// withoutFolders returns what tells a server in a target: a package, also one in node_modules, but of a path only
// its last part, since the folders of a user say nothing about it.
func withoutFolders(target string, isFile bool) string {
	slashed := strings.ReplaceAll(target, `\`, "/")
	if _, name, isInstalled := strings.Cut(slashed, "node_modules/"); isInstalled {
		return name
	}
	hasDrive := len(slashed) > 2 && slashed[1] == ':' && slashed[2] == '/'
	if isFile || hasDrive || slashed != target || slashed != "" && strings.Contains("/.~$%", slashed[:1]) {
		return path.Base(slashed)
	}
	return target
}
