package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/application"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// wholeWays are ways to learn definitions, and what they are called in "full", "auto" and "find_tool", which have only the
// texts after the first ones. The first ones are what a model reads in each session: the tools in the host's list and the
// instructions, or the list of skills.
var wholeWays = map[string]string{"direct": "", "two tools": "auto", "with find_tool": "find_tool", "skills": ""}

// configuration returns the five toolboxes as init configures them.
func configuration(listed map[domain.ToolboxName][]definitions.ServerTools) []domain.Toolbox {
	var configured []domain.Toolbox
	for _, toolbox := range toolboxes[:5] {
		entry := domain.Toolbox{Name: toolbox.name, Description: setup.Description(string(toolbox.name), toolbox.servers)}
		for _, server := range listed[toolbox.name] {
			entry.Servers = append(entry.Servers, domain.Server{ID: domain.ServerID{Toolbox: toolbox.name, Server: server.Server}})
		}
		configured = append(configured, entry)
	}
	return configured
}

// converseWhole returns all texts of one conversation in a way of wholeWays.
func converseWhole(
	way string, counts map[domain.ToolboxName]int, needs map[domain.ToolboxName][]need, listed map[domain.ToolboxName][]definitions.ServerTools,
	finder *application.ToolFinder,
) (texts []string, err error) {
	configured := configuration(listed)
	switch way {
	case "direct":
		var all []string
		for _, toolbox := range configured {
			for _, server := range listed[toolbox.Name] {
				for _, tool := range server.Tools {
					all = append(all, string(tool.Definition))
				}
			}
		}
		return []string{join("[", all, "]")}, nil
	case "skills":
		return converseInShell(configured, counts, needs, listed, finder)
	}
	settings := definitions.Settings{Default: definitions.Auto, Budget: definitions.DefaultBudget}
	texts = []string{
		wording.Instructions(wording.Host{}, domain.Instructions{Toolboxes: configured}),
		string(wording.OwnTools(configured, settings, wording.Registration{})),
	}
	rest, err := converse(wholeWays[way], counts, needs, listed, finder)
	return append(texts, rest...), err
}

// converseInShell returns the texts of a conversation with skills: the names and descriptions of all, the skill of each toolbox
// that is used, and for each question what list --find prints and what list prints about the tool. If the first tool that
// was found is a wrong one, the model reads that too, and if none is right, the list of the toolbox.
func converseInShell(
	configured []domain.Toolbox, counts map[domain.ToolboxName]int, needs map[domain.ToolboxName][]need,
	listed map[domain.ToolboxName][]definitions.ServerTools, finder *application.ToolFinder,
) (texts []string, err error) {
	wanted, _, _ := skills.Of(configured, skills.Use{Command: skills.Program})
	for i, skill := range wanted {
		text := string(skill.Files[0].Text)
		_, quoted, _ := strings.Cut(text, "description: ")
		quoted, _, _ = strings.Cut(quoted, "\n")
		var description string
		if err := json.Unmarshal([]byte(quoted), &description); err != nil {
			return nil, fmt.Errorf("reading the skill %s: %w", skill.Name, err)
		}
		texts = append(texts, "- "+skill.Name+": "+description)
		if counts[configured[i].Name] > 0 {
			texts = append(texts, text)
		}
	}
	add := func(show func(out, screen *terminal.Output, paint terminal.Paint) error) {
		if err == nil {
			var printed string
			printed, err = printedBy(show)
			texts = append(texts, printed)
		}
	}
	list := func(opened domain.OpenedToolbox, place shell.Place) {
		add(func(out, screen *terminal.Output, paint terminal.Paint) error {
			return shell.ShowListed(opened, nil, place, false, out, screen, false, paint)
		})
	}
	listTool := func(id domain.ServerID, tool domain.ToolInfo) {
		opened := domain.OpenedToolbox{Servers: []domain.OpenedServer{{ID: id, Tools: []domain.ToolInfo{tool}}}}
		list(opened, shell.Place{Server: id.Server, Tool: tool.Shown})
	}
	for _, toolbox := range configured {
		for _, need := range needs[toolbox.Name][:counts[toolbox.Name]] {
			found := finder.FindTools(need.query)
			add(func(out, screen *terminal.Output, paint terminal.Paint) error {
				return shell.Found(found).Show(out, screen, false, paint)
			})
			at := slices.IndexFunc(found.Found, need.isWanted)
			if len(found.Found) > 0 && at != 0 && !found.Found[0].IsToolbox() {
				listTool(found.Found[0].Server, found.Found[0].Tool)
			}
			if at < 0 {
				opened := domain.OpenedToolbox{Toolbox: toolbox}
				for _, server := range listed[toolbox.Name] {
					opened.Servers = append(opened.Servers, domain.OpenedServer{ID: domain.ServerID{Toolbox: toolbox.Name, Server: server.Server}, Tools: server.Tools})
				}
				list(opened, shell.Place{Toolbox: toolbox})
			}
			server, _, _ := strings.Cut(need.wanted[0], "/")
			listTool(domain.ServerID{Toolbox: toolbox.Name, Server: domain.ServerName(server)}, lookup(listed[toolbox.Name], need.wanted[0]))
		}
	}
	return texts, err
}

// printedBy returns what a function prints where there is no terminal.
func printedBy(show func(out, screen *terminal.Output, paint terminal.Paint) error) (string, error) {
	file, err := os.CreateTemp("", "printed")
	if err != nil {
		return "", fmt.Errorf("making a file for what is printed: %w", err)
	}
	defer func() { _ = os.Remove(file.Name()) }()
	defer func() { _ = file.Close() }() // it was only read
	console := terminal.NewConsole(os.Stdin, file, file)
	if err := show(console.Out, console.Err, terminal.NewPaint(console.Out, "never")); err != nil {
		return "", fmt.Errorf("printing: %w", err)
	}
	text, err := os.ReadFile(file.Name())
	return string(text), err
}
