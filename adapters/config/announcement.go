package config

import (
	"fmt"
	"strings"
)

// Announcement returns lines that say which configuration is in use, and why toolboxes may be
// missing. Visits is true for a command that visits servers: then the file is named only if the user
// may not expect it.
func (c *Configuration) Announcement(visits bool) []string {
	var lines []string
	isUsual := c.Origin == FromUserConfigDirectory || c.Origin == FromFlag
	switch {
	case visits && isUsual: // the user expects it
	case c.Path == "":
		lines = append(lines, fmt.Sprintf("no configuration found (looked for %s)", strings.Join(c.Searched, ", ")))
	case c.Untrusted == nil || c.Untrusted.Path != c.Path:
		lines = append(lines, fmt.Sprintf("using %s (%s)%s", c.Path, c.Origin, c.chosen))
	}
	return append(lines, c.Distrusted()...)
}

// Distrusted returns a line for each file that is not used since the user does not trust it.
func (c *Configuration) Distrusted() []string {
	var lines []string
	if c.Untrusted != nil {
		lines = append(lines, c.Untrusted.Error())
	}
	for _, untrusted := range c.distrusts {
		lines = append(lines, untrusted.Error())
	}
	return lines
}

// LeftOut lists the problems whose parts are left out, "" if there are none.
func (c *Configuration) LeftOut() string {
	if len(c.Problems) == 0 {
		return ""
	}
	invalid := InvalidError{Problems: c.Problems}
	return "the configuration has problems; the parts with problems are left out:\n" + invalid.Error()
}

// Missing returns the error for a command that needs a configuration, if none was found.
func (c *Configuration) Missing() error {
	return fmt.Errorf("no configuration found (looked for %s); run 'mcp-workbench init' to create one", strings.Join(c.Searched, ", "))
}
