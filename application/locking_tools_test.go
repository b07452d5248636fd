package application_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// onlyDescriptions treats every change as one of a description.
type onlyDescriptions struct{ fakeDefinitions }

func (onlyDescriptions) Changes(before, after domain.Pin) []domain.DefinitionChange {
	if before.Digest == after.Digest {
		return nil
	}
	return []domain.DefinitionChange{{Member: "description"}}
}

var _ = Describe("Locking tools", func() {
	begin := func(t *testing.T, lock *domain.Lock, toolboxes ...domain.Toolbox) (*workbench, *fakePins, *application.ToolLocker) {
		w, pins := start(t, toolboxes...), &fakePins{lock: lock}
		locker := application.NewToolLocker(fakeCatalog(toolboxes), application.NewPreparingConnector(w.servers, nil), pins, fakeDefinitions{}, newFakePackages(), newFakePackageLocks(), inspectingHosts, slog.New(slog.DiscardHandler))
		t.Cleanup(func() { closeWithin(locker, time.Hour) })
		return w, pins, locker
	}
	kinds := func(found domain.LockComparison) []string {
		var lines []string
		for _, d := range found.Differences {
			sign := map[bool]string{true: "+", false: "~"}[d.Locked == nil]
			if d.Live == nil {
				sign = "-"
			}
			lines = append(lines, sign+string(d.Tool.Toolbox)+"/"+string(d.Tool.Server)+"/"+d.Tool.Tool)
		}
		return lines
	}

	It("finds the tools of all servers, in the order of the configuration and by name", spec.InBubble(func(t *testing.T) {
		w, pins, locker := begin(t, nil, toolbox("ops", "db"), toolbox("dev", "web", "files"))
		w.server("files").lists("b", "a")
		w.server("web").lists()

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(found.Lock).To(BeNil())
		Expect(found.Unreachable).To(BeEmpty())
		Expect(kinds(found)).To(Equal([]string{"+ops/db/read", "+ops/db/write", "+dev/files/a", "+dev/files/b"}))
		Expect(locker.LockTools(found)).To(Succeed())
		Expect(pins.saved).To(HaveLen(1))
		Expect(pins.saved[0].Servers).To(HaveLen(3))
		Expect(pins.saved[0].Servers[2]).To(Equal(lockOf("a", "b").Servers[0]))
	}))

	It("finds the differences from the lock, including servers that are no longer configured", spec.InBubble(func(t *testing.T) {
		lock := lockOf("read: old", "gone", "same")
		lock.Servers = append(lock.Servers, domain.LockedServer{
			ID: domain.ServerID{Toolbox: "old", Server: "x"}, Tools: []domain.LockedTool{{Name: "t"}},
		})
		w, _, locker := begin(t, lock, toolbox("dev", "files"))
		w.server("files").lists("read: new", "same", "added")

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(kinds(found)).To(Equal([]string{"+dev/files/added", "-dev/files/gone", "~dev/files/read", "-old/x/t"}))
		Expect(found.Live.Servers).To(HaveLen(1))
	}))

	bareList := func(tools ...string) *domain.ToolList {
		var list domain.ToolList
		for _, tool := range tools {
			list.Tools = append(list.Tools, describedTool(tool))
		}
		return &list
	}

	It("lists tools as a host with all capabilities, then as a host with none", spec.InBubble(func(t *testing.T) {
		w, pins, locker := begin(t, nil, toolbox("dev", "files"))
		w.server("files").lists("same", "other: all", "more")
		w.server("files").bare = bareList("same", "other: none", "less")
		w.server("files").closing = 2 * time.Second

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(locker.LockTools(found)).To(Succeed())
		less, more := lockedAs("less"), lockedAs("more")
		less.Optional, more.Optional = true, true
		Expect(pins.saved[0].Servers[0].Tools).To(Equal([]domain.LockedTool{
			less, more, lockedAs("other: all", "other: none"), lockedAs("same"),
		}))
		_, maxLive := w.server("files").alive()
		Expect(maxLive).To(Equal(1))
		Expect(w.server("files").started()).To(Equal(2))
	}))

	It("starts servers for a host with all capabilities, and then for one with none", spec.InBubble(func(t *testing.T) {
		w, _, locker := begin(t, nil, toolbox("dev", "files"))
		Expect(locker.CompareTools(t.Context(), domain.LockRequest{})).Error().NotTo(HaveOccurred())
		hosts := w.server("files").hosts
		Expect(hosts).To(HaveLen(2))

		Expect(string(hosts[0].Capabilities())).To(Equal("{full}"))
		Expect(string(hosts[1].Capabilities())).To(Equal("{}"))
	}))

	It("does not kill a server that is ending when it is interrupted", spec.InBubble(func(t *testing.T) {
		w, _, locker := begin(t, nil, toolbox("dev", "files"))
		w.server("files").closing = 2 * time.Second
		interrupted, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()

		_, err := locker.CompareTools(interrupted, domain.LockRequest{})

		Expect(err).To(MatchError(context.DeadlineExceeded))
		Expect(time.Since(begun)).To(Equal(time.Second))
		Expect(w.server("files").living()).To(Equal(1))
		closeWithin(locker, time.Hour)
		Expect(time.Since(begun)).To(Equal(2 * time.Second))
		Expect(w.server("files").living()).To(BeZero())
		Expect(w.server("files").started()).To(Equal(1))
	}))

	It("reports a server that fails the second time as unreachable", spec.InBubble(func(t *testing.T) {
		lock := lockOf("read: old")
		w, _, locker := begin(t, lock, toolbox("dev", "files"))
		w.server("files").bare = &domain.ToolList{Warnings: []domain.Warning{{Kind: domain.ListBroken, Detail: "page 2"}}}

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(found.Unreachable).To(HaveLen(1))
		Expect(found.Live).To(Equal(*lock))
	}))

	It("leaves descriptions out where only schemas are pinned, and reports the servers", spec.InBubble(func(t *testing.T) {
		dev := toolbox("dev", "files")
		dev.Servers[0].Pinned = domain.PinSchema
		w, _, locker := begin(t, &domain.Lock{Servers: []domain.LockedServer{{
			ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Instructions: []string{""},
			Tools: []domain.LockedTool{{Name: "read", Pins: []domain.Pin{fakeDefinitions{}.Pin(describedTool("read"), domain.PinSchema)}}},
		}}}, dev)
		w.server("files").lists("read: on this machine")

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(found.Differences).To(BeEmpty())
		Expect(found.Unguarded).To(Equal([]domain.ServerID{{Toolbox: "dev", Server: "files"}}))
		Expect(found.OnlyDescriptions).To(BeEmpty())
	}))

	DescribeTable("finds the servers where only descriptions differ",
		func(definitions ports.Definitions, expected int, tools ...string) {
			spec.InBubble(func(t *testing.T) {
				w, pins, _ := begin(t, lockOf("read: old", "same"), toolbox("dev", "files"))
				w.server("files").lists(tools...)
				locker := application.NewToolLocker(w.catalog, application.NewPreparingConnector(w.servers, nil), pins, definitions, newFakePackages(), newFakePackageLocks(), inspectingHosts, slog.New(slog.DiscardHandler))
				t.Cleanup(func() { closeWithin(locker, time.Hour) })

				Expect(spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{})).OnlyDescriptions).To(HaveLen(expected))
			})()
		},
		Entry("when a description differs", onlyDescriptions{}, 1, "read: new", "same"),
		Entry("not when nothing differs", onlyDescriptions{}, 0, "read: old", "same"),
		Entry("not when a tool is new", onlyDescriptions{}, 0, "read: new", "same", "added"),
		Entry("not when a tool is gone", onlyDescriptions{}, 0, "read: new"),
		Entry("not when a schema differs", fakeDefinitions{}, 0, "read: new", "same"),
	)

	It("locks only the tools that exist for the host", spec.InBubble(func(t *testing.T) {
		filtered := toolbox("dev", "files")
		filtered.Servers[0].Tools = domain.OnlyTools([]string{"read"})
		_, _, locker := begin(t, nil, filtered)

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(kinds(found)).To(Equal([]string{"+dev/files/read"}))
	}))

	It("keeps the locked tools of servers that cannot be reached, or list only a part of their tools", spec.InBubble(func(t *testing.T) {
		lock := lockOf("read: old")
		w, _, locker := begin(t, lock, toolbox("dev", "files", "web", "cut"))
		w.server("files").fail("it does not start")
		w.server("web").fail("it is gone")
		w.server("cut").list.Warnings = []domain.Warning{{Kind: domain.ListBroken, Detail: "page 2"}}

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(found.Differences).To(BeEmpty())
		Expect(found.Live).To(Equal(*lock))
		Expect(found.Unreachable).To(HaveLen(3))
		Expect(found.Unreachable[0].Failure).To(MatchError(ContainSubstring("it does not start")))
		Expect(found.Unreachable[2].Failure).To(MatchError(ContainSubstring("its tool list broke off: page 2")))
	}))

	It("lists the tools even if the lock is broken", spec.InBubble(func(t *testing.T) {
		_, pins, locker := begin(t, nil, toolbox("dev", "files"))
		pins.err = &domain.LockBrokenError{Reason: "line 2"}

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(found.Broken).To(MatchError(domain.ErrLockBroken))
		Expect(found.Tools()).To(Equal(2))
	}))

	It("names the tools whose definitions would put a secret into the lock", spec.InBubble(func(t *testing.T) {
		dev := toolbox("dev", "files")
		dev.Servers[0].Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}
		w, _, locker := begin(t, nil, dev)
		w.server("files").lists("read: reads", "write: as hunter2hunter2")

		found := spec.Must(locker.CompareTools(t.Context(), domain.LockRequest{}))
		Expect(found.Revealing).To(Equal([]domain.ToolIdentifier{{Toolbox: "dev", Server: "files", Tool: "write"}}))
	}))

	It("fails if it is cancelled or the lock cannot be written", spec.InBubble(func(t *testing.T) {
		_, pins, locker := begin(t, nil, toolbox("dev", "files"))
		over, cancel := context.WithCancel(t.Context())
		cancel()

		_, err := locker.CompareTools(over, domain.LockRequest{})
		Expect(err).To(MatchError(context.Canceled))

		pins.err = errors.New("disk full")
		Expect(locker.LockTools(domain.LockComparison{})).To(MatchError("disk full"))
	}))
})
