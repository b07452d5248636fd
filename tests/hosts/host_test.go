package hosts_test

import (
	"cmp"
	"context"
	"slices"

	"mcp-workbench/tests/hosts/model"
)

// host is one that the specs run.
type host struct {
	// name is that of its section in the help topic.
	name string
	// packaged is the npm package whose version counts, and program its file that is
	// run, by Node when it is a script.
	packaged, program string
	// converse lets the host connect and make the calls.
	converse func(ctx context.Context, d account, calls []model.Call) conversation
	// oneShot hosts have no model and start a new workbench for each call.
	oneShot bool
	// defers is whether the model reads no definitions of tools before it searches
	// for them.
	defers bool
	// firstLine is whether the model reads only the first line of the instructions, cut.
	firstLine bool
}

// conversation is the result of a run.
type conversation struct {
	// read is the text that the model would get before its first call.
	read string
	// results are what came of the calls.
	results []string
}

// hosts are all of them, in the order of the help topic.
var hosts = []host{claudeCode, codex, geminiCLI, openCode, copilot, qwenCode, continueCLI, mcporter, inspector}

// modelConversation returns what came of a run with a model.
func modelConversation(m *model.Server) conversation {
	requests := m.Requests()
	if len(requests) == 0 {
		return conversation{}
	}
	// A host may ask for something else at last, such as what to remember.
	longest := slices.MaxFunc(requests, func(a, b model.Request) int { return cmp.Compare(len(a.Results), len(b.Results)) })
	return conversation{read: requests[0].Text, results: longest.Results}
}
