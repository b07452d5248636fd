package wording_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

var db = domain.ServerID{Toolbox: "dev", Server: "db"}

var _ = Describe("A failure", func() {
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}
	const reviewed = "\nAsk the user to look at the differences with `mcp-workbench lock --check` and, if they are right, " +
		"to accept them with `mcp-workbench lock --update` in a terminal; then open the toolbox again."
	const restored = "\nAsk the user to restore the file, or to write it again with `mcp-workbench lock --update` in a terminal; then open the toolbox again."
	names := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("n%d", i))
		}
		return list
	}

	DescribeTable("to use a tool says what exists and what to do next", Label("S11"),
		func(err error, text string) {
			Expect(wording.UseToolFailure(read, fmt.Errorf("use: %w", err))).To(Equal(text))
		},
		Entry("an unknown toolbox", &domain.ToolboxNotFoundError{Toolbox: "prod", Available: []string{"development", "production"}},
			"Error: Toolbox 'prod' not found. Available toolboxes: development, production"),
		Entry("a misspelled toolbox", &domain.ToolboxNotFoundError{Toolbox: "producton", Available: []string{"development", "production"}},
			"Error: Toolbox 'producton' not found. Available toolboxes: development, production\nDid you mean 'production'?"),
		Entry("no toolboxes", &domain.ToolboxNotFoundError{Toolbox: "x"}, "Error: Toolbox 'x' not found. Available toolboxes: none"),
		Entry("a toolbox that is not open", &domain.ToolboxNotOpenError{Toolbox: "development"},
			"Error: Toolbox 'development' is not open. Call open_toolbox first."),
		Entry("a toolbox that is not open before the first is opened", &domain.ToolboxNotOpenError{Toolbox: "development", IsFirst: true},
			"Error: Toolbox 'development' is not open. Call open_toolbox first."+
				"\nIf it was opened before, the host begins a new session for each call; the user can set \"openOnUse\": true in the configuration."),
		Entry("an unknown server", &domain.ServerNotFoundError{ID: domain.ServerID{Toolbox: "dev", Server: "database"}, Available: []string{"files", "web"}},
			"Server 'database' not found in toolbox 'dev'\nServers of this toolbox: files, web"),
		Entry("a misspelled server", &domain.ServerNotFoundError{ID: domain.ServerID{Toolbox: "dev", Server: "file"}, Available: []string{"files", "web"}},
			"Server 'file' not found in toolbox 'dev'\nDid you mean 'files'?"),
		Entry("an unknown tool", &domain.ToolNotFoundError{Available: []string{"write", "list"}},
			"Tool 'read' not found in server 'files' (toolbox 'dev')\nTools of this server: write, list"),
		Entry("a misspelled tool", &domain.ToolNotFoundError{Available: []string{"reads", "write"}},
			"Tool 'read' not found in server 'files' (toolbox 'dev')\nDid you mean 'reads'?"),
		Entry("a tool that is gone", &domain.ToolNotFoundError{Available: []string{"write"}, Gone: true}, "Tool 'read' not found in server 'files' "+
			"(toolbox 'dev')\nThe server listed it the last time, and does not any more.\nTools of this server: write"),
		Entry("a tool that changed", &domain.DefinitionChangedError{Changed: "description", Definition: json.RawMessage(`{"name":"read"}`)},
			"Tool 'read' in server 'files' (toolbox 'dev') was not called, since its definition is not as it was shown (description). "+
				"Call it again if that is still right:\n"+`{"name":"read","server":"files","toolbox":"dev"}`),
		Entry("a server without tools", &domain.ToolNotFoundError{},
			"Tool 'read' not found in server 'files' (toolbox 'dev')\nTools of this server: none"),
		Entry("thirty tools", &domain.ToolNotFoundError{Available: names(30)},
			"Tool 'read' not found in server 'files' (toolbox 'dev')\nTools of this server: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, "+
				"n10, n11, n12, n13, n14, n15, n16, n17, n18, n19, n20, n21, n22, n23, n24, n25, n26, n27, n28, n29"),
		Entry("more than thirty tools", &domain.ToolNotFoundError{Available: names(42)},
			"Tool 'read' not found in server 'files' (toolbox 'dev')\nTools of this server: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, "+
				"n10, n11, n12, n13, n14, n15, n16, n17, n18, n19, n20, n21, n22, n23, n24, n25, n26, n27, n28, n29 and 12 more"),
		Entry("a server that cannot be reached", &domain.ServerUnavailableError{ID: files, Reason: errors.New("it exited with code 1")},
			"Error executing tool 'read' in server 'files' (toolbox 'dev'): it exited with code 1"),
		Entry("a limit that ran out", &domain.TimedOutError{ID: files, Waited: 2*time.Minute + 7*time.Millisecond, Limit: "limits.call"},
			"Error executing tool 'read' in server 'files' (toolbox 'dev'): no answer within 2m0s (limits.call raises the limit)"),
		Entry("the end of the workbench", domain.ErrShuttingDown,
			"Error executing tool 'read' in server 'files' (toolbox 'dev'): the workbench is shutting down"),
		Entry("an unforeseen reason, which stays on stderr", errors.New("secret"),
			"Error executing tool 'read' in server 'files' (toolbox 'dev'): internal error"),
		Entry("a toolbox with a problem", &domain.ToolboxNotFoundError{
			Toolbox: "x", Available: []string{"dev"}, Problems: []domain.ConfigurationProblem{{Toolbox: "x", Text: "found 1, want a text"}},
		}, "Error: Toolbox 'x' not found. Available toolboxes: dev\n"+
			"The configuration of the toolbox has a problem, for the user to correct: found 1, want a text"),
		Entry("a server with a problem", &domain.ServerNotFoundError{
			ID: db, Available: []string{"files"}, Problems: []domain.ConfigurationProblem{{Text: "found 1, want a text"}},
		}, "Server 'db' not found in toolbox 'dev'\nThe configuration of the server has a problem, for the user to correct: found 1, want a text"),
		Entry("a tool that only pages can call", &domain.ToolNotFoundError{Tool: read, ForPages: true},
			"Tool 'read' in server 'files' (toolbox 'dev') can only be called by pages of its server. Use the tools that open_toolbox lists."),
		Entry("a tool that is not read-only", &domain.NotReadOnlyError{Tool: read},
			"Tool 'read' in server 'files' (toolbox 'dev') cannot be called with read_tool: it is not one of the tools that only read.\n"+
				"Call it with use_tool and the same parameters."),
		Entry("a read-only tool that needs approval", &domain.NotReadOnlyError{Tool: read, NeedsYes: true},
			"Tool 'read' in server 'files' (toolbox 'dev') cannot be called with read_tool: "+
				"the user wants to be asked before each call of it.\nCall it with use_tool and the same parameters."),
		Entry("wrong arguments, with the definition", &domain.InvalidArgumentsError{
			Tool: read, Problems: "'path' is required", Definition: []byte(`{"name":"read","x":1.0}`),
		}, "Invalid arguments for tool 'read' in server 'files' (toolbox 'dev'): 'path' is required\n"+
			`{"name":"read","x":1.0,"server":"files","toolbox":"dev"}`),
		Entry("a lock that cannot be used", &domain.LockBrokenError{Path: "/secret/place", Reason: "line 2 is not valid JSON"},
			"Error opening toolbox 'dev': workbench.lock.json cannot be used, and no tool can be used without it: line 2 is not valid JSON"+restored),
	)

	DescribeTable("of a blocked tool says what the user can do",
		func(why domain.WarningKind, detail, text string) {
			Expect(wording.UseToolFailure(read, &domain.ToolBlockedError{Tool: read, Why: why, Detail: detail})).To(Equal(text))
		},
		Entry("that changed", domain.ChangedToolBlocked, "description",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since it is not as it was locked in workbench.lock.json: "+
				"its definition changed (description)"+reviewed),
		Entry("without a known cause", domain.UnknownToolBlocked, "",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since it is not in workbench.lock.json"+reviewed),
		Entry("that cannot be checked", domain.UncheckedToolBlocked, "line 2 is not valid JSON",
			"Tool 'read' in server 'files' (toolbox 'dev') is blocked, since workbench.lock.json cannot be used: line 2 is not valid JSON"+restored),
	)

	DescribeTable("of a call without approval says why, and not how to continue without it",
		func(answer domain.ConfirmationAnswer, text string) {
			Expect(wording.UseToolFailure(read, &domain.NotConfirmedError{Tool: read, Answer: answer})).To(Equal(
				"Tool 'read' in server 'files' (toolbox 'dev') was not called: " + text))
		},
		Entry(nil, domain.ConfirmationDeclined, "the user did not allow this call. Do not try it again unless the user asks for it."),
		Entry(nil, domain.ConfirmationTimedOut, "it needs the user's approval, and got no answer within 5 minutes."),
		Entry(nil, domain.ConfirmationImpossible, "each call needs the user's approval, and this host shows no forms to ask for it (elicitation). "+
			"The user can use another host, run `mcp-workbench call` in a terminal, or change \"confirm\" in the configuration."),
		Entry(nil, domain.ConfirmationFailed, "it needs the user's approval, and the host could not ask for it."),
		Entry(nil, domain.ConfirmationUnclear, "it needs the user's approval, and got no answer."),
	)

	DescribeTable("to open a toolbox says why",
		func(opened domain.OpenedToolbox, err error, text string) {
			Expect(wording.OpenToolboxFailure("x", opened, err)).To(Equal(text))
		},
		Entry("no toolbox has the name", domain.OpenedToolbox{},
			&domain.ToolboxNotFoundError{Toolbox: "x", Available: []string{"development", "production"}},
			"Error: Toolbox 'x' not found. Available toolboxes: development, production"),
		Entry("there are no toolboxes", domain.OpenedToolbox{}, &domain.ToolboxNotFoundError{Toolbox: "x"},
			"Error: Toolbox 'x' not found. Available toolboxes: none"),
		Entry("no server can be reached", domain.OpenedToolbox{Servers: []domain.OpenedServer{
			{ID: files, Failure: &domain.ServerUnavailableError{ID: files, Reason: errors.New("no such program")}},
			{ID: db, Failure: domain.ErrShuttingDown},
		}}, domain.ErrAllServersFailed,
			"Error opening toolbox 'x': Failed to connect to server 'files' in toolbox 'dev': no such program; "+
				"Failed to connect to server 'db' in toolbox 'dev': the workbench is shutting down"),
		Entry("the workbench is ending", domain.OpenedToolbox{}, domain.ErrShuttingDown,
			"Error opening toolbox 'x': the workbench is shutting down"),
		Entry("for an unforeseen reason, which stays on stderr", domain.OpenedToolbox{}, errors.New("secret"),
			"Error opening toolbox 'x': internal error"),
	)

	DescribeTable("to close a toolbox says why",
		func(err error, text string) { Expect(wording.CloseToolboxFailure("x", err)).To(Equal(text)) },
		Entry("an unknown toolbox", &domain.ToolboxNotFoundError{Toolbox: "x", Available: []string{"dev"}},
			"Error: Toolbox 'x' not found. Available toolboxes: dev"),
		Entry("a toolbox that is not open", &domain.ToolboxNotOpenError{Toolbox: "x"}, "Error: Toolbox 'x' is not open."),
		Entry("anything else", errors.New("secret"), "Error closing toolbox 'x': internal error"),
	)
})
