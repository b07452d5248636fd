package setup

import (
	"errors"
	"strings"

	"mcp-workbench/domain"
)

// CheckToolbox returns why a name that the user typed cannot be that of a toolbox, nil if it can.
func CheckToolbox(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the name is empty")
	case strings.Contains(name, "__"):
		return errors.New(`a name cannot have "__"`)
	case strings.Contains(name, "/"): // commands write TOOLBOX/SERVER
		return errors.New(`a name cannot have "/"`)
	case domain.SuspiciousName(name) != nil:
		return errors.New("a name cannot have characters that are not seen")
	}
	return nil
}
