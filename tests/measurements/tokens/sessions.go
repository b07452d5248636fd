package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// sessions are conversations over the five toolboxes by theme, with the number of tools that are needed from
// each toolbox. The questions are the first ones of each toolbox in tests/measurements/find/queries.tsv.
var sessions = []struct {
	name  string
	needs []map[domain.ToolboxName]int // several are averaged
}{
	{"one toolbox, 2 tools", []map[domain.ToolboxName]int{{"code": 2}, {"cloud": 2}, {"data": 2}, {"web": 2}, {"local": 2}}},
	{"three toolboxes, 5 tools", []map[domain.ToolboxName]int{{"code": 2, "data": 2, "web": 1}}},
	{"five toolboxes, 14 tools", []map[domain.ToolboxName]int{{"code": 3, "cloud": 3, "data": 3, "web": 3, "local": 2}}},
}

// spoken are the texts about definitions that a model reads in a session, beside the tools that every session has.
type spoken struct {
	Session string `json:"session"`
	Way     string `json:"way"`
	// Texts are the texts of all conversations of the session, and Conversations is their number.
	Texts         []string `json:"texts"`
	Conversations int      `json:"conversations"`
}

// need is a question and the tools that answer it.
type need struct {
	toolbox domain.ToolboxName
	query   string
	wanted  []string // "server/tool"
}

// isWanted reports whether a tool that was found answers the question.
func (n need) isWanted(f domain.Finding) bool {
	return slices.Contains(n.wanted, string(f.Server.Server)+"/"+f.Tool.Name)
}

// writeSessions writes the cost of each way to learn definitions in each session.
func writeSessions(encoder *json.Encoder) error {
	listed := map[domain.ToolboxName][]definitions.ServerTools{}
	for _, toolbox := range toolboxes[:5] {
		servers, _, err := read(toolbox.servers)
		if err != nil {
			return err
		}
		listed[toolbox.name] = servers
	}
	needs, err := readNeeds(listed)
	if err != nil {
		return err
	}
	finder := newFinder(listed)
	for _, session := range sessions {
		for _, way := range []string{"full", "auto", "find_tool"} {
			line := spoken{Session: session.name, Way: way, Conversations: len(session.needs)}
			for _, counts := range session.needs {
				texts, err := converse(way, counts, needs, listed, finder)
				if err != nil {
					return err
				}
				line.Texts = append(line.Texts, texts...)
			}
			if err := encoder.Encode(line); err != nil {
				return fmt.Errorf("writing the session of %s: %w", session.name, err)
			}
		}
		for way := range wholeWays {
			line := spoken{Session: session.name, Way: way, Conversations: len(session.needs)}
			for _, counts := range session.needs {
				texts, err := converseWhole(way, counts, needs, listed, finder)
				if err != nil {
					return err
				}
				line.Texts = append(line.Texts, texts...)
			}
			if err := encoder.Encode(line); err != nil {
				return fmt.Errorf("writing the session of %s: %w", session.name, err)
			}
		}
	}
	return nil
}

// converse returns the texts of one conversation.
func converse(
	way string, counts map[domain.ToolboxName]int, needs map[domain.ToolboxName][]need, listed map[domain.ToolboxName][]definitions.ServerTools,
	finder *application.ToolFinder,
) (texts []string, err error) {
	if way == "find_tool" {
		texts = append(texts, string(wording.FindToolDefinition(false)))
	}
	for _, toolbox := range toolboxes[:5] {
		asked := needs[toolbox.name][:counts[toolbox.name]]
		if len(asked) == 0 {
			continue
		}
		if way == "find_tool" {
			for _, need := range asked {
				found, err := find(finder, need, listed)
				if err != nil {
					return nil, err
				}
				texts = append(texts, found...)
			}
			continue
		}
		form := definitions.Full
		if way == "auto" {
			form = definitions.Auto
		}
		opened, err := open(form, toolbox.name, asked, listed)
		if err != nil {
			return nil, err
		}
		texts = append(texts, opened...)
	}
	return texts, nil
}

