package config

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// ToolboxesVariable is the variable with the toolboxes to serve, in place of the flag --toolbox.
const ToolboxesVariable = "WORKBENCH_TOOLBOXES"

// ParseToolboxes splits a list of toolbox names that are separated by commas, such as "files,web". A name
// with a comma in it is in double quotes.
func ParseToolboxes(text string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.TrimLeadingSpace = true
	names, err := reader.Read()
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	if err != nil || slices.Contains(names, "") {
		return nil, errors.New("want names of toolboxes separated by commas, and double quotes around a name with a comma")
	}
	return names, nil
}

// ToolboxesToServe returns the names of the toolboxes to serve: those of the flag --toolbox or, if it is
// not given, of the variable; nil if neither is set. An error names the flag or the variable.
func ToolboxesToServe(flags []string, getenv func(string) string) (names []string, err error) {
	values, from := flags, "--toolbox"
	if value := getenv(ToolboxesVariable); len(values) == 0 && value != "" {
		values, from = []string{value}, ToolboxesVariable
	}
	for _, value := range values {
		parsed, err := ParseToolboxes(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from, err)
		}
		names = append(names, parsed...)
	}
	return names, nil
}

// CheckToolboxes returns an error for the first name that no toolbox has.
func CheckToolboxes(names []string, toolboxes []domain.Toolbox) error {
	return checkNames(names, domain.NamesOf(toolboxes))
}

// checkNames returns an error for the first name that is not among the existing ones.
func checkNames(names, existing []string) error {
	for _, name := range names {
		if !slices.Contains(existing, name) {
			return fmt.Errorf("no toolbox %s is configured%s", domain.QuotedName(name), domain.Suggest(name, existing))
		}
	}
	return nil
}

// keepOf removes what was found in other toolboxes than the named ones. nil names all of them.
func keepOf(f *tree.Findings, names []string) {
	isOther := func(found tree.Finding) bool {
		toolbox := concernAt(found.Path).Toolbox
		return names != nil && toolbox != "" && !slices.Contains(names, string(toolbox))
	}
	f.Problems, f.Warnings = slices.DeleteFunc(f.Problems, isOther), slices.DeleteFunc(f.Warnings, isOther)
}

// choose removes all but the named toolboxes, as if the file did not have the others, and sets Unknown if a name is not
// among the existing ones, unless a mistake hides names.
func (c *Configuration) choose(names, existing []string) {
	c.chosen = fmt.Sprintf(", toolboxes %s only", strings.Join(listedNames(names), ", "))
	problems := c.Catalog.problems
	c.Catalog = NewCatalog(slices.DeleteFunc(slices.Clone(c.Catalog.toolboxes), func(t domain.Toolbox) bool {
		return !slices.Contains(names, string(t.Name))
	}))
	c.Catalog.problems = problems
	if !slices.ContainsFunc(problems, func(p domain.ConfigurationProblem) bool { return p.Toolbox == "" }) {
		c.Unknown = checkNames(names, existing)
	}
}

func listedNames(names []string) []string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = domain.ListedName(name)
	}
	return shown
}
