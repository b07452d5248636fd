package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// toolboxes are the measured toolboxes: the published servers by purpose, and a
// developer's servers in four small toolboxes.
var toolboxes = []struct {
	name    domain.ToolboxName
	servers []string
}{
	{"code", []string{"github", "gitlab", "context7", "figma", "chrome-devtools"}},
	{"cloud", []string{"azure", "cloudflare"}},
	{"data", []string{"supabase", "mongodb", "postgres"}},
	{"web", []string{"firecrawl", "tavily", "brave-search", "google-maps"}},
	{"local", []string{"filesystem", "memory", "sequential-thinking", "desktop-commander", "everything"}},
	{"developer: code", []string{"github", "context7"}},
	{"developer: browser", []string{"chrome-devtools"}},
	{"developer: data", []string{"supabase", "postgres"}},
	{"developer: files", []string{"filesystem"}},
}

// measured is one toolbox in one form.
type measured struct {
	Toolbox domain.ToolboxName `json:"toolbox"`
	Count   int                `json:"count"`
	Form    definitions.Form   `json:"form"`
	// Shown is the form that was chosen.
	Shown    definitions.Form `json:"shown"`
	Estimate int              `json:"estimate"`
	// Text is the member "tools" of the answer.
	Text string `json:"text"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tokens:", err)
		os.Exit(1)
	}
}

func run() error {
	encoder := json.NewEncoder(os.Stdout)
	for _, toolbox := range toolboxes {
		servers, count, err := read(toolbox.servers)
		if err != nil {
			return err
		}
		for _, form := range definitions.Forms() {
			shown := definitions.Show(form, toolbox.name, servers, definitions.DefaultBudget)
			text, err := write(shown, toolbox.name, servers)
			if err != nil {
				return err
			}
			line := measured{
				Toolbox: toolbox.name, Count: count, Form: form, Shown: shown.Form,
				Estimate: definitions.EstimateTokens(len(text)), Text: text,
			}
			if err := encoder.Encode(line); err != nil {
				return fmt.Errorf("writing toolbox %s in form %s: %w", toolbox.name, form, err)
			}
		}
	}
	return writeSessions(encoder)
}

// read reads the catalogs of servers, and counts their tools.
func read(names []string) (servers []definitions.ServerTools, count int, err error) {
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("tests", "catalogs", name+".json"))
		if err != nil {
			return nil, 0, fmt.Errorf("reading the catalog of %s: %w", name, err)
		}
		var catalog struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(text, &catalog); err != nil {
			return nil, 0, fmt.Errorf("reading the catalog of %s: %w", name, err)
		}
		server := definitions.ServerTools{Server: domain.ServerName(name)}
		for _, definition := range catalog.Tools {
			var tool struct{ Name string }
			if err := json.Unmarshal(definition, &tool); err != nil {
				return nil, 0, fmt.Errorf("reading a tool of %s: %w", name, err)
			}
			server.Tools = append(server.Tools, domain.ToolInfo{Name: tool.Name, Shown: tool.Name, Definition: definition})
		}
		servers = append(servers, server)
		count += len(server.Tools)
	}
	return servers, count, nil
}

// write writes the member "tools" of the answer of open_toolbox.
func write(shown definitions.Shown, toolbox domain.ToolboxName, servers []definitions.ServerTools) (string, error) {
	if shown.Form.Short() {
		return writeTexts(shown)
	}
	var list []string
	for _, server := range servers {
		for _, tool := range server.Tools {
			definition := []byte(tool.Definition)
			if shown.Form == definitions.Lean {
				var lean struct {
					Name        json.RawMessage `json:"name"`
					Description json.RawMessage `json:"description,omitempty"`
					InputSchema json.RawMessage `json:"inputSchema"`
				}
				if err := json.Unmarshal(definition, &lean); err != nil {
					return "", fmt.Errorf("reading tool %s of %s: %w", tool.Name, server.Server, err)
				}
				text, err := encode(lean)
				if err != nil {
					return "", err
				}
				definition = []byte(text)
			}
			list = append(list, fmt.Sprintf(`%s,"server":%q,"toolbox":%q}`, definition[:len(definition)-1], server.Server, toolbox))
		}
	}
	return join("[", list, "]"), nil
}

// writeTexts writes the tools by server, each as one text.
func writeTexts(shown definitions.Shown) (string, error) {
	var servers []string
	for _, server := range shown.Servers {
		var texts []string
		for _, tool := range server.Tools {
			text, err := encode(tool)
			if err != nil {
				return "", err
			}
			texts = append(texts, text)
		}
		servers = append(servers, fmt.Sprintf("%q:%s", server.Server, join("[", texts, "]")))
	}
	return join("{", servers, "}"), nil
}

func join(begin string, list []string, end string) string {
	text := begin
	for i, element := range list {
		if i > 0 {
			text += ",\n"
		}
		text += element
	}
	return text + end
}

// encode returns JSON like the workbench, without escapes for HTML.
func encode(v any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", fmt.Errorf("writing a tool: %w", err)
	}
	return string(bytes.TrimRight(text.Bytes(), "\n")), nil
}
