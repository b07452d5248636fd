package shell

import (
	"slices"
	"strings"
	"unicode"

	"mcp-workbench/domain"
)

// Completion is a text that completes a word of a command line, with its description.
type Completion struct{ Text, Description string }

// Complete returns the completions of the beginning of a place: toolboxes, after a slash their servers, and
// after another slash the tools that toolsOf returns. A nil toolsOf completes no tools.
func Complete(toolboxes []domain.Toolbox, prefix string, toolsOf func(domain.Server) []string) []Completion {
	var completions []Completion
	offer := func(place, description string) {
		if !isUnsafe(place) {
			completions = append(completions, Completion{place, description})
		}
	}
	for _, toolbox := range toolboxes {
		name := string(toolbox.Name)
		if !strings.HasPrefix(prefix, name+"/") {
			offer(name+"/", domain.ReviewLine(toolbox.Description))
			continue
		}
		for _, server := range toolbox.Servers {
			place := server.ID.Path()
			if toolsOf == nil {
				offer(place, "")
				continue
			}
			offer(place+"/", "")
			for _, tool := range toolsOf(server) {
				offer(place+"/"+tool, "")
			}
		}
	}
	return completions
}

// SeenTools are the tools that were seen last, and the keys of their arguments.
type SeenTools interface {
	Names(server domain.Server) []string
	Keys(server domain.Server, tool string) []string
}

// CompleteCall returns the completions of a call: of the beginning of its tool, or after it of the
// arguments that are not given yet. It returns nil if there is no such server.
func CompleteCall(toolboxes []domain.Toolbox, words []string, prefix string, seen SeenTools) []Completion {
	if len(words) == 0 {
		return Complete(toolboxes, prefix, seen.Names)
	}
	place, err := FindPlace(toolboxes, words[0], seen.Names)
	server, known := place.Toolbox.Server(place.Server)
	if err != nil || !known {
		return nil
	}
	return CompleteKeys(seen.Keys(server, place.Tool), words[1:])
}

// CompleteToolboxes returns the names of toolboxes.
func CompleteToolboxes(toolboxes []domain.Toolbox) []Completion {
	var completions []Completion
	for _, toolbox := range toolboxes {
		if name := string(toolbox.Name); !isUnsafe(name) {
			completions = append(completions, Completion{name, domain.ReviewLine(toolbox.Description)})
		}
	}
	return completions
}

// CompleteKeys returns the keys of a tool that are not given yet, as "key=".
func CompleteKeys(keys, given []string) []Completion {
	var completions []Completion
	for _, key := range keys {
		isGiven := slices.ContainsFunc(given, func(word string) bool {
			name, _, _ := strings.Cut(word, "=")
			return strings.TrimSuffix(name, ":") == key
		})
		if !isGiven && !isUnsafe(key) {
			completions = append(completions, Completion{Text: key + "="})
		}
	}
	return completions
}

// isUnsafe reports whether a shell may take a name for more than a word. The scripts of
// completion hand the line to "eval", so only names of letters, digits and the signs of paths
// are offered: names come from servers and from files of others.
func isUnsafe(name string) bool {
	return strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(r rune) bool {
		isWord := (unicode.IsLetter(r) || unicode.IsDigit(r)) && !domain.Unseen(r)
		return !isWord && !strings.ContainsRune("-_.@+/", r)
	})
}
