package config

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
)

// remainder returns the toolboxes and servers that have no problem. Whatever cannot be read
// counts as a problem, so no protection is lost: a server whose filter or limit is wrong is
// left out, and after a mistake at the root, or in a variable or flag, there is no toolbox
// unless what was meant protects nothing.
func remainder(toolboxes []domain.Toolbox, problems []domain.ConfigurationProblem) []domain.Toolbox {
	switch {
	case len(problems) == 0:
		return toolboxes
	case slices.ContainsFunc(problems, func(p domain.ConfigurationProblem) bool { return p.All }):
		return nil
	}
	var usable []domain.Toolbox
	for _, toolbox := range toolboxes {
		for _, problem := range problems {
			if problem.Toolbox == toolbox.Name {
				toolbox.Problems = append(toolbox.Problems, problem)
			}
		}
		toolbox.Servers = slices.DeleteFunc(toolbox.Servers, func(server domain.Server) bool {
			return slices.ContainsFunc(toolbox.Problems, func(p domain.ConfigurationProblem) bool {
				return !p.IsServer || p.Server == server.ID.Server
			})
		})
		if len(toolbox.Servers) > 0 {
			usable = append(usable, toolbox)
		}
	}
	return usable
}

// concerns returns the problems in words for a model, with the toolbox or server of each, in
// the order of the file and without duplicates.
func (f *findings) concerns() []domain.ConfigurationProblem {
	var concerns []domain.ConfigurationProblem
	for _, finding := range f.inOrder(f.problems) {
		concern := finding.path.concern()
		if finding.Source == "" {
			finding.KeyPath = finding.path.masked().String()
		}
		concern.Text = finding.advice()
		concerns = append(concerns, concern)
	}
	return slices.Compact(concerns)
}

// concern returns the toolbox or server that a path is in. Such a path is "toolboxes", a name,
// "mcpServers", a name.
//
// Decision: a mistake at the root takes all toolboxes away only if it may be about a protection.
//
// Decision: a file that cannot be included takes only its own toolboxes away, as does a mistake in it. Only the
// user can change the files that count, and opening one of its toolboxes says why it does not exist.
func (p *keyPath) concern() domain.ConfigurationProblem {
	steps := p.steps()
	if len(steps) < 2 || steps[0].key != toolboxesKey || steps[1].index >= 0 {
		return domain.ConfigurationProblem{All: len(steps) == 0 || protects(steps[0].key)}
	}
	concern := domain.ConfigurationProblem{Toolbox: domain.ToolboxName(steps[1].key)}
	if len(steps) >= 4 && steps[2].key == mcpServersKey && steps[3].index < 0 {
		concern.IsServer, concern.Server = true, domain.ServerName(steps[3].key)
	}
	return concern
}

// protectiveWords are in keys that may be meant to protect something, in the words of any program.
var protectiveWords = strings.Fields(`allow approv ask auth block check confirm consent deny disab enab except exclu filter forbid
	guard hid ignor inherit limit lock mask max only permi pin polic privat protect record redact refus reject restrict safe secret
	secur strict token trust verif`)

// protects reports whether a key of the root, which may be misspelt, may be meant to protect something.
func protects(key string) bool {
	free := rootKeys.With(keys.Free).Names() // with the default in place of their values, a user is protected as before
	if _, isLegal := rootKeys.Get(key); isLegal {
		return !slices.Contains(free, key)
	}
	meant, found := meantKey(key, slices.Concat(rootKeys, toolboxKeys, commonKeys).Names())
	return found && !slices.Contains(free, meant) || slices.ContainsFunc(protectiveWords, func(word string) bool {
		return strings.Contains(strings.ToLower(key), word)
	})
}

// advice returns the place of a problem and what to write there. Unlike String it leaves out
// what was found, so that a model reads no value of the file.
func (p Problem) advice() string {
	place := p.File
	if p.Line > 0 {
		place = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if p.Source != "" {
		place = p.Source
	}
	if p.KeyPath != "" {
		place += ": " + p.KeyPath
	}
	if p.Wanted == "" {
		return place + ": cannot be used; standard error says why"
	}
	return place + ": want " + p.Wanted
}
