package reading

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// askTime is how long asking for tools or stderr may take.
const askTime = time.Second

// Workbenches asks all running workbenches of the user. Safe for concurrent use.
type Workbenches struct{ status.Workbenches }

// Status returns the answers of all workbenches.
func (w Workbenches) Status(ctx context.Context) []status.Answer {
	answers, _ := w.Ask(ctx) // a folder that cannot be trusted has no workbenches of the user
	return answers
}

// Tools returns the tools of all running servers and, for other servers, the known tools.
func (w Workbenches) Tools(ctx context.Context, known []ui.Tool) []ui.Tool {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var mu sync.Mutex
	var tools toolSet
	var asking sync.WaitGroup
	for _, answer := range w.Status(ctx) {
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

// Stderr returns the last lines that a server wrote to stderr, in the first workbench that has it.
func (w Workbenches) Stderr(ctx context.Context, server domain.ServerID) []string {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var lines []string
	for _, answer := range w.Status(ctx) {
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

// Own returns the sources of pages that show only this workbench. The board is nil if the workbench does not
// report its status.
func Own(board *status.Board, record ui.Record, toolboxes func() []domain.Toolbox) ui.Sources {
	if board == nil {
		return ui.Sources{Record: record, Toolboxes: toolboxes}
	}
	return ui.Sources{
		Record: record, Toolboxes: toolboxes,
		Status: func(context.Context) []status.Answer {
			snapshot := board.Snapshot()
			return []status.Answer{{PID: snapshot.PID, Snapshot: &snapshot}}
		},
		Tools: func(context.Context) []ui.Tool {
			var tools toolSet
			_ = board.Tools(func(listed status.ServerTools) error { // add does not fail
				tools.add(listed)
				return nil
			})
			return tools.with(nil)
		},
		Stderr: func(_ context.Context, server domain.ServerID, viewer ui.Viewer) []string {
			return board.Log(server, viewer.IsOwn)
		},
	}
}

// toolSet is a set of tools.
type toolSet struct {
	tools map[domain.ToolIdentifier]ui.Tool
}

func (s *toolSet) add(listed status.ServerTools) {
	if s.tools == nil {
		s.tools = map[domain.ToolIdentifier]ui.Tool{}
	}
	for _, tool := range listed.Tools {
		id := domain.ToolIdentifier{Toolbox: domain.ToolboxName(listed.Toolbox), Server: domain.ServerName(listed.Server), Tool: tool.Name}
		if s.tools[id].Definition == nil {
			s.tools[id] = ui.Tool{ID: id, Tokens: definitions.EstimateTokens(tool.Size), Definition: tool.Definition}
		}
	}
}

// with returns the tools sorted by name. For servers without tools in the set, it adds the others: if a server
// lists tools now, only those count.
func (s *toolSet) with(others []ui.Tool) []ui.Tool {
	var tools []ui.Tool
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
	slices.SortFunc(tools, func(a, b ui.Tool) int {
		return cmp.Or(a.ID.ServerID().Compare(b.ID.ServerID()), cmp.Compare(a.ID.Tool, b.ID.Tool))
	})
	return tools
}
