package shell

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// Listing is the output of list. Its JSON is stable: members are added, never changed.
type Listing struct {
	Toolboxes []ListedToolbox `json:"toolboxes"`
	// asked is set when servers were started and their tools listed.
	asked bool
	// isShown is set when ShowServer has printed the tools.
	isShown bool
}

// ListedToolbox is a toolbox in a listing.
type ListedToolbox struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// File is the path of the included file that has the toolbox, "" for the configuration itself.
	File    string         `json:"file,omitempty"`
	Servers []ListedServer `json:"servers"`
	// Skills are the names of those of its plugin.
	Skills []string `json:"skills,omitempty"`
	// Disabled is set if the toolbox itself is disabled.
	Disabled bool `json:"disabled,omitempty"`
	// Warnings are about the servers and their tools.
	Warnings []string `json:"warnings,omitempty"`
}

// ListedServer is a server in a listing. Tools is nil when the server was not started, and Error says why
// it cannot be reached.
type ListedServer struct {
	Name      string `json:"name"`
	Transport string `json:"transport"`
	Disabled  bool   `json:"disabled,omitempty"`
	// From is NAME@VERSION in the registry, "" for a server that the user described.
	From string `json:"from,omitempty"`
	// Start is "use" for a server that is started at its first use, otherwise "".
	Start domain.StartMode `json:"start,omitempty"`
	// State is what is known of the server without starting it, such as "running", "never listed" or "failed: timeout".
	State string       `json:"state,omitempty"`
	Tools []ListedTool `json:"tools,omitzero"`
	// Tokens is the estimated number of tokens of the tools' full definitions.
	Tokens int    `json:"tokens,omitempty"`
	Error  string `json:"error,omitempty"`

	bytes int
}

// ListedTool is a tool in a listing: its name, the first sentence of its description, and the estimated
// number of tokens of its definition.
type ListedTool struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Tokens  int    `json:"tokens"`
	// Confirm is set when each call needs a yes, ReadOnly when the tool only reads and needs none.
	Confirm  bool `json:"confirm,omitempty"`
	ReadOnly bool `json:"readOnly,omitempty"`
}

// mark returns the key of the configuration that decides about calls of the tool, "" for none.
func (t ListedTool) mark() string {
	switch {
	case t.Confirm:
		return "confirm"
	case t.ReadOnly:
		return "readOnly"
	}
	return ""
}

// ListCatalog lists the configured toolboxes and servers with the state of each, then those that are disabled.
func ListCatalog(toolboxes, disabled []domain.Toolbox, state func(domain.Server) string) Listing {
	listing := Listing{Toolboxes: []ListedToolbox{}}
	for _, toolbox := range toolboxes {
		listed := ListedToolbox{Name: string(toolbox.Name), Description: toolbox.Description, File: toolbox.File, Servers: []ListedServer{}, Skills: skillsOf(toolbox)}
		for _, server := range toolbox.Servers {
			shown := ListedServer{Name: string(server.ID.Server), Transport: server.Transport, From: origin(server.From), State: state(server)}
			if server.Start == domain.StartOnUse {
				shown.Start = server.Start
			}
			listed.Servers = append(listed.Servers, shown)
		}
		listing.Toolboxes = append(listing.Toolboxes, listed)
	}
	for _, toolbox := range disabled {
		at := slices.IndexFunc(listing.Toolboxes, func(listed ListedToolbox) bool { return listed.Name == string(toolbox.Name) })
		if at < 0 {
			listing.Toolboxes = append(listing.Toolboxes, ListedToolbox{Name: string(toolbox.Name), Servers: []ListedServer{}, Disabled: len(toolbox.Servers) == 0})
			at = len(listing.Toolboxes) - 1
		}
		for _, server := range toolbox.Servers {
			listing.Toolboxes[at].Servers = append(listing.Toolboxes[at].Servers, ListedServer{Name: string(server.ID.Server), Disabled: true})
		}
	}
	return listing
}

// skillsOf returns the names of the skills of a toolbox that can be used.
func skillsOf(toolbox domain.Toolbox) []string {
	var names []string
	for _, skill := range toolbox.Skills {
		if skill.Problem == "" {
			names = append(names, skill.Name)
		}
	}
	return names
}

