package main

import (
	"encoding/json"
	"fmt"
	"io"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// lockResult is what lock found, the form of --json. Members are added, never changed.
type lockResult struct {
	File    string `json:"file"`
	Written bool   `json:"written"`
	// Fits says that the tools were as they were locked, before anything was written.
	Fits  bool `json:"fits"`
	Tools int  `json:"tools"`
	// Error says why an existing lock cannot be used.
	Error       string             `json:"error,omitempty"`
	Differences []lockedDifference `json:"differences"`
	Unreachable []unreachedServer  `json:"unreachable"`
	Opening     []openingResult    `json:"opening"`
	// Revealing are tools whose definitions hold a value that no message may show.
	Revealing []lockedTool `json:"revealing"`
}

type lockedTool struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`
}

type lockedDifference struct {
	lockedTool
	// Kind is "added", "changed" or "removed".
	Kind string `json:"kind"`
}

type unreachedServer struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Error   string `json:"error"`
}

// openingResult is what it costs a model to open a toolbox.
type openingResult struct {
	Toolbox string `json:"toolbox"`
	Tools   int    `json:"tools"`
	Form    string `json:"form"`
	Bytes   int    `json:"bytes"`
	Tokens  int    `json:"tokens"`
	// Partial says that servers of it cannot be reached.
	Partial bool `json:"partial"`
}

func lockedToolOf(tool domain.ToolIdentifier) lockedTool {
	return lockedTool{string(tool.Toolbox), string(tool.Server), tool.Tool}
}

// result returns the report for programs.
func (r lockReport) result() lockResult {
	result := lockResult{
		File: r.path, Written: r.written, Fits: r.found.Lock != nil && len(r.found.Differences) == 0, Tools: r.found.Tools(),
		Differences: []lockedDifference{}, Unreachable: []unreachedServer{}, Opening: []openingResult{}, Revealing: []lockedTool{},
	}
	if r.found.Broken != nil {
		result.Error = r.found.Broken.Error()
	}
	for _, difference := range r.found.Differences {
		result.Differences = append(result.Differences, lockedDifference{lockedToolOf(difference.Tool), kindOf(difference)})
	}
	for _, server := range r.found.Unreachable {
		result.Unreachable = append(result.Unreachable, unreachedServer{
			string(server.ID.Toolbox), string(server.ID.Server), domain.Reason(server.Failure),
		})
	}
	for _, tool := range r.found.Revealing {
		result.Revealing = append(result.Revealing, lockedToolOf(tool))
	}
	for _, opened := range r.found.Opened {
		if opened.Connected() == 0 {
			continue
		}
		c := openingCost(opened, r.settings)
		result.Opening = append(result.Opening, openingResult{
			string(c.toolbox), c.tools, string(c.form), c.bytes, definitions.EstimateTokens(c.bytes), c.partial,
		})
	}
	return result
}

// printJSON prints the report as one JSON object.
func (r lockReport) printJSON(out io.Writer) error {
	if err := json.NewEncoder(out).Encode(r.result()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
