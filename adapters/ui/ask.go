package ui

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// askTime is the time limit for asking for tools or stderr.
const askTime = time.Second

// runningWorkbenches asks all running workbenches of the user. Safe for concurrent use.
type runningWorkbenches struct{ status.Workbenches }

// status returns the answers of all workbenches.
func (w runningWorkbenches) status(ctx context.Context) []status.Answer {
	answers, _ := w.Ask(ctx) // a folder that cannot be trusted has no workbenches of the user
	return answers
}

// tools returns the tools of all running servers and, for other servers, the known tools.
func (w runningWorkbenches) tools(ctx context.Context, known []Tool) []Tool {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var mu sync.Mutex
	var tools toolSet
	var asking sync.WaitGroup
	for _, answer := range w.status(ctx) {
		if answer.Snapshot == nil {
			continue
		}
		asking.Go(func() {
			// If a workbench ends meanwhile, its tools are left out.
			_ = answer.Tools(ctx, func(listed status.ServerTools) {
				mu.Lock()
				defer mu.Unlock()
				tools.add(listed)
			})
		})
	}
	asking.Wait()
	return tools.with(known)
}

// stderr returns the last lines that a server wrote to stderr, in the first workbench that has it.
func (w runningWorkbenches) stderr(ctx context.Context, server domain.ServerID) []string {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var lines []string
	for _, answer := range w.status(ctx) {
		if answer.Snapshot == nil || !slices.Contains(answer.Snapshot.Servers(), server) {
			continue
		}
		// Remote servers have no stderr on this machine.
		_ = answer.Log(ctx, server, false, func(log status.LogLines) error {
			lines = append(lines, log.Lines...)
			return nil
		})
		if len(lines) > 0 {
			return lines
		}
	}
	return nil
}

// AllSources returns the sources of pages that show all activity of the user: the record in a folder, and the
// workbenches with sockets in folders.
func AllSources(record func() (string, error), sockets []string, toolboxes []domain.Toolbox) Sources {
	workbenches, stored := runningWorkbenches{status.NewWorkbenches(sockets)}, storedRecord{Reader: activity.NewReader(record)}
	return Sources{
		Record:    stored,
		Status:    workbenches.status,
		Toolboxes: func() []domain.Toolbox { return toolboxes },
		Tools:     func(ctx context.Context) []Tool { return workbenches.tools(ctx, stored.tools()) },
		Stderr: func(ctx context.Context, server domain.ServerID, _ Viewer) []string {
			return workbenches.stderr(ctx, server)
		},
	}
}

// OwnSources returns the sources of pages that show only this workbench. The board is nil if the workbench does not
// report its status, the record if it does not record activity.
func OwnSources(board *status.Board, record Record, toolboxes func() []domain.Toolbox) Sources {
	if board == nil {
		return Sources{Record: record, Toolboxes: toolboxes}
	}
	return Sources{
		Record: record, Toolboxes: toolboxes,
		Status: func(context.Context) []status.Answer {
			snapshot := board.Snapshot()
			return []status.Answer{{PID: snapshot.PID, Snapshot: &snapshot}}
		},
		Tools: func(context.Context) []Tool {
			var tools toolSet
			_ = board.Tools(func(listed status.ServerTools) error { // add does not fail
				tools.add(listed)
				return nil
			})
			return tools.with(nil)
		},
		Stderr: func(_ context.Context, server domain.ServerID, viewer Viewer) []string {
			return board.Log(server, viewer.IsOwn)
		},
	}
}

// toolSet is a set of tools.
type toolSet struct {
	tools map[domain.ToolIdentifier]Tool
}

func (s *toolSet) add(listed status.ServerTools) {
	if s.tools == nil {
		s.tools = map[domain.ToolIdentifier]Tool{}
	}
	for _, tool := range listed.Tools {
		id := domain.ToolIdentifier{Toolbox: domain.ToolboxName(listed.Toolbox), Server: domain.ServerName(listed.Server), Tool: tool.Name}
		if s.tools[id].Definition == nil {
			s.tools[id] = Tool{ID: id, Tokens: definitions.EstimateTokens(tool.Size), Definition: tool.Definition}
		}
	}
}

// with returns the tools sorted by name. For servers without tools in the set, it adds the others: if a server
// lists tools now, only those count.
func (s *toolSet) with(others []Tool) []Tool {
	var tools []Tool
	listed := map[domain.ServerID]bool{}
	for id, tool := range s.tools {
		tools = append(tools, tool)
		listed[id.ServerID()] = true
	}
	for _, tool := range others {
		if !listed[tool.ID.ServerID()] {
			tools = append(tools, tool)
		}
	}
	slices.SortFunc(tools, func(a, b Tool) int { return a.ID.Compare(b.ID) })
	return tools
}
