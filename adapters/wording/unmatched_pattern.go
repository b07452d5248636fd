package wording

import (
	"fmt"

	"mcp-workbench/domain"
)

// UnmatchedPattern says which pattern of the configuration matches no tool, and what was probably
// meant.
func UnmatchedPattern(u domain.UnmatchedPattern) string {
	where := ""
	switch {
	case u.Server != "":
		where = fmt.Sprintf(" of server %s in toolbox %s", domain.QuotedName(u.Server), domain.QuotedName(u.Toolbox))
	case u.Toolbox != "":
		where = fmt.Sprintf(" of toolbox %s", domain.QuotedName(u.Toolbox))
	}
	line := fmt.Sprintf(`"%s"%s names %s, which matches no tool`, u.Key, where, domain.QuotedName(u.Pattern.Text))
	if len(u.Nearest) > 0 {
		line += "; " + domain.DidYouMean(u.Nearest...)
	}
	return line
}
