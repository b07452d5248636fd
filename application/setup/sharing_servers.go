package setup

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// The subjects whose servers keep something of one window, with what that is, and those whose servers answer each call on its own,
// with the same settings in each window.
//
// Decision: only servers of known packages of these subjects are shared without a word of the user. A wrong "shared" mixes what two
// windows do, a missing one costs a process.
var (
	ofOneWindow = map[string]string{
		"browser":  "it operates one browser with its pages",
		"code":     "it may work in the folder of its window",
		"files":    "it may work in the folder of its window",
		"data":     "a connection may keep something between calls",
		"thinking": "it keeps the steps of one conversation",
		"design":   "it may operate one open document",
		"devices":  "it operates one device",
		"games":    "it operates one engine",
	}
	withoutWindow = []string{
		"docs", "web", "research", "maps", "travel", "finance", "tasks", "office", "payments", "customers", "monitoring", "social", "shops",
		"memory", "home",
	}
)

// withShared returns the settings of a server that all windows share, or the reason why it may not be shared.
func (s Settings) withShared() (shared Settings, reason string) {
	if reason := s.unshared(); reason != "" {
		return s, reason
	}
	if s.Members = maps.Clone(s.Members); s.Members == nil {
		s.Members = map[string]json.RawMessage{}
	}
	if _, isSet := s.Members["shared"]; !isSet {
		s.Members["shared"] = json.RawMessage("true")
	}
	return s, ""
}

// unshared returns why windows should not share a server, "" if they may.
func (s Settings) unshared() string {
	if s.URL != "" {
		return "it runs elsewhere, and starts nothing here"
	}
	if name, _ := packageOf(s); name == "" {
		return "what it keeps between calls is not known"
	}
	if slices.ContainsFunc(s.Args, func(arg string) bool {
		return arg == "." || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../")
	}) {
		return ofOneWindow["files"]
	}
	for _, text := range program(s) {
		toolbox := subject(words(text))
		if reason := ofOneWindow[toolbox]; reason != "" {
			return reason
		}
		if slices.Contains(withoutWindow, toolbox) {
			return ""
		}
	}
	return "what it keeps between calls is not known"
}
