package hostfiles

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// A rule is one of a host's own about tools of servers, which names no tool any more once the server is below the
// workbench.
//
// Decision: a rule about the tools of all servers is left alone, since it holds for those of the workbench too. What is
// denied is left out by toolFilters, and what is asked about is in confirm. A rule that depends on the arguments of a
// call or on the state of the host, and one that denies by a pattern, has no counterpart: its server is disabled, and
// stays in the host. An exception from a rule that asks is not kept, since confirm has none. Rules are those of the user, of the
// administrator and of the project in the working folder, in the order in which the last one that matches counts.
type rule struct {
	effect effect
	// names is a pattern of the names that tools have in the host, with "*" and "?", or of the tools of a server.
	names  string
	server string // "" for the names of the host, "*" for any server
	// isConditional is true if it does not hold for every call.
	isConditional bool
	// source says where it is: "permissions.deny" of a file.
	source string
}

type effect int

const (
	allows effect = iota
	asks
	denies
)

// A naming says how a host names the tool of a server: before, server, after, tool. Other characters than letters, digits,
// "_" and "-" of servers are "_".
type naming struct{ before, after string }

// anyTool is the pattern of all tools.
const anyTool = "*"

// tools returns the pattern of the tools of a server that a rule is about, "" for none, and whether there is one.
func (r rule) tools(server string, namings []naming) (pattern string, isAbout bool) {
	if r.server != "" {
		return r.names, r.server == anyTool || r.server == server
	}
	if inNames := notInName.ReplaceAllString(server, "_"); inNames != server {
		if pattern, isAbout = r.tools(inNames, namings); isAbout {
			return pattern, true
		}
	}
	start, rest, hasWildcard := cutWildcard(r.names)
	for _, named := range namings {
		prefix := named.before + server + named.after
		if tool, isOfServer := strings.CutPrefix(r.names, prefix); isOfServer && tool != "" {
			return tool, true
		}
		switch {
		case !hasWildcard || !strings.HasPrefix(prefix, start) || rest == "" && len(start) <= len(named.before):
		case rest == "":
			return anyTool, true
		default:
			return "", true
		}
	}
	return "", false
}

// ruleKey begins the key of a rule without a counterpart among the settings that differ.
const ruleKey = "the rule "

func (r rule) String() string { return ruleKey + r.names + " in " + r.source }

// applyRules gives servers of the file what the host's own rules say about them, with a note.
func (f File) applyRules(servers []setup.Server) {
	if f.rules == nil || len(servers) == 0 {
		return
	}
	rules, err := f.rules(f.machine)
	for i := range servers {
		if err != nil {
			servers[i].Notes = append(servers[i].Notes, fmt.Sprintf("it is disabled, since rules of the host cannot be read: %v", err))
			servers[i].Settings.Disabled = true
			continue
		}
		ruled(&servers[i], rules, f.namings)
	}
}

// ruling is what rules say about the tools of a server.
type ruling struct {
	all     effect
	tools   map[string]effect
	asked   []string // patterns of tools
	sources map[effect][]string
	lost    []rule
}

func (r *ruling) add(next rule, pattern string, isPattern bool) {
	switch {
	case next.isConditional || pattern == "":
		if next.effect != allows || r.forbids() { // what is allowed in one case only is lost with the rest
			r.lost = append(r.lost, next)
		}
		return
	case pattern == anyTool:
		*r = ruling{all: next.effect, tools: map[string]effect{}, sources: map[effect][]string{}}
	case !isPattern:
		r.tools[pattern] = next.effect
	case next.effect == asks:
		r.asked = append(r.asked, strings.ReplaceAll(pattern, "?", "*"))
	case next.effect == denies || r.all == denies:
		r.lost = append(r.lost, next)
		return
	}
	if !slices.Contains(r.sources[next.effect], next.source) {
		r.sources[next.effect] = append(r.sources[next.effect], next.source)
	}
}

// forbids reports whether some tools are denied so far.
func (r *ruling) forbids() bool { return r.all == denies || len(r.of(denies)) > 0 }

// of returns the tools with an effect.
func (r *ruling) of(wanted effect) (tools []string) {
	for tool, effect := range r.tools {
		if effect == wanted {
			tools = append(tools, tool)
		}
	}
	slices.Sort(tools)
	return tools
}

// ruled gives a server what rules say about its tools.
func ruled(server *setup.Server, rules []rule, namings []naming) {
	r := ruling{tools: map[string]effect{}, sources: map[effect][]string{}}
	for _, next := range rules {
		if pattern, isAbout := next.tools(server.Name, namings); isAbout {
			_, _, isPattern := cutWildcard(pattern)
			r.add(next, pattern, isPattern)
		}
	}
	denied, confirmed := r.of(denies), append(r.of(asks), r.asked...)
	note := func(format string, args ...any) { server.Notes = append(server.Notes, fmt.Sprintf(format, args...)) }
	from := func(which effect) string { return strings.Join(r.sources[which], ", ") }
	filter := filterOf(server.Settings)
	switch {
	case r.all == denies:
		rest := slices.Sorted(maps.Keys(r.tools))
		rest = slices.DeleteFunc(rest, func(tool string) bool { return r.tools[tool] == denies })
		if len(rest) == 0 {
			server.Settings.Disabled = true
			note("it is disabled, since the host forbids all of its tools (%s)", from(denies))
			break
		}
		filter = filter.And(domain.OnlyTools(rest))
		note("the host forbids its tools but %s (%s): so does \"toolFilters\"", strings.Join(rest, ", "), from(denies))
	case len(denied) > 0:
		filter = filter.And(leavingOut(denied))
		note("the host forbids %s (%s): so does \"toolFilters\"", strings.Join(denied, ", "), from(denies))
	}
	if r.all == asks {
		confirmed = []string{anyTool}
	}
	server.Settings.ToolFilters = entries(filter)
	if len(confirmed) > 0 {
		server.Settings.Confirm = slices.Compact(slices.Sorted(slices.Values(append(confirmed, server.Settings.Confirm...))))
		note("%s", askingNote(confirmed, from(asks)))
	}
	for _, lost := range r.lost {
		server.Settings.Disabled = true
		server.Settings.Untranslated = with(server.Settings.Untranslated, lost.String())
		note("it is disabled here and stays in the host, since %s has no counterpart: \"toolFilters\" and \"confirm\" name whole tools", lost)
	}
}

// askingNote is the note about tools before whose calls the host asks, as a source says.
func askingNote(tools []string, source string) string {
	return fmt.Sprintf("the host asks before calls of %s (%s): so does \"confirm\", which refuses them in hosts that show no forms",
		strings.Join(tools, ", "), source)
}

// Rules returns the rules of the host without a counterpart if nothing else differs.
func (d Double) Rules() []string {
	if slices.ContainsFunc(d.Differs, func(key string) bool { return !strings.HasPrefix(key, ruleKey) }) {
		return nil
	}
	return d.Differs
}
