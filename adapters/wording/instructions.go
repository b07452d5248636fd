package wording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode/utf16"

	"mcp-workbench/domain"
)

// maxListing is the maximum length of the listing for hosts that pass on everything. A longer one is shortened as
// for hosts that cut, since the schema of open_toolbox also has every toolbox with its description.
const maxListing = 16_000

// maxShortListing is the length of the listing for hosts that would get a very long one otherwise.
const maxShortListing = 2000

// Instructions words the instructions for the model of a host (tests/acceptance/CONTRACT.md section 3): the whole
// listing of the toolboxes if the host passes it on whole, otherwise as much as the host passes on, with names
// before descriptions. A file that is not trusted is named in the first line. Problems of the configuration come
// last, or first for hosts that cut. The same instructions give the same bytes.
func Instructions(host Host, built domain.Instructions) string {
	toolboxes, note := built.Toolboxes, untrustedNote(built.Untrusted)
	wrong, listing := problemList(built.Mistakes), listing(toolboxes)
	switch {
	case host.maxFirstLine > 0:
		return strings.Join(parts(firstLine(host, toolboxes, len(built.Mistakes), note != ""), note, wrong, listing), "\n\n")
	case host.maxText > 0:
		wrong = cut(strings.Join(parts(note, wrong), "\n\n"), host.maxText/3)
		room := usable(host.maxText) - length(wrong)
		if len(toolboxes) > 0 && length(listing) > room {
			listing = shortListing(toolboxes, room).text
		}
		return strings.Join(parts(wrong, listing), "\n\n")
	}
	if length(listing) > maxListing {
		listing = shortListing(toolboxes, maxShortListing).text
	}
	return strings.Join(parts(note, listing, wrong), "\n\n")
}

// firstLine returns the instructions for a host that passes on one line: whether a file is not trusted, how many
// problems there are, and the toolboxes. It is "" if there is nothing to say.
func firstLine(host Host, toolboxes []domain.Toolbox, problems int, isUntrusted bool) string {
	note := ""
	if isUntrusted {
		note = "The workbench-config.json of this folder is not trusted: the user can run `mcp-workbench trust` there. "
	}
	if problems > 0 {
		note += fmt.Sprintf("The configuration has problems (%d). ", problems)
	}
	if len(toolboxes) == 0 {
		if note != "" {
			note += "No toolboxes; " + domain.ToolOpenToolbox + " says why."
		}
		return note
	}
	return note + oneLine(toolboxes, host.maxFirstLine-length(note)).text
}

