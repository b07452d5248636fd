package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// approvalReader is the value of a key that is read into the approvals of a level. Patterns of all levels add up.
type approvalReader interface {
	read(r *toolboxReader, m tree.Member, approvals *domain.Approvals, level domain.PatternLevel)
}

const wantedConfirm = `a list of tools such as ["delete_*"], or "destructive"`

// patternForms are the forms of patterns at each level.
var patternForms = map[domain.PatternLevel]string{
	domain.RootPattern:    `"tool", "server/tool" or "toolbox/server/tool"`,
	domain.ToolboxPattern: `"tool" or "server/tool"`,
	domain.ServerPattern:  `the name of a tool`,
}

// approvals reads the approvals among the members of a level, and adds them to those of
// the levels above it.
func (r *toolboxReader) approvals(members tree.Object, above domain.Approvals, level domain.PatternLevel) domain.Approvals {
	for _, m := range members {
		if key, isLegal := approvalKeys.Get(m.Name); isLegal {
			reflect.Zero(key.Type).Interface().(approvalReader).read(r, m, &above, level)
		}
	}
	return above
}

func (confirmed) read(r *toolboxReader, m tree.Member, approvals *domain.Approvals, level domain.PatternLevel) {
	patterns, every := r.confirm(m.Node, level)
	approvals.Confirm = slices.Concat(approvals.Confirm, patterns)
	approvals.ConfirmDestructive = approvals.ConfirmDestructive || every
}

func (toolPatterns) read(r *toolboxReader, m tree.Member, approvals *domain.Approvals, level domain.PatternLevel) {
	r.noteReadTool(m)
	patterns, _ := r.patterns(m.Node, level, `a list of tools such as ["read_*"]`)
	approvals.ReadOnly = slices.Concat(approvals.ReadOnly, patterns)
}

// read implements approvalReader. Only the nearest level counts, so that one server can be an exception.
func (annotations) read(r *toolboxReader, m tree.Member, approvals *domain.Approvals, _ domain.PatternLevel) {
	r.noteReadTool(m)
	approvals.TrustAnnotations = r.Boolean(m.Node)
	if approvals.TrustAnnotations {
		r.needsLock(m.Node, "true")
	}
}

// noteReadTool notes the first key that only read_tool needs.
func (r *toolboxReader) noteReadTool(m tree.Member) {
	if r.forReadTool == nil {
		r.forReadTool = &m
	}
}

// confirm reads which tools need approval. The word "destructive" can stand alone or in the
// list, where it also matches a tool of that name.
func (r *toolboxReader) confirm(n tree.Node, level domain.PatternLevel) (patterns domain.ToolPatterns, every bool) {
	text, isText := n.Text()
	switch {
	case isText && text == domain.Destructive:
		r.needsLock(n, strconv.Quote(domain.Destructive))
		return nil, true
	case isText:
		r.WrongValue(n, wantedConfirm)
		return nil, false
	}
	patterns, places := r.patterns(n, level, wantedConfirm)
	for i, pattern := range patterns {
		switch {
		case pattern.Text == domain.Destructive:
			r.needsLock(places[i], strconv.Quote(domain.Destructive))
			every = true
		case strings.EqualFold(pattern.Text, domain.Destructive): // as the name of a tool it would protect nothing
			r.WrongValue(places[i], strconv.Quote(domain.Destructive))
		}
	}
	return patterns, every
}

// patterns reads a list of patterns, and returns where each of them is.
func (r *toolboxReader) patterns(n tree.Node, level domain.PatternLevel, wanted string) (domain.ToolPatterns, []tree.Node) {
	var patterns domain.ToolPatterns
	var places []tree.Node
	for _, element := range r.List(n, wanted) {
		text, ok := r.Text(element, patternForms[level])
		switch {
		case !ok:
		case !isPattern(text, level):
			r.WrongValue(element, patternForms[level])
		case strings.HasPrefix(text, "!"):
			r.WrongValue(element, `a tool without "!": a list only adds to what the levels above it name`)
		default:
			patterns = append(patterns, domain.ToolPattern{Text: text, Level: level})
			places = append(places, element)
		}
	}
	return patterns, places
}

