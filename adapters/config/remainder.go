package config

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
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
func concerns(f *tree.Findings) []domain.ConfigurationProblem {
	var concerns []domain.ConfigurationProblem
	for _, finding := range f.InOrder(f.Problems) {
		concern := concernAt(finding.Path)
		if finding.Source == "" {
			finding.KeyPath = maskedPath(finding.Path).String()
		}
		concern.Text = advice(finding.Problem)
		concerns = append(concerns, concern)
	}
	return slices.Compact(concerns)
}

// concernAt returns the toolbox or server that a path is in. Such a path is "toolboxes", a name,
// "mcpServers", a name.
//
// Decision: a mistake at the root takes all toolboxes away only if it may be about a protection.
//
// Decision: a file that cannot be included takes only its own toolboxes away, as does a mistake in it. Only the
// user can change the files that count, and opening one of its toolboxes says why it does not exist.
func concernAt(p *tree.Path) domain.ConfigurationProblem {
	steps := p.Steps()
	if len(steps) < 2 || steps[0].Key != toolboxesKey || steps[1].Index >= 0 {
		return domain.ConfigurationProblem{All: len(steps) == 0 || protects(steps[0].Key)}
	}
	concern := domain.ConfigurationProblem{Toolbox: domain.ToolboxName(steps[1].Key)}
	if len(steps) >= 4 && hasServers(steps[2].Key) && steps[3].Index < 0 {
		concern.IsServer, concern.Server = true, domain.ServerName(steps[3].Key)
	}
	return concern
}

// hasServers reports whether the names in the object of a key of a toolbox are those of servers.
func hasServers(key string) bool { return key == mcpServersKey || key == serversKey }

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
	meant, found := keys.Meant(key, slices.Concat(rootKeys, toolboxKeys, commonKeys).Names())
	return found && !slices.Contains(free, meant) || slices.ContainsFunc(protectiveWords, func(word string) bool {
		return strings.Contains(strings.ToLower(key), word)
	})
}

// advice returns the place of a problem and what to write there. Unlike String it leaves out
// what was found, so that a model reads no value of the file.
func advice(p tree.Problem) string {
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

// maskedPath returns the path as models may see it: it hides keys that may be misplaced secrets, such
// as the value of a header in place of its name. Names of toolboxes and servers stay, since
// models see those anyway.
func maskedPath(p *tree.Path) *tree.Path {
	if p == nil {
		return nil
	}
	step := *p
	step.Parent = maskedPath(p.Parent)
	isName := p.Parent != nil && (p.Parent.Key == toolboxesKey || hasServers(p.Parent.Key))
	if !isName && mayBeSecret(p.Key) {
		step.Key = "•••"
	}
	return &step
}

// minToken is the length of the shortest tokens that services issue.
const minToken = 16

// mayBeSecret reports whether a key has minToken or more letters and digits in a row, with at
// least one of each. Names of settings, variables and headers consist of words instead.
func mayBeSecret(key string) bool {
	letters, digits := 0, 0
	for _, c := range []byte(key) {
		switch {
		case isLetter(c):
			letters++
		case isDigit(c):
			digits++
		default:
			letters, digits = 0, 0
		}
		if letters > 0 && digits > 0 && letters+digits >= minToken {
			return true
		}
	}
	return false
}