// parts returns the texts that are not empty.
func parts(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// cut ends a text after limit characters.
func cut(text string, limit int) string {
	if length(text) <= limit {
		return text
	}
	room := limit - 1
	for i, r := range text {
		if room -= utf16.RuneLen(r); room < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// usable returns how much of a limit on characters to use: hosts that cut may count differently, and put a mark
// at the end.
func usable(limit int) int { return limit / 1000 * 1000 }

// oneLine names the toolboxes in one line of at most limit characters: all of them with their descriptions if
// that fits, else with shorter descriptions, else as many names as fit.
func oneLine(toolboxes []domain.Toolbox, limit int) fit {
	return longestFit(toolboxes, limit, func(maxDescription int) string {
		entries := make([]string, len(toolboxes))
		for i, toolbox := range toolboxes {
			entries[i] = flat(string(toolbox.Name))
			if description := shortened(toolbox.Description, maxDescription); description != "" {
				entries[i] += " (" + description + ")"
			}
		}
		return nameList(entries)
	})
}

// shortListing returns the listing with a line for each toolbox and descriptions that are as long as the limit
// allows. If not even the names fit, it returns one line with as many names as fit.
func shortListing(toolboxes []domain.Toolbox, limit int) fit {
	return longestFit(toolboxes, limit, func(maxDescription int) string {
		var text strings.Builder
		text.WriteString("## Available Toolboxes\n\n")
		for _, toolbox := range toolboxes {
			fmt.Fprintf(&text, "- **%s** (%d)", toolbox.Name, len(toolbox.Servers))
			if description := shortened(toolbox.Description, maxDescription); description != "" {
				text.WriteString(": " + description)
			}
			text.WriteString("\n")
		}
		text.WriteString("\nThe number is how many servers a toolbox has. To see its tools, call `open_toolbox` with its name.")
		return text.String()
	})
}

// fit is a text about toolboxes that is within a limit.
type fit struct {
	text string
	// shown is how many characters of a description there was room for, -1 if there was room for all of them;
	// missing is how many toolboxes are not named.
	shown, missing int
}

// longestFit returns the text with the longest descriptions that is within the limit, or else one with as many names
// as fit.
func longestFit(toolboxes []domain.Toolbox, limit int, write func(maxDescription int) string) fit {
	longest := 0
	for _, toolbox := range toolboxes {
		longest = max(longest, length(flat(toolbox.Description)))
	}
	if whole := write(longest); length(whole) <= limit {
		return fit{text: whole, shown: -1}
	}
	tooLong := sort.Search(longest+1, func(n int) bool { return length(write(n)) > limit })
	if tooLong > 0 {
		return fit{text: write(tooLong - 1), shown: tooLong - 1}
	}
	names := make([]string, len(toolboxes))
	for i, toolbox := range toolboxes {
		names[i] = flat(string(toolbox.Name))
	}
	for n := len(names); ; n-- {
		entries, left := names[:n], len(names)-n
		if left > 0 {
			entries = append(slices.Clone(entries), fmt.Sprintf("and %d more", left))
		}
		if text := nameList(entries); n == 0 || length(text) <= limit {
			return fit{text: text, missing: left}
		}
	}
}

func nameList(entries []string) string {
	return "Toolboxes: " + strings.Join(entries, ", ") + ". Open one with " + domain.ToolOpenToolbox + "."
}

// minDescription is the shortest useful beginning of a description.
const minDescription = 8

// maxEnds is how many quotation marks and parentheses may have to end.
const maxEnds = 2

// shortened returns a text on one line of at most limit characters, "" if too little would be left of it. What is quoted
// or in parentheses also ends where it is cut.
func shortened(text string, limit int) string {
	text = flat(text)
	if length(text) <= limit {
		return text
	}
	if limit < minDescription {
		return ""
	}
	text = cut(text, limit-maxEnds)
	if strings.Count(text, `"`)%2 != 0 {
		text += `"`
	}
	return text + strings.Repeat(")", min(1, max(0, strings.Count(text, "(")-strings.Count(text, ")"))))
}

// flat returns a text on one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// length counts characters as hosts that are written in JavaScript do: in UTF-16. No other way of counting
// characters gives more.
func length(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Unfit says how much of the toolboxes' listing the model of a host does not read.
type Unfit struct {
	// Host is the name of the host.
	Host string
	// Text says it with numbers.
	Text string
	// NamesFit reports whether the model reads the name of every toolbox, so that only ends of descriptions
	// are missing.
	NamesFit bool
}

// WhatDoesNotFit returns, for each host that passes on less than the toolboxes' listing, what its model does not
// read. It is empty if every host passes on all of it.
func WhatDoesNotFit(toolboxes []domain.Toolbox) []Unfit {
	var unfit []Unfit
	for _, host := range slices.SortedFunc(maps.Values(knownHosts), func(a, b Host) int { return cmp.Compare(a.Name, b.Name) }) {
		switch {
		case len(toolboxes) == 0:
		case host.maxFirstLine > 0:
			unfit = appendUnfit(unfit, host, host.maxFirstLine, oneLine(toolboxes, host.maxFirstLine), len(toolboxes))
		case host.maxText > 0 && length(listing(toolboxes)) > usable(host.maxText):
			unfit = appendUnfit(unfit, host, host.maxText, shortListing(toolboxes, usable(host.maxText)), len(toolboxes))
		}
	}
	return unfit
}

func appendUnfit(unfit []Unfit, host Host, limit int, f fit, toolboxes int) []Unfit {
	var text string
	switch {
	case f.shown < 0:
		return unfit
	case f.missing > 0:
		text = fmt.Sprintf("the names of %d of %d toolboxes do not fit", f.missing, toolboxes)
	case f.shown < minDescription:
		text = fmt.Sprintf("the names of the %d toolboxes fit, their descriptions do not", toolboxes)
	default:
		text = fmt.Sprintf("of all names and descriptions together, and so %d of each description", f.shown)
	}
	return append(unfit, Unfit{Host: host.Name, Text: fmt.Sprintf("%s passes on %d characters: %s", host.Name, limit, text), NamesFit: f.missing == 0})
}
