package wording_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

var files = domain.ServerID{Toolbox: "dev", Server: "files"}

var _ = Describe("The reason why a server cannot be used", func() {
	pin := domain.PackagePin{PackageRequest: domain.PackageRequest{Name: "a", Spec: "a@^1"}, Version: "1.2.3"}

	DescribeTable("says what happened, and what to do next",
		func(reason error, text string) {
			failure := fmt.Errorf("list: %w", &domain.ServerUnavailableError{ID: files, Reason: reason})
			Expect(wording.Reason(failure)).To(Equal(text))
			Expect(wording.UserReason(failure)).To(Equal(wording.ForUser(text)))
		},
		Entry("an adapter's own words", errors.New("it exited"), "it exited"),
		Entry("a closed toolbox", domain.ErrToolboxClosed, "the toolbox was closed"),
		Entry("other settings", domain.ErrReplacedMeanwhile, "its configuration changed meanwhile; open the toolbox again"),
		Entry("a variable that is not set", &domain.UnsetVariableError{Variable: "TOKEN", KeyPath: "toolboxes.dev"},
			"environment variable 'TOKEN' is not set (toolboxes.dev)"),
		Entry("an empty variable", &domain.UnsetVariableError{Variable: "TOKEN", KeyPath: "toolboxes.dev", IsEmpty: true},
			"environment variable 'TOKEN' is empty (toolboxes.dev)"),
		Entry("the limit on connecting", &domain.ConnectTimeoutError{Limit: 10 * time.Second},
			"connection timeout after 10s (limits.connect raises it)"),
		Entry("the limit, with what the server reported meanwhile",
			&domain.ConnectTimeoutError{Limit: time.Second, Cause: &domain.ServerUnavailableError{Reason: errors.New("it ended")}},
			"connection timeout after 1s (limits.connect raises it); it ended"),
		Entry("the limit, with a cause without a wording", &domain.ConnectTimeoutError{Limit: time.Second, Cause: errors.New("secret")},
			"connection timeout after 1s (limits.connect raises it)"),
		Entry("a slow start of less than a second", &domain.StillStartingError{Waited: 250 * time.Millisecond},
			"still starting after 0.25s; open the toolbox again to see its tools"),
		Entry("a slow start", &domain.StillStartingError{Waited: 3_049 * time.Millisecond},
			"still starting after 3s; open the toolbox again to see its tools"),
		Entry("a slow start, with standard error", &domain.StillStartingError{Waited: time.Second, Stderr: "npm: x"},
			"still starting after 1s; open the toolbox again to see its tools; the end of its stderr: npm: x"),
		Entry("a slow start that a call waited for", &domain.StillStartingError{Waited: 50 * time.Second, InUse: true},
			"still starting after 50s; try again later"),
		Entry("an installation", &domain.StillStartingError{Waited: 45 * time.Second, Installing: "a@1.2.3"},
			"its package a@1.2.3 is still being installed after 45s, which continues; open the toolbox again to see its tools"),
		Entry("a server that hangs", &domain.HungError{Calls: 3}, "the server did not answer 3 calls in a row, nor a ping"),
		Entry("a pause, rounded up", &domain.PausedError{
			Failure: &domain.ServerUnavailableError{Reason: errors.New("it ended")}, Failures: 2, Wait: 1_001 * time.Millisecond,
		}, "it ended; it failed 2 times in a row; the next try is in 2s"),
		Entry("a pause after many failures", &domain.PausedError{
			Failure:  &domain.ServerUnavailableError{Reason: &domain.ConnectTimeoutError{Limit: time.Second}},
			Failures: 6, Stopped: true, Wait: time.Minute,
		}, "connection timeout after 1s (limits.connect raises it); it failed 6 times in a row, so the workbench stopped trying for a while; "+
			"the next try is in 60s"),
		Entry("a package without a pin", &domain.PackageError{},
			"its package is not pinned, and the configuration lets only pinned packages start (\"packages\"); "+
				"the user can run `mcp-workbench lock --packages`"),
		Entry("a package that cannot be pinned", &domain.PackageError{Cause: errors.New("images are not pinned here")},
			"its package cannot be pinned, and the configuration lets only pinned packages start (\"packages\"): images are not pinned here"),
		Entry("a pin for another package", &domain.PackageError{Pin: &pin, Request: &domain.PackageRequest{Name: "a", Spec: "a@^2"}},
			"it is locked for a@^1, and the configuration says a@^2; the user can run `mcp-workbench lock --packages`"),
		Entry("a pin for what cannot be pinned", &domain.PackageError{Pin: &pin, Cause: errors.New("images are not pinned here")},
			"workbench.lock.json has a pin for a@^1, but what is configured now cannot be pinned: images are not pinned here"),
		Entry("a lock that cannot be used", &domain.PackageError{Lock: "line 2 is not valid JSON"},
			"it is not known whether its package is pinned, since workbench.lock.json cannot be used: line 2 is not valid JSON"),
		Entry("a lock file of a package that cannot be used", &domain.PackageError{Pin: &pin, Lock: "it does not exist"},
			"the lock file of a@1.2.3 beside workbench.lock.json cannot be used: it does not exist; the user can restore it"),
	)

	DescribeTable("is worded for other failures, too",
		func(failure error, model, user string) {
			Expect(wording.Reason(failure)).To(Equal(model))
			Expect(wording.UserReason(failure)).To(Equal(user))
		},
		Entry("a limit", &domain.TimedOutError{ID: files, Waited: 2 * time.Minute, Limit: "limits.call"},
			"no answer within 2m0s (limits.call raises the limit)", "no answer within 2m0s (limits.call raises the limit)"),
		Entry("a toolbox that is not open", &domain.ToolboxNotOpenError{Toolbox: "dev"}, "the toolbox was closed", "the toolbox was closed"),
		Entry("the end of the workbench", domain.ErrShuttingDown, "the workbench is shutting down", "the workbench is shutting down"),
		Entry("the end of a context", context.Canceled, "the workbench is shutting down", "the workbench is shutting down"),
		Entry("a cause that no model is shown", errors.New("disk full"), "internal error", "disk full"),
	)

	DescribeTable("names the command and the page to log in with",
		func(server domain.ServerName, link, expected string) {
			failure := &domain.LoginRequiredError{
				ID: domain.ServerID{Toolbox: "dev", Server: server}, Why: "it asks for a login", Wanted: ": scope a", Link: link,
				Hosts: domain.LoginHosts{Page: "idp.example.com", Server: "mcp.example.com"},
			}
			Expect(wording.Reason(failure)).To(Equal(expected))
		},
		Entry("with a page", domain.ServerName("files"), "http://127.0.0.1:1/a",
			"it asks for a login: scope a; to log in, the user can run `mcp-workbench login dev/files` or open http://127.0.0.1:1/a "+
				"(the page is at idp.example.com, the server at mcp.example.com); then try again"),
		Entry("without a page", domain.ServerName("files"), "",
			"it asks for a login: scope a; to log in, the user can run `mcp-workbench login dev/files`; then try again"),
		Entry("with a name that a shell would split", domain.ServerName("my files"), "",
			"it asks for a login: scope a; to log in, the user can run `mcp-workbench login \"dev/my files\"`; then try again"),
	)

	It("names the operator if only the operator can log in, without a page", func() {
		failure := &domain.LoginRequiredError{ID: files, Why: "it asks for a login", Link: "http://127.0.0.1:1/a", ByOperator: true}

		Expect(wording.Reason(failure)).To(Equal(
			"it asks for a login; the operator of the workbench can log in there with `mcp-workbench login dev/files`; then try again"))
	})
})

