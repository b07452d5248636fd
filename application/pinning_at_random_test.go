package application_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// pinnedLife is a server and a lock that change at random, and a model of the tools
// that may be used. Definitions are 1 and 2; 3 means both, which only a lock can have,
// and 0 means that the tool does not exist.
type pinnedLife struct {
	w      *workbench
	pins   *fakePins
	chance *rand.Rand

	listed, locked map[string]int
	broken         bool             // the current lock is broken
	since          []map[string]int // the locks since the last opening of the toolbox
}

var pinnedNames = []string{"a", "b", "c"}

func (l *pinnedLife) definitions(versions map[string]int) []string {
	var tools []string
	for _, name := range pinnedNames {
		if versions[name] != 0 {
			tools = append(tools, fmt.Sprintf("%s: %d", name, versions[name]))
		}
	}
	return tools
}

// lock returns a lock of these definitions.
func (l *pinnedLife) lock(versions map[string]int) *domain.Lock {
	lock := lockOf()
	for _, name := range pinnedNames {
		var definitions []string
		for _, definition := range []int{1, 2} {
			if versions[name]&definition != 0 {
				definitions = append(definitions, fmt.Sprintf("%s: %d", name, definition))
			}
		}
		if definitions != nil {
			tool := lockedAs(definitions...)
			tool.Optional = len(definitions) == 1 && l.chance.IntN(2) == 0
			lock.Servers[0].Tools = append(lock.Servers[0].Tools, tool)
		}
	}
	return lock
}

// any returns a definition below the bound for each name.
func (l *pinnedLife) any(bound int) map[string]int {
	tools := map[string]int{}
	for _, name := range pinnedNames {
		tools[name] = l.chance.IntN(bound)
	}
	return tools
}

// approves reports whether a lock has a definition.
func approves(locked, definition int) bool { return locked&definition != 0 }

// relist changes what the server lists, with or without its process.
func (l *pinnedLife) relist() {
	l.listed = l.any(3)
	l.w.server("files").lists(l.definitions(l.listed)...)
	if l.chance.IntN(2) == 0 {
		l.w.server("files").sayToolsChanged()
		return
	}
	l.w.server("files").die()
	time.Sleep(time.Hour)
}

// relock changes the lock, which counts from the next opening on.
func (l *pinnedLife) relock() {
	if l.broken = l.chance.IntN(4) == 0; l.broken {
		l.pins.put(nil, &domain.LockBrokenError{Reason: fmt.Sprint("broken for the ", l.chance.Int(), "th time")})
		return
	}
	l.locked = l.any(4)
	l.since = append(l.since, l.locked)
	l.pins.approve(l.lock(l.locked))
}

// open opens the toolbox and compares the shown tools with the lock.
func (l *pinnedLife) open() {
	GinkgoHelper()
	opened, err := l.w.opener.OpenToolbox(l.w.t.Context(), "dev")
	l.since = nil
	if l.broken {
		Expect(err).To(MatchError(domain.ErrLockBroken))
		return
	}
	Expect(err).NotTo(HaveOccurred())
	l.since = append(l.since, l.locked)
	want := []string{}
	for _, name := range pinnedNames {
		if approves(l.locked[name], l.listed[name]) {
			want = append(want, name)
		}
	}
	Expect(domain.ToolList{Tools: opened.Servers[0].Tools}.Names()).To(Equal(want))
	for _, name := range want {
		Expect(l.ran(name)).To(BeTrue(), name)
	}
}

// ran uses a tool and reports whether the server got the call.
func (l *pinnedLife) ran(name string) bool {
	GinkgoHelper()
	before := len(l.w.server("files").called())
	received := l.w.use("files", name)
	synctest.Wait()
	if len(l.w.server("files").called()) > before {
		return true
	}
	Expect(received.failure()).To(Or(MatchError(domain.ErrToolBlocked), MatchError(domain.ErrToolNotFound)))
	return false
}

// use uses a tool. It may run only with a definition of the lock at the last opening,
// or of a later lock that was applied when the tools were listed again.
func (l *pinnedLife) use() {
	GinkgoHelper()
	name := pinnedNames[l.chance.IntN(len(pinnedNames))]
	if l.ran(name) {
		now := l.listed[name]
		approved := func(lock map[string]int) bool { return approves(lock[name], now) }
		Expect(slices.ContainsFunc(l.since, approved)).To(BeTrue(), "%s ran as %d; the locks were %v", name, now, l.since)
	}
}

var _ = Describe("A policy that blocks", Label("X03"), func() {
	for seed := range uint64(40) {
		It(fmt.Sprintf("shows and runs only locked tools, whatever happens (seed %d)", seed), spec.InBubble(func(t *testing.T) {
			dev := toolbox("dev", "files")
			l := &pinnedLife{w: start(t, dev), pins: &fakePins{}, chance: rand.New(rand.NewPCG(seed, 3))}
			pinned(l.w, domain.PinBlock, l.pins)
			l.listed = l.any(3)
			l.w.server("files").lists(l.definitions(l.listed)...)
			l.locked = l.listed
			l.pins.approve(l.lock(l.locked))
			l.open()
			for range 60 {
				steps := []func(){l.relist, l.relock, l.open, l.use, l.use}
				steps[l.chance.IntN(len(steps))]()
				synctest.Wait()
			}
		}))
	}
})
