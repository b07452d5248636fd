//go:build linux || darwin

package processtree_test

import (
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/tests/spec"
)

// alive returns which of the processes still live.
func alive(processes ...processtree.Process) func() processtree.List {
	return func() processtree.List {
		return processtree.NewDescendants(&processtree.Table{}, processes...).Remaining()
	}
}

func look(pid int) processtree.Process {
	found := spec.Must(processtree.Look(pid))
	DeferCleanup(func() { processtree.NewDescendants(&processtree.Table{}, found).Living().Signal(syscall.SIGKILL) })
	return found
}

// watchdogOf returns the watchdog of a workbench.
func watchdogOf(w *workbench, server int) processtree.Process {
	var found processtree.Process
	Eventually(func() int {
		list := spec.Must(processtree.Snapshot())
		for _, process := range list.Living() {
			if process.Parent == w.command.Process.Pid && process.PID != server {
				found = process
			}
		}
		return found.PID
	}).ShouldNot(BeZero(), "the workbench has no watchdog")
	return found
}

var _ = Describe("A workbench that is killed", func() {
	It("leaves nothing behind, though its server ignores signals and started others", func() {
		w := startWorkbench(`trap "" TERM HUP INT
			sleep 1000 & echo child $!
			setsid sleep 1000 & echo detached $!
			wait; wait`)
		child, detached := look(w.number("child")), look(w.number("detached"))
		server := look(w.number("watched"))
		Eventually(func() int { return look(detached.PID).Session }).Should(Equal(detached.PID))
		watchdog := watchdogOf(w, server.PID)

		w.kill()

		Eventually(alive(server, child, detached, watchdog)).Should(BeEmpty())
	})

	It("ends the group of a server that has already ended", func() {
		w := startWorkbench(`trap "" TERM; (trap "" TERM; sleep 1000; sleep 1000) & echo child $!; exit 0`)
		child := look(w.number("child"))
		w.number("watched")

		w.kill()

		Eventually(alive(child)).Should(BeEmpty())
	})

	It("ends no process that was reported gone", func() {
		w := startWorkbench(`sleep 1000 & echo child $!; wait`)
		child := look(w.number("child"))
		server := look(w.number("watched"))
		watchdog := watchdogOf(w, server.PID)
		w.order("forget")

		w.kill()

		Eventually(alive(watchdog)).Should(BeEmpty())
		Expect(alive(server, child)()).To(HaveLen(2))
	})

	It("leaves nothing behind when its watchdog was killed first", func() {
		w := startWorkbench(`trap "" TERM; sleep 1000`)
		server := look(w.number("watched"))
		watchdog := watchdogOf(w, server.PID)
		processtree.List{watchdog}.Signal(syscall.SIGKILL)
		Eventually(func() int { return watchdogOf(w, server.PID).PID }).ShouldNot(Equal(watchdog.PID))
		replaced := watchdogOf(w, server.PID)
		w.order("settle") // it was started, but may know of no server yet

		w.kill()

		Eventually(alive(server, replaced)).Should(BeEmpty())
	})
})

var _ = Describe("A workbench whose watchdog does not read", func() {
	It("replaces the watchdog, and leaves nothing behind when it is killed", func() {
		w := startWorkbench(`trap "" TERM; sleep 1000`)
		server := look(w.number("watched"))
		stalled := watchdogOf(w, server.PID)
		processtree.List{stalled}.Signal(syscall.SIGSTOP)

		w.order("flood")

		Eventually(alive(stalled)).Should(BeEmpty())
		replaced := watchdogOf(w, server.PID)
		w.order("settle") // it was started, but may know of no server yet
		w.kill()
		Eventually(alive(server, replaced)).Should(BeEmpty())
	})
})

var _ = Describe("A workbench that ends", func() {
	It("waits for its watchdog, which ends no process", func() {
		w := startWorkbench(`sleep 1000`)
		server := look(w.number("watched"))
		watchdog := watchdogOf(w, server.PID)
		w.order("forget")

		w.order("close")

		Expect(alive(watchdog)()).To(BeEmpty())
		Expect(alive(server)()).To(HaveLen(1))
	})
})
