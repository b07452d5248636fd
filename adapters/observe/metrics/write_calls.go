package metrics

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mcp-workbench/domain"
)

// write writes the metrics of the servers for which sees returns true.
func (c *callCounts) write(text *exposition, sees func(domain.ServerID) bool) {
	c.mu.RLock()
	byServer, byTool := maps.Clone(c.byServer), maps.Clone(c.byTool)
	c.mu.RUnlock()
	maps.DeleteFunc(byServer, func(server domain.ServerID, _ *serverCounts) bool { return !sees(server) })
	maps.DeleteFunc(byTool, func(tool domain.ToolIdentifier, _ *toolCounts) bool { return !sees(tool.ServerID()) })
	writeServerCalls(text, byServer)
	if c.isByTool {
		writeToolCalls(text, byTool)
	}
}

func writeServerCalls(text *exposition, byServer map[domain.ServerID]*serverCounts) {
	servers := slices.SortedFunc(maps.Keys(byServer), compareServers)
	const calls, failed, size, took = prefix + "calls_total", prefix + "call_errors_total", prefix + "call_bytes_total", prefix + "call_duration_seconds"
	text.head(calls, counter, "Calls of tools, by how they ended.")
	for _, server := range servers {
		for i, outcome := range outcomes {
			text.number(calls, serverLabels(server)+",outcome="+quoted(string(outcome)), byServer[server].outcomes[i].Load())
		}
	}
	text.head(failed, counter, "Calls that failed or were answered with an error.")
	for _, server := range servers {
		_, errors := byServer[server].calls()
		text.number(failed, serverLabels(server), errors)
	}
	text.head(size, counter, "Bytes of arguments and of results.")
	for _, server := range servers {
		text.number(size, serverLabels(server)+`,direction="arguments"`, byServer[server].arguments.Load())
		text.number(size, serverLabels(server)+`,direction="results"`, byServer[server].results.Load())
	}
	text.head(took, histogram, "How long calls took.")
	for _, server := range servers {
		byServer[server].writeDurations(text, took, serverLabels(server))
	}
}

func (c *serverCounts) writeDurations(text *exposition, name, labels string) {
	calls, _ := c.calls()
	nanoseconds, within := c.nanoseconds.Load(), int64(0)
	for i, limit := range limits {
		within += c.within[i].Load()
		text.number(name+"_bucket", labels+`,le="`+seconds(limit)+`"`, within)
	}
	// A call that is counted meanwhile may be in a bucket already.
	calls = max(calls, within)
	text.number(name+"_bucket", labels+`,le="+Inf"`, calls)
	text.seconds(name+"_sum", labels, time.Duration(nanoseconds))
	text.number(name+"_count", labels, calls)
}

// writeToolCalls writes the metrics of tools. Outcomes that no call of a tool had are left out, so that
// there are few series.
func writeToolCalls(text *exposition, byTool map[domain.ToolIdentifier]*toolCounts) {
	tools := slices.SortedFunc(maps.Keys(byTool), func(a, b domain.ToolIdentifier) int {
		return cmp.Or(compareServers(a.ServerID(), b.ServerID()), cmp.Compare(a.Tool, b.Tool))
	})
	const calls, took = prefix + "tool_calls_total", prefix + "tool_call_duration_seconds"
	text.head(calls, counter, "Calls of each tool, by how they ended. Those of tools beyond the limit have an empty name.")
	for _, tool := range tools {
		for i, outcome := range outcomes {
			if number := byTool[tool].outcomes[i].Load(); number > 0 {
				text.number(calls, toolLabels(tool)+",outcome="+quoted(string(outcome)), number)
			}
		}
	}
	text.head(took, summary, "How long calls of each tool took.")
	for _, tool := range tools {
		number, _ := byTool[tool].calls()
		text.seconds(took+"_sum", toolLabels(tool), time.Duration(byTool[tool].nanoseconds.Load()))
		text.number(took+"_count", toolLabels(tool), number)
	}
}

func toolLabels(tool domain.ToolIdentifier) string {
	return serverLabels(tool.ServerID()) + ",tool=" + quoted(string(tool.Tool))
}

func compareServers(a, b domain.ServerID) int {
	return cmp.Or(cmp.Compare(a.Toolbox, b.Toolbox), cmp.Compare(a.Server, b.Server))
}
