package mcpserver

import (
	"encoding/json"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// NewHostsAnswers returns a function that returns the answers of open_toolbox to one host after the other of a
// program, which keep them.
func NewHostsAnswers() (next func(domain.OpenedToolbox, wording.Showing) json.RawMessage) {
	var all programAnswers
	var hosts []*openAnswers
	return func(opened domain.OpenedToolbox, showing wording.Showing) json.RawMessage {
		host := &openAnswers{}
		hosts = append(hosts, host)
		answer, _ := host.answer(&all, opened, showing)
		return answer.Result()
	}
}

// CountAnswers returns a function that returns how many answers a program knows after a host that got these has
// gone.
func CountAnswers(openings []domain.OpenedToolbox) func() int {
	var all programAnswers
	host := &openAnswers{}
	for _, opened := range openings {
		host.answer(&all, opened, wording.Showing{})
	}
	return func() (count int) {
		all.byKey.Range(func(_, _ any) bool { count++; return true })
		return count
	}
}
