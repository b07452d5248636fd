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
	// maxDescription is the maximum length of a generated description of a toolbox, maxSentence that of the sentence of
	// one server in it, and maxName that of the name of a tool, in characters.
	maxDescription = 200
	maxSentence    = 120
	maxName        = 64
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
			said := saidOfItself{Sentence: cmp.Or(firstSentence(listed.Instructions), listed.Title)}.with(listed.Tools)
			text, _ := json.Marshal(said) // texts and a number always have a form in JSON
			listings.Keep(*server, ofItself, ports.KeptList{Instructions: string(text)})
		}
	}
}

// saidOfItself is what a server said of itself, in its own words.
type saidOfItself struct {
	Sentence string   `json:"sentence"`
	Tools    []string `json:"tools"`
	More     int      `json:"more"`
}

// with returns the same with the names of the first tools.
func (s saidOfItself) with(tools []domain.ToolInfo) saidOfItself {
	for _, tool := range tools[:min(len(tools), maxToolNames)] {
		s.Tools = append(s.Tools, cmp.Or(tool.Shown, tool.Name))
	}
	s.More = len(tools) - len(s.Tools)
	return s
}

// Descriptions describe toolboxes by what their servers said of themselves. Safe for concurrent use.
//
// Decision: a model reads this text before it opens anything, and a server decides it. So it is one visible line of at
// most 200 characters, in which the words of a server are between quotation marks, after the server's name, and have no
// character that ends them or that the listing itself is made of. No name of another toolbox begins or ends them, and
// no tool has it. That is much less than what a host reads of a server that it starts itself. With a lock in force there are only names of locked tools.
type Descriptions struct {
	pins     *pinning.Pinning
	listings ports.Listings
}

// NewDescriptions returns the descriptions by the lock and the texts that openings kept.
func NewDescriptions(pins *pinning.Pinning, listings ports.Listings) *Descriptions {
	return &Descriptions{pins: pins, listings: listings}
}

// Describe returns what the servers of the toolbox said of themselves when they were started last, "" if that is not
// known. Toolboxes are all that the host sees. It reads files.
func (d *Descriptions) Describe(toolbox domain.Toolbox, toolboxes []domain.Toolbox) string {
	lock := d.pins.State()
	var names []string
	for _, other := range toolboxes {
		if other.Name != toolbox.Name {
			names = append(names, string(other.Name))
		}
	}
	text := ""
	for _, server := range toolbox.Servers {
		said, known := d.said(server, lock)
		if !known {
			continue
		}
		before := text
		if text != "" {
			before += "; "
		}
		room := maxDescription - utf8.RuneCountInString(before)
		next := said.inWords(string(server.ID.Server), names, room)
		if next == "" {
			return text
		}
		text = before + next
	}
	return text
}

// said returns what a server said of itself, and whether that is known.
func (d *Descriptions) said(server domain.Server, lock pinning.LockState) (said saidOfItself, known bool) {
	if tools, isLocked := lock.Locked(server); isLocked {
		return saidOfItself{}.with(server.Tools.Apply(domain.ToolList{Tools: tools}).Tools), true
	}
	if lock.HasLock() || len(d.pins.Warnings(lock)) > 0 { // a lock that is missing or broken confirms nothing
		return said, false
	}
	kept, known := d.listings.Find(server, ofItself)
	return said, known && json.Unmarshal([]byte(kept.Instructions), &said) == nil
}

// inWords returns the name of a server, its sentence and its tools in at most that many characters, "" if not even the
// name fits.
func (s saidOfItself) inWords(server string, names []string, room int) string {
	sentence := domain.Quotable(s.Sentence, maxSentence, names)
	if strings.EqualFold(sentence, server) {
		sentence = ""
	}
	tools, more := []string{}, s.More
	for _, tool := range s.Tools {
		if tool = domain.Quotable(tool, maxName, names); tool == "" {
			more++
		} else {
			tools = append(tools, tool)
		}
	}
	if more > 0 {
		tools = append(tools, fmt.Sprintf("%d more", more))
	}
	list := ""
	if len(tools) > 0 {
		list = " (" + strings.Join(tools, ", ") + ")"
	}
	const quotes = len(`: ""`)
	for _, end := range []string{list, ""} {
		left := room - utf8.RuneCountInString(server+end) - quotes
		switch shorter := domain.Quotable(sentence, left, names); {
		case sentence == "" && left+quotes >= 0:
			return server + end
		case sentence != "" && shorter != "" && (end == "" || shorter == sentence):
			return server + `: "` + shorter + `"` + end
		}
	}
	if utf8.RuneCountInString(server) <= room {
		return server
	}
	return ""
}

// firstSentence returns the first sentence of a text that says something.
func firstSentence(text string) string {
	return definitions.Summary(domain.ToolInfo{Definition: rawjson.Object{}.Text("description", text).JSON()})
}
