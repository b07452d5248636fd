package setup

import (
	"errors"
	"strings"

	"mcp-workbench/domain"
)

// CheckToolbox returns an error if a name that the user typed cannot be the name of a toolbox.
func CheckToolbox(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the name is empty")
	case strings.Contains(name, "__"):
		return errors.New(`a name cannot contain "__"`)
	case isIgnored(name):
		return errors.New(`a name that begins with "_" or "$" is ignored`)
	case strings.Contains(name, "/"): // commands write TOOLBOX/SERVER
		return errors.New(`a name cannot contain "/"`)
	case domain.SuspiciousName(name) != nil:
		return errors.New("a name cannot contain invisible characters")
	}
	return nil
}
