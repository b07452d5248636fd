package setup

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain/launcher"
)

// moves returns what an update changes beside the version, which needs care: another origin, program or package, and what
// the server did not get before.
func moves(before, after setup.Settings) []string {
	var lines []string
	was := func(what, before, after string) {
		if before != after {
			lines = append(lines, fmt.Sprintf("another %s: %s, was: %s", what, orNone(after), orNone(before)))
		}
	}
	was("address", origin(before.URL), origin(after.URL))
	was("program", before.Command, after.Command)
	was("package", packageOf(before), packageOf(after))
	for _, group := range []struct {
		kind          string
		before, after map[string]string
	}{{"variable", before.Env, after.Env}, {"header", before.Headers, after.Headers}} {
		for _, name := range slices.Sorted(maps.Keys(group.after)) {
			if _, had := group.before[name]; !had {
				lines = append(lines, fmt.Sprintf("%s is a %s that it did not get before", name, group.kind))
			}
		}
	}
	had := references(before)
	for _, name := range references(after) {
		if !slices.Contains(had, name) {
			lines = append(lines, fmt.Sprintf("%s is a value of yours that it did not get before", name))
		}
	}
	return lines
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// origin returns the scheme and the host of an address, and the address itself if it has none.
func origin(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return address
	}
	return parsed.Scheme + "://" + strings.ToLower(parsed.Host)
}

// packageOf returns the name of the package that settings run, without its version.
func packageOf(settings setup.Settings) string {
	target := launcher.Read(settings.Command, settings.Args).Target()
	name, _, _ := strings.Cut(target, "==")
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at]
	}
	if at := strings.LastIndexByte(name, ':'); at > strings.LastIndexByte(name, '/') {
		name = name[:at]
	}
	return name
}

// reference matches a reference to a variable or a secret.
var reference = regexp.MustCompile(`\$\{[^}]*\}`)

// references returns the references in settings, each once.
func references(settings setup.Settings) []string {
	texts := slices.Concat([]string{settings.Command, settings.URL}, settings.Args,
		slices.Collect(maps.Values(settings.Env)), slices.Collect(maps.Values(settings.Headers)))
	var found []string
	for _, text := range texts {
		found = append(found, reference.FindAllString(text, -1)...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
