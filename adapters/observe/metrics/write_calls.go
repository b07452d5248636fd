package metrics

import (
	"maps"
	"slices"
	"strconv"

	"mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
)

// write writes the metrics of the servers for which sees returns true.
func (c *callCounts) write(text *exposition, sees func(domain.ServerID) bool) {
	byServer, byTool := c.byServer.All(), c.byTool.All()
	maps.DeleteFunc(byServer, func(server domain.ServerID, _ *serverCounts) bool { return !sees(server) })
	maps.DeleteFunc(byTool, func(tool domain.ToolIdentifier, _ *figures.Calls) bool { return !sees(tool.ServerID()) })
	writeServerCalls(text, byServer)
	if c.isByTool {
		writeToolCalls(text, byTool)
	}
}

func writeServerCalls(text *exposition, byServer map[domain.ServerID]*serverCounts) {
	servers := slices.SortedFunc(maps.Keys(byServer), domain.ServerID.Compare)
	const name = prefix + "calls_total"
	text.head(name, counter, "Calls of tools, by how they ended.")
	for _, server := range servers {
		for _, outcome := range domain.Outcomes() {
			text.number(name, serverLabels(server)+outcomeLabel(outcome), byServer[server].Of(outcome))
		}
	}
	const errors = prefix + "call_errors_total"
	text.head(errors, counter, "Calls that the server did not answer, or with an error.")
	for _, server := range servers {
		calls := byServer[server]
		text.number(errors, serverLabels(server), calls.Failed()-calls.Of(domain.OutcomeToolError))
	}
	const bytes = prefix + "call_bytes_total"
	text.head(bytes, counter, "Bytes of arguments and of results.")
	for _, server := range servers {
		text.number(bytes, serverLabels(server)+`,direction="arguments"`, byServer[server].arguments.Load())
		text.number(bytes, serverLabels(server)+`,direction="results"`, byServer[server].results.Load())
	}
	const durations = prefix + "call_duration_seconds"
	text.head(durations, histogram, "How long calls took.")
	for _, server := range servers {
		writeDurations(text, durations, serverLabels(server), &byServer[server].Calls)
	}
}

func writeDurations(text *exposition, name, labels string, calls *figures.Calls) {
	within := int64(0)
	for i, number := range calls.Buckets(limits) {
		limit := "+Inf"
		if i < len(limits) {
			limit = seconds(limits[i])
		}
		within += int64(number)
		text.number(name+"_bucket", labels+",le="+strconv.Quote(limit), within)
	}
	text.seconds(name+"_sum", labels, calls.Sum())
	text.number(name+"_count", labels, within)
}

// writeToolCalls writes the metrics of tools. Outcomes that no call of a tool had are left out, so that
// there are few series.
func writeToolCalls(text *exposition, byTool map[domain.ToolIdentifier]*figures.Calls) {
	tools := slices.SortedFunc(maps.Keys(byTool), domain.ToolIdentifier.Compare)
	const name, durations = prefix + "tool_calls_total", prefix + "tool_call_duration_seconds"
	text.head(name, counter, "Calls of each tool, by how they ended. Those of tools beyond the limit have an empty name.")
	for _, tool := range tools {
		text.outcomes(name, toolLabels(tool), byTool[tool])
	}
	text.head(durations, summary, "How long calls of each tool took.")
	for _, tool := range tools {
		text.seconds(durations+"_sum", toolLabels(tool), byTool[tool].Sum())
		text.number(durations+"_count", toolLabels(tool), byTool[tool].Total())
	}
}

// writeIdentities writes the calls and the sessions of each identity that made a call. Outcomes that no call had
// are left out.
func (c *callCounts) writeIdentities(text *exposition, sessions func(identity string) int) {
	byIdentity := c.byIdentity.All()
	identities := slices.Sorted(maps.Keys(byIdentity))
	const name, open = prefix + "identity_calls_total", prefix + "identity_sessions"
	text.head(name, counter, "Calls of each identity, by how they ended. Calls without one, and those of identities beyond the limit, have an empty name.")
	for _, identity := range identities {
		text.outcomes(name, "identity="+labelValue(identity), byIdentity[identity])
	}
	text.head(open, gauge, "Sessions of each identity that made a call.")
	for _, identity := range identities {
		text.number(open, "identity="+labelValue(identity), int64(sessions(identity)))
	}
}

// outcomes writes the numbers of calls by outcome, without those that no call had.
func (e *exposition) outcomes(name, labels string, calls *figures.Calls) {
	for _, outcome := range domain.Outcomes() {
		if number := calls.Of(outcome); number > 0 {
			e.number(name, labels+outcomeLabel(outcome), number)
		}
	}
}

func outcomeLabel(outcome domain.Outcome) string { return ",outcome=" + labelValue(string(outcome)) }

func toolLabels(tool domain.ToolIdentifier) string {
	return serverLabels(tool.ServerID()) + ",tool=" + labelValue(tool.Tool)
}
