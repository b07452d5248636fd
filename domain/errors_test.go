package domain_test

import (
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("Failing", func() {
	id := domain.ServerID{Toolbox: "dev", Server: "files"}
	kinds := []error{
		domain.ErrToolboxNotFound, domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound,
		domain.ErrResourceNotFound, domain.ErrTaskNotFound, domain.ErrNoTasks, domain.ErrServerUnavailable,
		domain.ErrAllServersFailed, domain.ErrTimedOut, domain.ErrShuttingDown, domain.ErrInvalidSetting,
	}

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
		Entry("a server that cannot be reached", &domain.ServerUnavailableError{ID: id, Reason: "it exited"},
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
		unavailable := &domain.ServerUnavailableError{ID: id, Reason: "it exited"}

		Expect(domain.Reason(fmt.Errorf("list: %w", unavailable))).To(Equal("it exited"))
		Expect(domain.Reason(domain.ErrShuttingDown)).To(Equal("the workbench is shutting down"))
	})
})
