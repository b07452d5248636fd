package doctor

import (
	"errors"
	"fmt"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/terminal"
)

// Validation is the report of the command validate, and its JSON form.
type Validation struct {
	// Searched are the places that were searched when no file was found.
	Searched []string `json:"searched,omitempty"`

	Valid     bool           `json:"valid"`
	File      string         `json:"file,omitempty"`
	Toolboxes int            `json:"toolboxes"`
	Servers   int            `json:"servers"`
	Problems  []tree.Problem `json:"problems"`
	Warnings  []tree.Problem `json:"warnings"`
}

// Validate returns the report about a configuration, or about the problems of one that cannot be used. It returns any
// other failure, and starts nothing.
func Validate(configuration *config.Configuration, failure error) (Validation, error) {
	if invalid, ok := errors.AsType[*config.InvalidError](failure); ok {
		return Validation{Problems: invalid.Problems, Warnings: append([]tree.Problem{}, invalid.Warnings...)}, nil
	}
	if failure != nil {
		return Validation{}, failure
	}
	d := &Doctor{toolboxes: configuration.Catalog.Toolboxes()}
	report := Validation{
		Valid: true, File: configuration.Path, Searched: configuration.Searched, Toolboxes: len(d.toolboxes), Problems: []tree.Problem{},
	}
	report.Warnings = append([]tree.Problem{}, configuration.Warnings...)
	for _, problem := range programs.Problems(d.servers) {
		report.Warnings = append(report.Warnings, tree.Problem{File: configuration.Path, KeyPath: d.keyOf(problem), Message: problem.String()})
	}
	report.Warnings = append(report.Warnings, unmatchedByLock(configuration)...)
	for range d.servers {
		report.Servers++
	}
	return report, nil
}

// Show prints the report, as text in a colour mode of terminal.NewPaint or as one JSON object.
func (v Validation) Show(out *terminal.Output, asJSON bool, colour string) error {
	if asJSON {
		return out.JSON(v)
	}
	out.WrapLines()
	paint := terminal.NewPaint(out, colour)
	var lines []string
	for _, problem := range v.Problems {
		lines = append(lines, paint(terminal.Red, problem.String()))
	}
	for _, warning := range joined(v.Warnings) {
		lines = append(lines, paint(terminal.Yellow, "warning:")+" "+warning)
	}
	switch {
	case !v.Valid:
	case v.File == "":
		lines = append(lines, fmt.Sprintf("no configuration found (looked for %s)", strings.Join(v.Searched, ", ")))
	default:
		lines = append(lines, fmt.Sprintf("%s: %s (toolboxes: %d, servers: %d)", v.File, paint(terminal.Green, "ok"), v.Toolboxes, v.Servers))
	}
	return out.Lines(lines...)
}

// joined returns the lines of warnings. Warnings with the same text share a line, which names their keys.
func joined(warnings []tree.Problem) (lines []string) {
	type shared struct{ line, others int }
	said := map[string]*shared{}
	for _, warning := range warnings {
		known := said[warning.Message]
		if known == nil || warning.Line > 0 || warning.Message == "" {
			said[warning.Message] = &shared{line: len(lines)}
			lines = append(lines, warning.String())
			continue
		}
		separator := ", "
		if known.others++; known.others == 1 {
			separator = "; the same holds for "
		}
		lines[known.line] += separator + warning.KeyPath
	}
	return lines
}