var _ = Describe("The text for a host about a server", func() {
	It("says that it was restarted, and why", func() {
		Expect(wording.Restarted(files, domain.ErrReplaced)).To(Equal(
			"Server 'files' of toolbox 'dev' was restarted, and what it had in memory is gone: its configuration changed"))
		Expect(wording.Restarted(files, &domain.ServerUnavailableError{ID: files, Reason: errors.New("it exited")})).To(HaveSuffix(": it exited"))
	})

	It("says at which hosts the login page and the server are", func() {
		Expect(wording.LoginPrompt(files, domain.LoginHosts{Page: "idp.example.com", Server: "mcp.example.com"})).To(Equal(
			"MCP Workbench asks:\nThe server 'files' of the toolbox 'dev' needs you to log in: " +
				"the page is at idp.example.com, the server at mcp.example.com."))
	})
})

var _ = Describe("The answer of find_tool", Label("TG10"), func() {
	answer := func(description string) string {
		quoted, err := json.Marshal(description)
		Expect(err).NotTo(HaveOccurred())
		tool := domain.ToolInfo{Name: "read", Shown: "read", Definition: json.RawMessage(`{"name":"read","description":` + string(quoted) + `}`)}
		return wording.Findings(domain.Findings{Found: []domain.Finding{{Server: domain.ServerID{Toolbox: "dev", Server: "files"}, Tool: tool}}}, false)
	}

	It("warns of characters that hide or reorder text, as open_toolbox does", func() {
		Expect(answer("Reads\u202e a file.")).To(HaveSuffix(
			"\nWarning: the line of Tool 'read' in server 'files' (toolbox 'dev') has characters that hide or reorder text (U+202E)."))
	})

	It("warns of no other text", func() {
		Expect(answer("Liest eine Datei. 读取文件。 ملف 👩‍💻")).NotTo(ContainSubstring("Warning"))
	})
})

var _ = DescribeTable("A pattern that matches no tool is named with its place and what was probably meant",
	func(place domain.PatternPlace, nearest []string, text string) {
		place.Key, place.Pattern.Text = "confirm", "pu\x07sh"
		Expect(wording.UnmatchedPattern(domain.UnmatchedPattern{PatternPlace: place, Nearest: nearest})).To(Equal(text))
	},
	Entry("in the root", domain.PatternPlace{}, nil, `"confirm" names 'pu\u0007sh', which matches no tool`),
	Entry("in a toolbox", domain.PatternPlace{Toolbox: "dev"}, []string{"push"},
		`"confirm" of toolbox 'dev' names 'pu\u0007sh', which matches no tool; did you mean 'push'?`),
	Entry("in a server", domain.PatternPlace{Toolbox: "dev", Server: "git"}, []string{"push", "pull"},
		`"confirm" of server 'git' in toolbox 'dev' names 'pu\u0007sh', which matches no tool; did you mean 'push' or 'pull'?`),
)