// origin returns NAME@VERSION of a server of the registry, "" for others.
func origin(from domain.Published) string {
	if from.Registry == "" {
		return ""
	}
	return from.Registry + "@" + from.Version
}

// kind returns the transport and whether the server starts at its first use, or that it is disabled.
func (s ListedServer) kind() string {
	switch {
	case s.Disabled:
		return "disabled"
	case s.Start == domain.StartOnUse:
		return s.Transport + ", starts at its first use"
	}
	return s.Transport
}

// ListTools lists the tools of a toolbox, with warnings about them.
func ListTools(opened domain.OpenedToolbox, warnings []string) Listing {
	toolbox := ListedToolbox{Name: string(opened.Toolbox.Name), Description: opened.Toolbox.Description, File: opened.Toolbox.File, Warnings: warnings}
	for _, server := range opened.Servers {
		configured, _ := opened.Toolbox.Server(server.ID.Server)
		listed := ListedServer{Name: string(server.ID.Server), Transport: configured.Transport}
		if server.Failure != nil {
			listed.Error = wording.UserReason(server.Failure)
		} else {
			listed.Tools = []ListedTool{}
		}
		for _, tool := range server.Tools {
			listed.bytes += definitions.ShownBytes(tool.Definition)
			listed.Tools = append(listed.Tools, ListedTool{
				Name: tool.Shown, Summary: definitions.Summary(tool), Tokens: definitions.Tokens(tool.Definition),
				Confirm: server.NeedYes[tool.Name], ReadOnly: server.OnlyRead[tool.Name],
			})
		}
		listed.Tokens = definitions.EstimateTokens(listed.bytes)
		toolbox.Servers = append(toolbox.Servers, listed)
	}
	return Listing{Toolboxes: []ListedToolbox{toolbox}, asked: true}
}

// Problems returns a line for each warning, and for each server that cannot be reached, and
// whether there is such a server.
func (l Listing) Problems() (lines []string, unreachable bool) {
	for _, toolbox := range l.Toolboxes {
		for _, warning := range toolbox.Warnings {
			lines = append(lines, "warning: "+domain.LineText(warning))
		}
		for _, server := range toolbox.Servers {
			if server.Error != "" {
				lines = append(lines, fmt.Sprintf("%s/%s cannot be reached: %s", toolbox.Name, server.Name, server.Error))
				unreachable = true
			}
		}
	}
	return lines, unreachable
}

// Show prints the listing, as a table or as one JSON object, and its problems on the screen.
//
// Failures: *CommandError if a server cannot be reached, which was printed; those of printing.
func (l Listing) Show(out, screen *terminal.Output, asJSON bool, paint terminal.Paint) (err error) {
	if asJSON {
		err = out.JSON(l)
	} else {
		err = l.print(out, out.Columns(), paint)
	}
	if err != nil {
		return err
	}
	problems, unreachable := l.Problems()
	for _, problem := range problems {
		screen.Print("mcp-workbench: " + problem)
	}
	if unreachable {
		return &CommandError{Kind: Unreachable}
	}
	return nil
}

// print prints the listing for a terminal of that many columns, or in plain lines if there are none.
func (l Listing) print(out io.Writer, columns int, paint terminal.Paint) error {
	if !l.asked {
		if len(l.Toolboxes) == 0 {
			return nil
		}
		return l.catalog(columns).Print(out, columns, paint)
	}
	for _, toolbox := range l.Toolboxes {
		if !l.isShown {
			if err := toolbox.printTools(out, columns, paint); err != nil {
				return err
			}
		}
		if err := toolbox.printSum(out, columns); err != nil {
			return err
		}
	}
	return nil
}

// ShowServer prints the tools of one server of a toolbox on a terminal. Safe for concurrent use.
func ShowServer(toolbox domain.Toolbox, server domain.OpenedServer, out *terminal.Output, paint terminal.Paint) error {
	listing := ListTools(domain.OpenedToolbox{Toolbox: toolbox, Servers: []domain.OpenedServer{server}}, nil)
	var text strings.Builder // the tools of two servers must not mix
	err := listing.Toolboxes[0].printTools(&text, out.Columns(), paint)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, text.String()); err != nil {
		return fmt.Errorf("print the tools of %s: %w", server.ID.Path(), err)
	}
	return nil
}

