package domain_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Failing", func() {
	id := domain.ServerID{Toolbox: "dev", Server: "files"}
	kinds := map[string]error{
		"ErrToolboxNotFound": domain.ErrToolboxNotFound, "ErrToolboxNotOpen": domain.ErrToolboxNotOpen,
		"ErrServerNotFound": domain.ErrServerNotFound, "ErrToolNotFound": domain.ErrToolNotFound,
		"ErrToolBlocked": domain.ErrToolBlocked, "ErrNotReadOnly": domain.ErrNotReadOnly, "ErrInvalidArguments": domain.ErrInvalidArguments, "ErrDefinitionChanged": domain.ErrDefinitionChanged, "ErrNotConfirmed": domain.ErrNotConfirmed, "ErrLockBroken": domain.ErrLockBroken,
		"ErrResourceNotFound": domain.ErrResourceNotFound, "ErrTooManySubscriptions": domain.ErrTooManySubscriptions, "ErrPromptNotFound": domain.ErrPromptNotFound, "ErrTaskNotFound": domain.ErrTaskNotFound,
		"ErrNoTasks": domain.ErrNoTasks, "ErrLoginRequired": domain.ErrLoginRequired, "ErrServerUnavailable": domain.ErrServerUnavailable, "ErrAnswerTooLarge": domain.ErrAnswerTooLarge,
		"ErrAllServersFailed": domain.ErrAllServersFailed, "ErrTimedOut": domain.ErrTimedOut,
		"ErrShuttingDown": domain.ErrShuttingDown, "ErrInvalidSetting": domain.ErrInvalidSetting,
	}

	It("is in one of the kinds that these specs know", func() {
		Expect(slices.Collect(maps.Keys(kinds))).To(ConsistOf(declaredKinds()))
	})

	DescribeTable("with data says what and matches its kind and no other",
		func(err error, kind error, text string) {
			Expect(err).To(MatchError(text))
			wrapped := fmt.Errorf("open: %w", err)
			for _, other := range kinds {
				Expect(errors.Is(wrapped, other)).To(Equal(other == kind), "matches %q", other) //nolint:errorlint // the sentinels themselves
			}
		},
		Entry("an unknown toolbox", &domain.ToolboxNotFoundError{Toolbox: "x", Available: []string{"dev"}},
			domain.ErrToolboxNotFound, `toolbox "x" not found`),
		Entry("a toolbox that is not open", &domain.ToolboxNotOpenError{Toolbox: "dev"},
			domain.ErrToolboxNotOpen, `toolbox "dev" not open`),
		Entry("an unknown server", &domain.ServerNotFoundError{ID: id, Available: []string{"db"}},
			domain.ErrServerNotFound, `server "files" not found in toolbox "dev"`),
		Entry("an unknown tool",
			&domain.ToolNotFoundError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}},
			domain.ErrToolNotFound, `tool "erase" not found in server "files" of toolbox "dev"`),
		Entry("a tool that only pages can call",
			&domain.ToolNotFoundError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}, ForPages: true},
			domain.ErrToolNotFound, `tool "erase" of server "files" of toolbox "dev" is for pages only`),
		Entry("a tool of a page that several servers have",
			&domain.PageToolError{Name: "erase", Shown: 2},
			domain.ErrToolNotFound, `tool "erase" of a page: pages of 2 servers that have it are shown`),
		Entry("a tool that must not be used",
			&domain.ToolBlockedError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}, Why: domain.ChangedToolBlocked},
			domain.ErrToolBlocked, `tool "erase" of server "files" of toolbox "dev" is not as it was locked`),
		Entry("a tool that does more than read",
			&domain.NotReadOnlyError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}},
			domain.ErrNotReadOnly, `tool "erase" of server "files" of toolbox "dev" cannot be called as read-only`),
		Entry("a tool that is not as it was shown",
			&domain.DefinitionChangedError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}},
			domain.ErrDefinitionChanged, `tool "erase" of server "files" of toolbox "dev" is not as it was shown`),
		Entry("arguments that the tool does not take",
			&domain.InvalidArgumentsError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}, Problems: "'path' is required"},
			domain.ErrInvalidArguments, `invalid arguments for tool "erase" of server "files" of toolbox "dev"`),
		Entry("a call that was not allowed",
			&domain.NotConfirmedError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "erase"}, Answer: domain.ConfirmationTimedOut},
			domain.ErrNotConfirmed, `the call of tool "erase" of server "files" of toolbox "dev" was not confirmed: no answer in time`),
		Entry("a server that wants a login", &domain.LoginRequiredError{ID: id, Origin: "https://mcp.example.com", Why: "it asks for a login"},
			domain.ErrLoginRequired, `server "files" of toolbox "dev" at https://mcp.example.com needs a login: it asks for a login`),
		Entry("a lock that cannot be used", &domain.LockBrokenError{Path: "/x.lock", Reason: "it is no JSON"},
			domain.ErrLockBroken, `/x.lock: it is no JSON`),
		Entry("a server that cannot be reached", &domain.ServerUnavailableError{ID: id, Reason: errors.New("it exited")},
			domain.ErrServerUnavailable, `server "files" of toolbox "dev": it exited`),
		Entry("a limit that ran out", &domain.TimedOutError{ID: id, Waited: 2 * time.Minute, Limit: "limits.call"},
			domain.ErrTimedOut, `server "files" of toolbox "dev": no answer within 2m0s`),
		Entry("a setting that does not fit", &domain.SettingError{Key: []string{"args", "1"}, Found: "a number", Wanted: "a string"},
			domain.ErrInvalidSetting, `[args 1]: found a number, want a string`),
	)

	It("has a text of its own for each kind", func() {
		seen := map[string]bool{}
		for _, kind := range kinds {
			Expect(kind.Error()).NotTo(BeEmpty())
			Expect(seen).NotTo(HaveKey(kind.Error()))
			seen[kind.Error()] = true
		}
	})

	It("gives the reason of a server that cannot be used, for after a colon", func() {
		unavailable := &domain.ServerUnavailableError{ID: id, Reason: errors.New("it exited")}

		Expect(domain.Reason(fmt.Errorf("list: %w", unavailable))).To(Equal("it exited"))
		Expect(domain.Reason(domain.ErrShuttingDown)).To(Equal("the workbench is shutting down"))
	})
})

// declaredKinds returns the names that the package declares for kinds of failures, so
// that this spec misses none.
func declaredKinds() []string {
	GinkgoHelper()
	paths := spec.Must(filepath.Glob("errors.go"))
	var names []string
	for _, path := range paths {
		file := spec.Must(parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution))
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Err") {
				names = append(names, spec.Names[0].Name)
			}
			return true
		})
	}
	return names
}
