package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// makeManifests creates the install scripts, the files for package managers and registries, and links. All
// of them name archives with their sums, so they come last. A trial release for only some platforms has no
// manifests.
func (r *release) makeManifests(context.Context) error {
	if len(r.programs) < len(platforms) {
		return nil
	}
	err := r.addRendered([]rendered{
		{"install.sh", "install.sh"},
		{"install.ps1", "install.ps1"},
		{"homebrew/" + program + ".rb", "formula.rb"},
		{"scoop/" + program + ".json", "scoop.json"},
		{"winget/" + r.WingetID() + ".yaml", "winget-version.yaml"},
		{"winget/" + r.WingetID() + ".installer.yaml", "winget-installer.yaml"},
		{"winget/" + r.WingetID() + ".locale.en-US.yaml", "winget-locale.yaml"},
		{"server.json", "server.json"},
	})
	if err != nil {
		return err
	}
	links, err := r.links()
	if err != nil {
		return err
	}
	r.add("links.md", links)
	return nil
}

// WingetID returns the name of the program in winget.
func (r *release) WingetID() string { return r.Owner.Publisher() + ".MCPWorkbench" }

// ClassName returns the class of the formula for Homebrew.
func (r *release) ClassName() string { return "McpWorkbench" }

// Day returns the day of the release.
func (r *release) Day() string { return r.Version.Time.Format("2006-01-02") }

// links returns a page with the links that add the workbench to Cursor and VS Code with a click. The
// hosts start the program by its name, so it must be in the PATH.
func (r *release) links() ([]byte, error) {
	start := map[string]any{"command": program, "args": []string{"serve"}}
	cursor, err := json.Marshal(start)
	if err != nil {
		return nil, fmt.Errorf("write a link: %w", err)
	}
	start["name"] = "workbench"
	code, err := json.Marshal(start)
	if err != nil {
		return nil, fmt.Errorf("write a link: %w", err)
	}
	escaped := url.PathEscape(string(code))
	var text strings.Builder
	text.WriteString("# Links that add MCP Workbench to a host\n\nThe program must be in the `PATH`; `mcp-workbench connect` needs no link.\n\n")
	fmt.Fprintf(&text, "- [Add to Cursor](cursor://anysphere.cursor-deeplink/mcp/install?name=workbench&config=%s)\n", url.QueryEscape(base64.StdEncoding.EncodeToString(cursor)))
	fmt.Fprintf(&text, "- [Add to VS Code](vscode:mcp/install?%s), where pages may only have https links:\n", escaped)
	fmt.Fprintf(&text, "  [Add to VS Code](https://vscode.dev/redirect/mcp/install?name=workbench&config=%s)\n", url.QueryEscape(string(cursor)))
	fmt.Fprintf(&text, "- In a shell: `code --add-mcp '%s'`\n", code)
	return []byte(text.String()), nil
}
