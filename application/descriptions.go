package application

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

const (
	// maxDescription is the maximum length of a generated description of a toolbox, and maxSentence that of the text of
	// one server in it, in characters.
	maxDescription = 200
	maxSentence    = 120
	// maxToolNames is the maximum number of tools that it names of a server.
	maxToolNames = 5
)

// ofItself takes the place of a host's capabilities for what a server said of itself, which is kept as
// the instructions of a list without tools.
var ofItself = json.RawMessage(`"description"`)

// KeepDescriptions returns a note that keeps what the servers of an opened toolbox said of themselves, if the user
// wrote no description for the toolbox. It must come before notes that leave tools out.
func KeepDescriptions(listings ports.Listings) OpeningNote {
	return func(opened *domain.OpenedToolbox) {
		if opened.Toolbox.Description != "" {
			return
		}
		for _, listed := range opened.Servers {
			server := opened.Toolbox.Find(listed.ID.Server)
			if server == nil || listed.Failure != nil || listed.Starting {
				continue
			}
			text := serverDescription(listed.ID.Server, cmp.Or(firstSentence(listed.Instructions), listed.Title), listed.Tools)
			listings.Keep(*server, ofItself, ports.KeptList{Instructions: text})
		}
	}
}

// Descriptions describe toolboxes by what their servers said of themselves. Safe for concurrent use.
//
// Decision: a model reads this text before it opens anything, and a server decides it, so it is one visible line of at
// most 200 characters without markup, with the name of the server before it. That is much less than what a host reads
// of a server that it starts itself. With a lock in force it has only names of locked tools.
type Descriptions struct {
	pins     *pinning.Pinning
	listings ports.Listings
}

// NewDescriptions returns the descriptions by the lock and the texts that openings kept.
func NewDescriptions(pins *pinning.Pinning, listings ports.Listings) *Descriptions {
	return &Descriptions{pins: pins, listings: listings}
}

// Describe returns what the servers of the toolbox said of themselves when they were started last, "" if that is not
// known. It reads files.
func (d *Descriptions) Describe(toolbox domain.Toolbox) string {
	lock := d.pins.State()
	var texts []string
	for _, server := range toolbox.Servers {
		if tools, isLocked := lock.Locked(server); isLocked {
			texts = append(texts, serverDescription(server.ID.Server, "", server.Tools.Apply(domain.ToolList{Tools: tools}).Tools))
			continue
		}
		if lock.HasLock() || len(d.pins.Warnings(lock)) > 0 { // a lock that is missing or broken confirms nothing
			continue
		}
		if kept, known := d.listings.Find(server, ofItself); known {
			texts = append(texts, plainText(kept.Instructions))
		}
	}
	return cutText(strings.Join(texts, "; "), maxDescription)
}

// serverDescription returns the description of a server by a sentence about it, which may be "", and its tools.
func serverDescription(server domain.ServerName, sentence string, tools []domain.ToolInfo) string {
	text := string(server)
	if sentence = cutText(plainText(sentence), maxSentence); sentence != "" && !strings.EqualFold(sentence, text) {
		text += ": " + sentence
	}
	var names []string
	for _, tool := range tools[:min(len(tools), maxToolNames)] {
		names = append(names, cmp.Or(tool.Shown, tool.Name))
	}
	if left := len(tools) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	if len(names) > 0 {
		text += " (" + plainText(strings.Join(names, ", ")) + ")"
	}
	return text
}

// firstSentence returns the first sentence of a text that says something.
func firstSentence(text string) string {
	return definitions.Summary(domain.ToolInfo{Definition: rawjson.Object{}.Text("description", text).JSON()})
}

// plainText returns a text as one visible line without the characters of markup.
func plainText(text string) string {
	return domain.SeenName(strings.Map(func(r rune) rune {
		if strings.ContainsRune("`*#<>[]{}|\\", r) {
			return -1
		}
		return r
	}, text))
}

// cutText ends a text after a number of characters.
func cutText(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
}
