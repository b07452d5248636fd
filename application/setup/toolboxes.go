package setup

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/serverconfig"
)

// unnamed is the toolbox for servers whose names say nothing about their use.
const unnamed = "tools"

// maxNames is the maximum length of the list of server names in a description.
const maxNames = 90

// Description returns a description for a toolbox for which the user wrote none: first the names of
// its servers, since hosts cut the end, then their use. Models see nothing else of the servers before
// they open the toolbox.
func Description(toolbox string, servers []string) string {
	names, left := "", len(servers)
	for _, server := range servers {
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
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.toolbox == toolbox }); i >= 0 {
		return names + ": " + kinds[i].purpose
	}
	if len(servers) == 1 {
		return "tools of the server " + names
	}
	return "tools of the servers " + names
}

// propose returns the toolbox that fits a server, by its package or name: one for its subject, otherwise
// one with its own name.
func propose(server serverconfig.Server) string {
	name := server.Name[strings.LastIndexByte(server.Name, '/')+1:] // registries put a namespace before the name
	for _, text := range append(program(server.Settings), name) {
		if toolbox := subject(words(text)); toolbox != "" {
			return toolbox
		}
	}
	return ownToolbox(name)
}

// words returns the words of a text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// subject returns the toolbox for these words, "" for none.
func subject(words []string) (toolbox string) {
	longest := 0
	for _, kind := range kinds {
		for _, entry := range kind.words {
			if count := matched(words, entry); count > longest {
				longest, toolbox = count, kind.toolbox
			}
		}
	}
	return toolbox
}

// matched returns the number of words in a table entry if these words contain them in a row, otherwise 0.
func matched(words []string, entry string) int {
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
	name = strings.Join(strings.Fields(name), "-")
	switch {
	case slices.Contains(neutral, name) || name == "":
		return unnamed
	case slices.ContainsFunc(kinds, func(k kind) bool { return k.toolbox == name }):
		return name + "-server" // the server does not belong to that subject
	}
	return name
}

// program returns names that tell what a server is, the most telling first: its package, script or program,
// or the host and the path of its address.
func program(settings serverconfig.Settings) []string {
	if settings.URL != "" {
		_, address, _ := strings.Cut(settings.URL, "://")
		address, _, _ = strings.Cut(address, "?")
		host, rest, _ := strings.Cut(address, "/")
		return []string{host, rest}
	}
	line := launcher.Read(settings.Command, settings.Args)
	target := line.Target()
	for _, option := range line.Options {
		if option.Name == "--directory" { // of uv: the repository of the server
			target = option.Value
		}
	}
	if strings.HasPrefix(target, "/") || strings.HasPrefix(target, ".") || strings.HasPrefix(target, "~") {
		return []string{path.Base(target)}
	}
	return []string{cmp.Or(target, line.Program)}
}
