package hostfiles

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// The words of hosts for lists of tools, in lower case without "_" and "-".
//
// Decision: every form has all of them, since files are copied between hosts. A host that ignores the word of another
// allows more tools than the workbench then does.
var (
	wordsForAllowed = []string{"tools", "toolfilters", "enabledtools", "availabletools", "allowedtools", "allowtools", "includetools", "includedtools", "toolallowlist"}
	wordsForDenied  = []string{"disabledtools", "blockedtools", "excludetools", "excludedtools", "deniedtools", "denytools", "forbiddentools", "tooldenylist"}
)

// toolFilters returns the filters for all lists of tools of a server, nil if they allow all tools.
func (s *source) toolFilters() []string {
	var filter domain.ToolFilter
	for _, key := range slices.Sorted(maps.Keys(s.members)) {
		word := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
		switch raw := s.members[key]; {
		case slices.Contains(wordsForDenied, word):
			filter = filter.And(s.without(key, s.list(key)))
		case !slices.Contains(wordsForAllowed, word):
		case word == "tools" && len(raw) > 0 && raw[0] == '{':
			filter = filter.And(s.without(key, s.toolsThatAreOff(key)))
		default:
			tools := s.optionalList(key)
			if tools != nil && (len(*tools) > 0 || word != "availabletools") { // Goose has all tools with an empty list
				s.refusePatterns(key, *tools, "*")
				filter = filter.And(domain.OnlyTools(*tools))
			}
		}
	}
	return entries(filter)
}

// without returns the filter that leaves out tools.
func (s *source) without(key string, tools []string) domain.ToolFilter {
	s.refusePatterns(key, tools, "")
	return leavingOut(tools)
}

// refusePatterns notes a list with patterns other than the one for all tools, or with the arguments of a tool. They have no counterpart.
func (s *source) refusePatterns(key string, tools []string, all string) {
	for _, tool := range tools {
		if tool = strings.TrimPrefix(tool, "!"); tool != all && strings.ContainsAny(tool, "*?!()[]{}|^$\\") {
			s.wrongFor(key, "has a pattern of tools, which toolFilters cannot have")
			return
		}
	}
}

func leavingOut(tools []string) domain.ToolFilter {
	return domain.OnlyTools(domain.ToolFilter{}.EntriesWithout(tools))
}

// entries returns a filter as toolFilters, nil for one that allows all tools.
func entries(filter domain.ToolFilter) []string {
	if filter.Equal(domain.ToolFilter{}) {
		return nil
	}
	return filter.EntriesWithout(nil)
}

// asksAbout reads whether Codex asks before calls of tools.
func (s *source) asksAbout(tools, key, mode string) {
	switch mode {
	case "", "auto", "approve":
	case "prompt":
		s.confirm = append(s.confirm, tools)
	default:
		s.lose(key, string(s.members[key]))
	}
}

// toolsThatAreOff reads an object of tools, each a boolean or an object with "enabled". Other members of such an object
// stay in the host.
func (s *source) toolsThatAreOff(key string) (off []string) {
	var tools map[string]json.RawMessage
	_ = json.Unmarshal(s.member(key), &tools) // it is an object
	for name, raw := range tools {
		tool := newSource(map[string]json.RawMessage{"enabled": raw})
		if len(raw) > 0 && raw[0] == '{' {
			tool.members = nil
			_ = json.Unmarshal(raw, &tool.members) // it is an object
		}
		if tool.isOff() {
			off = append(off, name)
		}
		s.asksAbout(name, key, tool.text("approval_mode"))
		if tool.isBroken {
			s.wrong(key)
		}
		for member := range tool.members {
			if !tool.known[member] {
				s.lose(key, string(s.members[key]))
			}
		}
	}
	slices.Sort(off)
	return off
}
