package doctor

import (
	"context"
	"fmt"

	"mcp-workbench/domain"
)

// checkPublished finds servers of the registry that have a newer version, or were deprecated or deleted there.
func checkPublished(ctx context.Context, d *Doctor) []Finding {
	if d.surroundings.Standing == nil {
		return nil
	}
	var findings []Finding
	for server := range d.servers {
		from := server.From
		if from.Registry == "" {
			continue
		}
		standing, err := d.surroundings.Standing(ctx, from)
		about := server.ID.Path()
		name := domain.ReviewLine(from.Registry + " " + from.Version)
		add := func(code, found, fix string) { findings = append(findings, Finding{code, about, found, fix}) }
		if err != nil {
			add(codeNoRegistry, err.Error(), "'mcp-workbench help registry' says which registry is asked")
			break // the next question would fail in the same way
		}
		update := "'mcp-workbench update " + domain.ShellWord(about) + "' shows what changes"
		if standing.IsDeleted {
			add(codeDeleted, name+" was deleted from the registry", "find out why; 'mcp-workbench remove "+domain.ShellWord(about)+"' removes it")
		} else if standing.IsDeprecated {
			add(codeDeprecated, fmt.Sprintf("%s is deprecated: %s", name, domain.ReviewLine(domain.OneLine(standing.Message))), update)
		}
		if standing.Newer != nil {
			add(codeNewer, fmt.Sprintf("%s has the newer version %s", name, domain.ReviewLine(standing.Newer.Version)), update)
		}
	}
	return findings
}