// isPattern reports whether no part of the pattern is empty.
func isPattern(text string, level domain.PatternLevel) bool {
	if level == domain.ServerPattern {
		return text != ""
	}
	return !slices.Contains(strings.Split(text, "/"), "")
}

// warnUnknownServers warns of patterns that name servers that do not exist. It cannot check the
// names of tools, which are not known yet.
func warnUnknownServers(f *tree.Findings, toolboxes []domain.Toolbox) {
	unknown := func(domain.ServerID) ([]string, bool) { return nil, false }
	for _, pattern := range domain.UnmatchedPatterns(domain.ListTools(toolboxes, unknown)) {
		f.Warnings = append(f.Warnings, tree.Finding{Problem: UnmatchedPattern(f.File, pattern), Place: tree.WholeFile})
	}
}

// keyOfServers returns the key of the servers in a toolbox, which may have a plugin.
func keyOfServers(isOfPlugin bool) string {
	if isOfPlugin {
		return serversKey
	}
	return mcpServersKey
}

// KeyPathOf returns the path of a server in the configuration, `toolboxes.dev.mcpServers.git`.
func KeyPathOf(server domain.Server) string {
	return tree.KeyPath(toolboxesKey, string(server.ID.Toolbox), keyOfServers(server.IsOfPlugin), string(server.ID.Server))
}

// UnmatchedPattern returns the warning that a pattern in a file matches no tool.
func UnmatchedPattern(file string, pattern domain.UnmatchedPattern) tree.Problem {
	place := []string{pattern.Key}
	if pattern.Server != "" {
		place = []string{keyOfServers(pattern.IsOfPlugin), string(pattern.Server), pattern.Key}
	}
	if pattern.Toolbox != "" {
		place = slices.Concat([]string{toolboxesKey, string(pattern.Toolbox)}, place)
	}
	return tree.Problem{File: file, KeyPath: tree.KeyPath(place...), Message: wording.UnmatchedPattern(pattern), Pattern: &pattern.PatternPlace}
}

// warnReadTool warns of keys without effect: "readTool" in the dynamic mode, and keys that only
// read_tool uses when there is no read_tool.
func (r *toolboxReader) warnReadTool(members tree.Object) {
	isDynamic := r.root.ToolMode == Dynamic
	setting, isInFile := members.Get(readToolKey)
	switch {
	case r.root.ReadTool && isDynamic && isInFile:
		r.Warn(setting.Key(), noReadTool)
	case r.root.ReadTool && isDynamic:
		r.WarnSource(variableOf(readToolKey), noReadTool)
	case !r.root.ReadTool && !isDynamic && r.forReadTool != nil:
		r.Warn(r.forReadTool.Key(), `has no effect without "readTool": true at the root`)
	}
}

const noReadTool = `has no effect with the tool mode "dynamic", in which tools have names and annotations of their own`

// needsLock reports a problem when a setting depends on the lock and there is none, or the lock
// is not used.
func (r *toolboxReader) needsLock(n tree.Node, found string) {
	switch {
	case r.makesLock:
	case r.root.Pinning == domain.PinOff:
		r.Wrong(n.Place(), found+` with "pinning": "off"`, `"pinning": "warn" or "block", since the lock decides which tools it applies to`)
	case !r.hasLock():
		r.Wrong(n.Place(), found+" without a lock", fmt.Sprintf(
			"the file %s beside the configuration, which 'mcp-workbench lock' makes and which decides which tools it applies to", domain.LockName))
	}
}

// hasLock reports whether there is a lock beside the file. Whether it can be used is
// not known until it is read. Until then no tool is read-only, and every tool needs approval.
func (r *toolboxReader) hasLock() bool {
	if r.File == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(r.File), domain.LockName))
	return !errors.Is(err, fs.ErrNotExist)
}
