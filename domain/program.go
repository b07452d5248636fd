package domain

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
)

// RunsLike reports whether both servers start the same program, with the arguments of one among
// those of the other, or reach the same address. Flags, versions of packages, folders and
// variables make no difference. One program can be started in countless ways, so this finds a
// server that is written a second time, but not one that is hidden on purpose.
func (s Server) RunsLike(other Server) bool { return programOf(s).isLike(programOf(other)) }

// program is what a server's settings start or reach.
type program struct {
	// command is the name of the program, without its folder, "" for an address.
	command string
	// words are the arguments that are no flags, without the versions of packages.
	words []string
	// address is host and path of a URL, "" for a program.
	address string
}

// programOf reads how a server is reached. Settings of other kinds are a program that is the
// same as no other.
func programOf(server Server) program {
	var settings struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
		URL     string   `json:"url"`
	}
	// Settings were checked before.
	_ = json.Unmarshal(server.Settings, &settings)
	if settings.URL != "" {
		return program{address: addressOf(settings.URL)}
	}
	p := program{command: ProgramName(settings.Command)}
	for _, argument := range settings.Args {
		if !strings.HasPrefix(argument, "-") {
			p.words = append(p.words, withoutVersion(argument))
		}
	}
	return p
}

func (p program) isLike(other program) bool {
	if p.address != "" || other.address != "" {
		return p.address == other.address
	}
	return p.command != "" && p.command == other.command && (p.hasAll(other.words) || other.hasAll(p.words))
}

func (p program) hasAll(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(p.words, word) })
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

// withoutVersion returns a package as npx and uvx name it without its version: "@scope/name" of
// "@scope/name@1.2.3", "name" of "name==1.2.3".
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

// addressOf returns host and path of a URL, however it is written. Users, queries and protocols
// lead to the same server.
func addressOf(text string) string {
	address, err := url.Parse(text)
	if err != nil {
		return text
	}
	host := strings.TrimSuffix(strings.ToLower(address.Hostname()), ".")
	port := address.Port()
	if address.Scheme == "https" && port == "443" || address.Scheme == "http" && port == "80" {
		port = ""
	}
	return host + ":" + port + path.Clean("/"+address.Path)
}
