package workbenchtest

import "mcp-workbench/tests/fixtures/script"

// ToolsChanged is the line in which a server announces that its tools changed.
const ToolsChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// ChangingTools returns a server whose tools change when its tool named change is
// used.
func ChangingTools(times int) script.Script {
	s := WithTools("change", "old")
	s.Capabilities = `{"tools":{"listChanged":true}}`
	s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "change", Do: []script.Step{
		{SetTools: []string{script.Tool("change"), script.Tool("new")}},
		{Line: ToolsChanged, Times: times},
		{Result: script.Text("changed")},
	}}}, s.Rules...)
	return s
}

// DescribedTool returns the definition of a tool with a description.
func DescribedTool(name, description string) string {
	return `{"name":` + Quote(name) + `,"description":` + Quote(description) + `,"inputSchema":{"type":"object"}}`
}

// WithDefinitions returns a server with these definitions that answers every call with "done".
func WithDefinitions(definitions ...string) script.Script {
	return script.Script{Tools: definitions, Rules: []script.Rule{script.Answer("", script.Text("done"))}}
}

// ProgressNotification is the line in which a server reports the progress of a call.
const ProgressNotification = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${n},"message":"at ${n}"}}`

// MakingTasks returns a server whose tool build makes a call a task, and which answers
// requests about the task with its own name.
func MakingTasks(name, task string) script.Script {
	s := WithTools()
	s.Capabilities = `{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
	s.Tools = []string{`{"name":"build","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`, script.Tool("vanish")}
	about := func(method string) script.Rule {
		return script.Rule{Method: method, Do: []script.Step{{Result: `{"by":"` + name + `","to":"` + method + `","heard":${params}}`}}}
	}
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "vanish", Do: []script.Step{{Exit: 1}}},
		{Method: "tools/call", Tool: "build", Do: []script.Step{
			{Result: `{"task":{"taskId":"` + task + `","status":"working","ttl":60000},"heard":${params}}`},
			{Line: `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"` + task + `","status":"completed"}}`},
		}},
		about("tasks/get"), about("tasks/result"), about("tasks/cancel"),
	}
	return s
}
