package mcpserver

import (
	"context"
	"iter"

	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
)

// listSkills answers skills/list with the skills of connected servers.
func (a *resources) listSkills(ctx context.Context, r *request, p params, reply replyFunc) {
	a.answerList(ctx, r, p, reply, "skills", func() (iter.Seq[[]byte], error) {
		listed, err := a.reader.ListResources(ctx, domain.Skills)
		return func(yield func([]byte) bool) {
			for _, skill := range listed {
				entry, ok := extensions.WithSkillAddresses(skill.Definition, skill.Server)
				if !ok {
					a.program.log.Warn("left out a skill, since one of its files has no valid address",
						"toolbox", skill.Server.Toolbox, "server", skill.Server.Server, "skill", domain.ShownText(skill.URI))
					continue
				}
				if !yield(labelled(domain.Resource{Server: skill.Server, Definition: entry})) {
					return
				}
			}
		}, err
	})
}