// open returns the answer of open_toolbox, and the whole definitions of needed tools that it shows in short.
func open(form definitions.Form, toolbox domain.ToolboxName, asked []need, all map[domain.ToolboxName][]definitions.ServerTools) ([]string, error) {
	shown := definitions.Show(form, toolbox, all[toolbox], definitions.DefaultBudget)
	answer, err := write(shown, toolbox, all[toolbox])
	if err != nil {
		return nil, err
	}
	texts := []string{answer}
	for _, need := range asked {
		tool := lookup(all[toolbox], need.wanted[0])
		if shown.Form == definitions.Names || shown.Form.Short() && isCut(definitions.Signature(tool, false)) {
			texts = append(texts, string(tool.Definition))
		}
	}
	return texts, nil
}

// find returns the answer of find_tool. If its first tool is a wrong one, or a definition is cut, the model
// also reads the whole definition. If the answer has none of the wanted tools, the model opens the
// toolbox.
func find(finder *application.ToolFinder, need need, all map[domain.ToolboxName][]definitions.ServerTools) ([]string, error) {
	found := finder.FindTools(need.query)
	texts := []string{wording.Findings(found, true)}
	at := slices.IndexFunc(found.Found, need.isWanted)
	if len(found.Found) > 0 && at != 0 {
		texts = append(texts, string(found.Found[0].Tool.Definition))
	}
	if at < 0 {
		opened, err := open(definitions.Auto, need.toolbox, nil, all)
		return append(texts, opened...), err
	}
	if right := found.Found[at]; isCut(wording.FindingLine(right)) {
		texts = append(texts, string(lookup(all[right.Server.Toolbox], string(right.Server.Server)+"/"+right.Tool.Name).Definition))
	}
	return texts, nil
}

// isCut reports whether a signature does not have the whole schema.
func isCut(signature string) bool {
	name, _, _ := strings.Cut(signature, "(")
	return strings.HasSuffix(name, "~")
}

func lookup(servers []definitions.ServerTools, name string) domain.ToolInfo {
	for _, server := range servers {
		for _, tool := range server.Tools {
			if string(server.Server)+"/"+tool.Name == name {
				return tool
			}
		}
	}
	return domain.ToolInfo{}
}

// readNeeds returns the questions of each toolbox, in their order.
func readNeeds(listed map[domain.ToolboxName][]definitions.ServerTools) (map[domain.ToolboxName][]need, error) {
	text, err := os.ReadFile(filepath.Join("tests", "measurements", "find", "queries.tsv"))
	if err != nil {
		return nil, fmt.Errorf("reading the questions: %w", err)
	}
	needs := map[domain.ToolboxName][]need{}
	for line := range strings.Lines(string(text)) {
		query, wanted, _ := strings.Cut(strings.TrimSpace(line), "\t")
		for name, servers := range listed {
			if tools := strings.Fields(wanted); lookup(servers, tools[0]).Name != "" {
				needs[name] = append(needs[name], need{name, query, tools})
			}
		}
	}
	return needs, nil
}

// running has the tools of every server, as if all were running.
type running map[domain.ServerID][]domain.ToolInfo

func (r running) Listed(server domain.ServerID) ([]domain.ToolInfo, bool) {
	tools, known := r[server]
	return tools, known
}

func newFinder(listed map[domain.ToolboxName][]definitions.ServerTools) *application.ToolFinder {
	up := running{}
	var configured []domain.Toolbox
	for _, toolbox := range toolboxes[:5] {
		entry := domain.Toolbox{Name: toolbox.name}
		for _, server := range listed[toolbox.name] {
			id := domain.ServerID{Toolbox: toolbox.name, Server: server.Server}
			entry.Servers = append(entry.Servers, domain.Server{ID: id})
			up[id] = server.Tools
		}
		configured = append(configured, entry)
	}
	return application.NewToolFinder(application.NewToolIndexes(), config.NewCatalog(configured), up, nil, pinning.New(domain.PinOff, noPins{}, nil), nil)
}

// noPins are the pins without a lock.
type noPins struct{ ports.Pins }
