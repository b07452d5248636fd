package application_test

import (
	"context"
	"errors"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Locking tools", func() {
	begin := func(t *testing.T, lock *domain.Lock, toolboxes ...domain.Toolbox) (*workbench, *fakePins, *application.ToolLocker) {
		w, pins := start(t, toolboxes...), &fakePins{lock: lock}
		return w, pins, application.NewToolLocker(fakeCatalog(toolboxes), w.sessions, pins, fakeDefinitions{})
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

		found, err := locker.CompareTools(t.Context())

		Expect(err).NotTo(HaveOccurred())
		Expect(found.Lock).To(BeNil())
		Expect(found.Unreachable).To(BeEmpty())
		Expect(kinds(found)).To(Equal([]string{"+ops/db/read", "+ops/db/write", "+dev/files/a", "+dev/files/b"}))
		Expect(locker.LockTools(found)).To(Succeed())
		Expect(pins.saved).To(HaveLen(1))
		Expect(pins.saved[0].Servers).To(HaveLen(3))
		Expect(pins.saved[0].Servers[2]).To(Equal(lockOf("a", "b").Servers[0]))
	}))

	It("finds what is not as it was locked, also of servers that are configured no more", spec.InBubble(func(t *testing.T) {
		lock := lockOf("read: old", "gone", "same")
		lock.Servers = append(lock.Servers, domain.LockedServer{
			ID: domain.ServerID{Toolbox: "old", Server: "x"}, Tools: []domain.Pin{{Tool: "t"}},
		})
		w, _, locker := begin(t, lock, toolbox("dev", "files"))
		w.server("files").lists("read: new", "same", "added")

		found, err := locker.CompareTools(t.Context())

		Expect(err).NotTo(HaveOccurred())
		Expect(kinds(found)).To(Equal([]string{"+dev/files/added", "-dev/files/gone", "~dev/files/read", "-old/x/t"}))
		Expect(found.Live.Servers).To(HaveLen(1))
	}))

	It("takes only the tools that exist for the host", spec.InBubble(func(t *testing.T) {
		filtered := toolbox("dev", "files")
		filtered.Servers[0].Tools = domain.OnlyTools([]string{"read"})
		_, _, locker := begin(t, nil, filtered)

		found, err := locker.CompareTools(t.Context())

		Expect(err).NotTo(HaveOccurred())
		Expect(kinds(found)).To(Equal([]string{"+dev/files/read"}))
	}))

	It("keeps what was locked of servers that cannot be reached, or list their tools in part", spec.InBubble(func(t *testing.T) {
		lock := lockOf("read: old")
		w, _, locker := begin(t, lock, toolbox("dev", "files", "web", "cut"))
		w.server("files").fail("it does not start")
		w.server("web").fail("it is gone")
		w.server("cut").list.Warnings = []domain.Warning{{Kind: domain.ListBroken, Detail: "page 2"}}

		found, err := locker.CompareTools(t.Context())

		Expect(err).NotTo(HaveOccurred())
		Expect(found.Differences).To(BeEmpty())
		Expect(found.Live).To(Equal(*lock))
		Expect(found.Unreachable).To(HaveLen(3))
		Expect(found.Unreachable[0].Failure).To(MatchError(ContainSubstring("it does not start")))
		Expect(found.Unreachable[2].Failure).To(MatchError(ContainSubstring("its tool list broke off: page 2")))
	}))

	It("looks at the tools although the lock is broken", spec.InBubble(func(t *testing.T) {
		_, pins, locker := begin(t, nil, toolbox("dev", "files"))
		pins.err = &domain.LockBrokenError{Reason: "line 2"}

		found, err := locker.CompareTools(t.Context())

		Expect(err).NotTo(HaveOccurred())
		Expect(found.Broken).To(MatchError(domain.ErrLockBroken))
		Expect(found.Tools()).To(Equal(2))
	}))

	It("names the tools whose definitions would put a secret into the lock", spec.InBubble(func(t *testing.T) {
		box := toolbox("dev", "files")
		box.Servers[0].Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}
		w, _, locker := begin(t, nil, box)
		w.server("files").lists("read: reads", "write: as hunter2hunter2")

		found, err := locker.CompareTools(t.Context())

		Expect(err).NotTo(HaveOccurred())
		Expect(found.Revealing).To(Equal([]domain.ToolIdentifier{{Toolbox: "dev", Server: "files", Tool: "write"}}))
	}))

	It("says when it could not be done", spec.InBubble(func(t *testing.T) {
		_, pins, locker := begin(t, nil, toolbox("dev", "files"))
		over, cancel := context.WithCancel(t.Context())
		cancel()

		_, err := locker.CompareTools(over)
		Expect(err).To(MatchError(context.Canceled))

		pins.err = errors.New("disk full")
		Expect(locker.LockTools(domain.LockComparison{})).To(MatchError("disk full"))
	}))
})
