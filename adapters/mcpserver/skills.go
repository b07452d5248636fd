package mcpserver

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/domain/rawjson"
)

// usesSkills reports whether skills are passed on to the host.
func (s *Server) usesSkills() bool {
	return s.program.settings.Skills && extensions.DeclaresSkills(s.host.Capabilities())
}

// listSkills answers skills/list with the skills of connected servers.
func (s *Server) listSkills(ctx context.Context, r *request, p params, reply replyFunc) {
	s.answerList(r, p, reply, "skills", func() (entries [][]byte, err error) {
		listed, err := s.useCases.Resources.ListResources(ctx, domain.Skills)
		for _, skill := range listed {
			entry, ok := extensions.WithSkillAddresses(skill.Definition, skill.Server)
			if !ok {
				s.program.log.Warn("left out a skill, since one of its files has no valid address",
					"toolbox", skill.Server.Toolbox, "server", skill.Server.Server, "skill", domain.ShownText(skill.URI))
				continue
			}
			entries = append(entries, labelled(domain.Resource{Server: skill.Server, Definition: entry}))
		}
		return entries, err
	})
}

// uncached begins a result that must say, in every era, that it cannot be cached.
func uncached() rawjson.Object {
	return rawjson.Object{}.Int("ttlMs", 0).Text("cacheScope", string(mcp.CacheScopePrivate))
}
