package hosts_test

import (
	"cmp"
	"context"
	"slices"

	"mcp-workbench/tests/hosts/model"
)

// host is a host that the specs run.
type host struct {
	// name is the name of its section in the help topic.
	name string
	// packaged is the npm package whose version is reported, and program the file in it that is
	// run, by Node if it is a script.
	packaged, program string
	// converse lets the host connect and make the calls.
	converse func(ctx context.Context, d account, calls []model.Call) conversation
	// oneShot hosts have no model and start a new workbench for each call.
	oneShot bool
	// defers reports whether the model reads definitions of tools only after it has searched
	// for them.
	defers bool
	// firstLine reports whether the model reads only the first line of the instructions, cut.
	firstLine bool
}

// conversation is the result of a run.
type conversation struct {
	// read is the text that the model would get before its first call.
	read string
	// results are the results of the calls.
	results []string
}

// hosts are all of them, in the order of the help topic.
var hosts = []host{claudeCode, codex, geminiCLI, openCode, copilot, qwenCode, continueCLI, mcporter, inspector}

// modelConversation returns the result of a run with a model.
func modelConversation(m *model.Server) conversation {
	requests := m.Requests()
	if len(requests) == 0 {
		return conversation{}
	}
	// The last request of a host may be for another purpose, such as a memory.
	longest := slices.MaxFunc(requests, func(a, b model.Request) int { return cmp.Compare(len(a.Results), len(b.Results)) })
	return conversation{read: requests[0].Text, results: longest.Results}
}
