package pictures_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/pictures"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

func TestPictures(t *testing.T) { spec.Run(t, "Pictures", "large") }

var _ = SynchronizedBeforeSuite(Build, UsePrograms)

// servers are well-known servers, with the names of their tools.
var servers = []struct {
	toolbox, name string
	tools         []string
}{
	{"files", "filesystem", []string{
		"read_file", "read_text_file", "read_media_file", "read_multiple_files", "write_file", "edit_file", "create_directory", "list_directory",
		"list_directory_with_sizes", "directory_tree", "move_file", "search_files", "get_file_info", "list_allowed_directories",
	}},
	{"code", "git", []string{
		"git_status", "git_diff_unstaged", "git_diff_staged", "git_diff", "git_commit", "git_add", "git_reset", "git_log", "git_create_branch", "git_checkout",
		"git_show", "git_branch",
	}},
	{"memory", "memory", []string{
		"create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations", "delete_relations", "read_graph", "search_nodes",
		"open_nodes",
	}},
	{"web", "fetch", []string{"fetch"}},
}

var _ = Describe("The pictures in README.md", func() {
	// is compares a picture with its file in each palette, or writes it.
	is := func(name string, panels ...pictures.Panel) {
		GinkgoHelper()
		for _, palette := range pictures.Palettes {
			path, text := fmt.Sprintf("../../.github/%s-%s.svg", name, palette.Name), pictures.SVG(palette, panels...)
			if os.Getenv("WORKBENCH_WRITE_PICTURES") != "" {
				WriteFile(path, text)
				continue
			}
			kept, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(kept)).To(Equal(text), "'make pictures' writes "+path)
		}
	}

	It("show how init asks for servers", func() {
		NeedsTerminal()
		home := NewHomeFolder()
		home.File(".claude.json", `{"mcpServers": {
			"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/project"]},
			"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}, "fetch": {"command": "uvx", "args": ["mcp-server-fetch"]}}}`)
		home.File(".codex/config.toml", "[mcp_servers.git]\ncommand = \"uvx\"\nargs = [\"mcp-server-git\"]\n[mcp_servers.github]\nurl = \"https://api.githubcopilot.com/mcp/\"\n")
		home.File(".cursor/mcp.json", `{"mcpServers": {"playwright": {"command": "npx", "args": ["@playwright/mcp@latest"]}}}`)
		terminal := OnTerminal(home.Launch("init"), 84, nil)
		const end = "6 of 6 chosen"
		terminal.AwaitShown(end)
		_, question, _ := strings.Cut(terminal.Shown(), "Which servers go into toolboxes?")
		question, _, _ = strings.Cut(question, end)
		shown := strings.NewReplacer("\r", "", "\x1b[K", "").Replace("Which servers go into toolboxes?" + question + end)
		terminal.Type("\x03")
		terminal.End()

		is("init", pictures.Panel{Title: "$ mcp-workbench init", Lines: strings.Split(shown, "\n")})
	})

	It("show what a session costs, by the topic", func() {
		topic, err := os.ReadFile("../../cmd/mcp-workbench/help/skills.md")
		Expect(err).NotTo(HaveOccurred())
		const session = "three toolboxes, 5 tools"
		var ways, figures []string
		for line := range strings.Lines(string(topic)) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
			switch cells[0] {
			case "Session":
				ways = cells[1:]
			case session:
				figures = cells[1:]
			}
		}
		Expect(figures).To(HaveLen(4))
		var lines []string
		for i, figure := range figures {
			tokens, err := strconv.Atoi(strings.ReplaceAll(figure, ",", ""))
			Expect(err).NotTo(HaveOccurred())
			const perBlock = 2000
			way := strings.ReplaceAll(ways[i], "`", "")
			lines = append(lines, fmt.Sprintf("%-25s %6s  %s", way, figure, strings.Repeat("█", max(1, (tokens+perBlock/2)/perBlock))))
		}

		is("tokens", pictures.Panel{Title: "What a model reads for its tools, in tokens: 387 tools, of which it uses 5", Lines: lines})
	})

	It("show what a host has before and after", func() {
		var toolboxes []Toolbox
		var before []string
		tools := 0
		for _, server := range servers {
			toolboxes = append(toolboxes, NewToolbox(server.toolbox, Scripted(server.name, WithTools(server.tools...))))
			tools += len(server.tools)
			line := server.name + ":"
			for _, tool := range server.tools {
				if len(line)+len(tool) > 52 {
					before, line = append(before, line), "   "
				}
				line += " " + tool
			}
			before = append(before, line)
		}
		w := Serve(toolboxes...)
		var listed struct {
			Tools []struct{ Name string } `json:"tools"`
		}
		Expect(json.Unmarshal(w.Request("tools/list", `{}`).Result, &listed)).To(Succeed())
		after := []string{"workbench:"}
		for _, tool := range listed.Tools {
			after[0] += " " + tool.Name
		}
		after = append(after, "", "> open_toolbox files")
		for _, name := range w.Open("files").Names()[:4] {
			after = append(after, "  "+name)
		}
		after = append(after, fmt.Sprintf("  … %d tools of filesystem", len(servers[0].tools)), "", "> use_tool files/filesystem/read_file")

		is("host", pictures.Panel{Title: fmt.Sprintf("A host with four servers: %d tools", tools), Lines: before},
			pictures.Panel{Title: fmt.Sprintf("The same host with the workbench: %d tools", len(listed.Tools)), Lines: after})
	})
})
