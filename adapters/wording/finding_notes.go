package wording

import (
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

// Bounds of what an answer of find_tool says beside the lines of tools. All notes together are at most maxFindingNotes
// bytes long with their line ends, since every search pays for them.
const (
	maxFindingNotes = 150 // bytes
	maxAbsentNote   = 60  // bytes
	maxMoreNote     = 55  // bytes
	maxAbsentWord   = 24  // bytes
	maxNear         = 2   // words
)

// findingNotes returns what a search did not find and where further tools are, a line each.
func findingNotes(found domain.Findings) (notes []string) {
	room := maxFindingNotes
	add := func(note string) {
		if note != "" && len(note) < room {
			notes = append(notes, note)
			room -= len("\n") + len(note)
		}
	}
	add(AbsentWords(found.Absent, maxAbsentNote))
	moreRoom := maxMoreNote
	if found.Cut {
		add("Only 64 words were searched.")
		moreRoom = 0
	}
	add(moreTools(found.More, moreRoom))
	add(notSearched(found.NotSearched, room-len("\n")))
	return notes
}

// AbsentWords says which words no tool has, as many of them as fit into a number of bytes, and at least one. It returns ""
// for none.
func AbsentWords(absent []domain.AbsentWord, most int) string {
	if len(absent) == 0 {
		return ""
	}
	return fitting(len(absent), most, func(count int) string {
		words := make([]string, max(1, count))
		for i, word := range absent[:len(words)] {
			words[i] = `"` + cut(word.Word, maxAbsentWord*length(word.Word)/len(word.Word)) + `"`
			if near := word.Near[:min(len(word.Near), maxNear)]; count > 0 && len(near) > 0 {
				words[i] += ` (near: "` + strings.Join(near, `", "`) + `")`
			}
		}
		list := strings.Join(words, ", ") + andMore(len(absent)-len(words))
		if len(absent) == 1 {
			return "No tool has the word " + list + "."
		}
		return "No tool has the words " + list + "."
	})
}

// moreTools says on which server more tools match, if that fits into a number of bytes, otherwise only how many.
func moreTools(more domain.MoreTools, most int) string {
	note := fmt.Sprintf("%d more of %s match: %s %s", more.Count, configured(more.Server.Server), domain.ToolOpenToolbox, configured(more.Server.Toolbox))
	switch {
	case more.Count == 0:
		return ""
	case len(note) > most:
		return fmt.Sprintf("%d more match: %s", more.Count, domain.ToolOpenToolbox)
	}
	return note
}

// notSearched says which servers were not searched and what helps, for as many of them as fit into a number of bytes.
func notSearched(servers []domain.UnsearchedServer, most int) string {
	if len(servers) == 0 {
		return ""
	}
	return fitting(len(servers), most, func(count int) string {
		if count == 0 {
			return fmt.Sprintf("Not searched: %d servers.", len(servers))
		}
		var groups []string
		for _, group := range []struct {
			why  domain.UnsearchedReason
			help string
		}{
			{domain.UnsearchedUnlisted, domain.ToolOpenToolbox},
			{domain.UnsearchedFailed, "failed: " + domain.ToolOpenToolbox},
			{domain.UnsearchedDisabled, "disabled: mcp-workbench enable"},
		} {
			var names []string
			for _, server := range servers[:count] {
				if server.Why == group.why {
					names = append(names, configured(server.Server.Toolbox)+"/"+configured(server.Server.Server))
				}
			}
			if names != nil {
				groups = append(groups, strings.Join(names, ", ")+" ("+group.help+")")
			}
		}
		return "Not searched: " + strings.Join(groups, ", ") + andMore(len(servers)-count) + "."
	})
}

// fitting returns the text with the largest count of items that fits into a number of bytes, or the one without any.
func fitting(items, most int, text func(count int) string) string {
	for count := min(items, most); count > 0; count-- { // an item has a byte at least
		if text := text(count); len(text) <= most {
			return text
		}
	}
	return text(0)
}

func andMore(count int) string {
	if count <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", count)
}