// catalog returns the servers. On a terminal the state comes before what a narrow one has no room for.
func (l Listing) catalog(columns int) terminal.Table {
	const stateColumn, originColumn = 2, 4
	table := terminal.Table{Headings: []string{"TOOLBOX", "SERVER", "STATE", "KIND", "DESCRIPTION"}}
	hasOrigins := columns > 0 && slices.ContainsFunc(l.Toolboxes, func(toolbox ListedToolbox) bool {
		return slices.ContainsFunc(toolbox.Servers, func(server ListedServer) bool { return server.From != "" })
	})
	if hasOrigins {
		table.Headings = slices.Insert(table.Headings, originColumn, "FROM")
	}
	add := func(server ListedServer, name, kind, description string) {
		row := []string{name, server.Name, kind, description}
		switch {
		case columns > 0 && server.State == "": // it is disabled, or a toolbox with only skills
			row = slices.Insert(row, stateColumn+1, "")
		case columns > 0:
			row = slices.Insert(row, stateColumn, server.State)
		}
		if hasOrigins || server.From != "" { // programs expect the other columns where they are without it
			row = slices.Insert(row, originColumn, server.From)
		}
		table.Rows = append(table.Rows, row)
	}
	for _, toolbox := range l.Toolboxes {
		name, description := toolbox.Name, toolbox.Description
		if toolbox.File != "" && columns > 0 {
			description = strings.TrimSpace(description + " (in " + toolbox.File + ")")
		}
		for _, server := range toolbox.Servers {
			add(server, name, server.kind(), description)
			if columns > 0 {
				name, description = "", "" // the user sees that they are the same
			}
		}
		if len(toolbox.Servers) == 0 {
			kind := "only skills"
			if toolbox.Disabled {
				kind = "disabled"
			}
			add(ListedServer{}, name, kind, description)
		}
	}
	return table
}

// printTools prints the tools, on a terminal with a blank line below them.
func (t ListedToolbox) printTools(out io.Writer, columns int, paint terminal.Paint) error {
	table := terminal.Table{Headings: []string{"SERVER", "TOOL", "TOKENS", "DESCRIPTION"}}
	isMarked := func(tool ListedTool) bool { return tool.mark() != "" }
	hasMarks := func(server ListedServer) bool { return slices.ContainsFunc(server.Tools, isMarked) }
	marksBeforeProse := columns > 0 && slices.ContainsFunc(t.Servers, hasMarks)
	if marksBeforeProse {
		table.Headings = []string{"SERVER", "TOOL", "TOKENS", "CALLS", "DESCRIPTION"}
	}
	for _, server := range t.Servers {
		for _, tool := range server.Tools {
			row := []string{server.Name, tool.Name, strconv.Itoa(tool.Tokens)}
			switch {
			case marksBeforeProse:
				row = append(row, tool.mark(), tool.Summary)
			case isMarked(tool): // programs expect the other columns where they are without marks
				row = append(row, tool.Summary, tool.mark())
			default:
				row = append(row, tool.Summary)
			}
			table.Rows = append(table.Rows, row)
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	if err := table.Print(out, columns, paint); err != nil || columns == 0 {
		return err
	}
	if _, err := io.WriteString(out, "\n"); err != nil {
		return fmt.Errorf("print the tools: %w", err)
	}
	return nil
}

// printSum prints the cost of all tools for a terminal. Programs do not need it.
func (t ListedToolbox) printSum(out io.Writer, columns int) error {
	isReached := func(server ListedServer) bool { return server.Error == "" }
	if columns == 0 || !slices.ContainsFunc(t.Servers, isReached) {
		return nil
	}
	tools, bytes := 0, 0
	for _, server := range t.Servers {
		tools += len(server.Tools)
		bytes += server.bytes
	}
	sum := fmt.Sprintf("tools: %d; their full definitions take about %d tokens, %.1f %% of a context of 200,000",
		tools, definitions.EstimateTokens(bytes), definitions.WindowPart(bytes))
	if _, err := fmt.Fprintln(out, terminal.Wrap(sum, columns)); err != nil {
		return fmt.Errorf("print the sum: %w", err)
	}
	return nil
}
