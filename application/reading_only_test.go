package application_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// reads uses a tool of the server "files" with OnlyReads.
func (w *workbench) reads(tool string) *outcome {
	received := w.useWith(w.t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: tool},
		ports.ToolCall{Arguments: json.RawMessage("{}"), Intent: ports.Intent{OnlyReads: true}})
	synctest.Wait()
	return received
}

// readOnlyError returns the failure of a call with OnlyReads of a tool that does not only read.
func readOnlyError(tool string, needsYes bool) error {
	return &domain.NotReadOnlyError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: tool}, NeedsYes: needsYes}
}

// approvingToolbox returns the toolbox "dev" with the server "files" and these approvals.
func approvingToolbox(approvals domain.Approvals) domain.Toolbox {
	return withServer(toolbox("dev", "files"), "files", withApprovals(approvals))
}

// annotations are the kinds of annotations in these specs; the first kind is none.
var annotations = []string{``, `{"title":"T"}`, `{"readOnlyHint":true}`, `{"readOnlyHint":true,"title":"T"}`, `{"destructiveHint":false}`}

func annotatedTool(name string, kind int) domain.ToolInfo {
	definition := fmt.Sprintf(`{"name":%q}`, name)
	if kind > 0 {
		definition = fmt.Sprintf(`{"name":%q,"annotations":%s}`, name, annotations[kind])
	}
	return domain.ToolInfo{Name: name, Shown: domain.ShownText(name), Definition: json.RawMessage(definition)}
}

var _ = Describe("A call that may only read", Label("K06"), func() {
	It("is made if the configuration names its tool", spec.InBubble(func(t *testing.T) {
		w := start(t, approvingToolbox(domain.Approvals{ReadOnly: tools("re*")}))
		opened := w.opens("dev").Servers[0]
		Expect(opened.OnlyRead).To(Equal(map[string]bool{"read": true}))
		Expect(opened.AllOnlyRead).To(BeFalse())

		Expect(w.reads("read").result()).To(Equal(`"read"`))
		Expect(w.reads("write").failure()).To(MatchError(readOnlyError("write", false)))
		Expect(w.reads("erase").failure()).To(MatchError(domain.ErrToolNotFound))

		Expect(w.server("files").called()).To(Equal([]string{"read"}))
	}))

	It("is not made if its tool needs a yes, not even after a yes for the session", spec.InBubble(func(t *testing.T) {
		w := start(t, approvingToolbox(domain.Approvals{ReadOnly: tools("*"), Confirm: tools("write")}))
		Expect(w.opens("dev").Servers[0].OnlyRead).To(Equal(map[string]bool{"read": true}))
		Expect(w.usedAs(decidedUser(domain.ConfirmedForSession), "write")).To(Equal(`"write"`))

		Expect(w.reads("write").failure()).To(MatchError(readOnlyError("write", true)))
	}))

	It("is refused before its arguments are checked, and without starting the server", spec.InBubble(func(t *testing.T) {
		w := start(t, approvingToolbox(domain.Approvals{ReadOnly: tools("read")}))
		w.opens("dev")
		w.server("files").die()
		starts, _ := w.server("files").counts()

		Expect(w.reads("write").failure()).To(MatchError(readOnlyError("write", false)))

		Expect(w.server("files").started()).To(Equal(starts))
	}))

	It("is made again after a restart", spec.InBubble(func(t *testing.T) {
		w := start(t, approvingToolbox(domain.Approvals{ReadOnly: tools("read")}))
		w.opens("dev")
		w.server("files").die()
		time.Sleep(time.Hour)

		Expect(w.reads("read").result()).To(Equal(`"read"`))
	}))

	It("waits for a server that is started lazily, whose tools are named as reading before", spec.InBubble(func(t *testing.T) {
		toolbox := lazyToolbox("files")
		toolbox.Servers[0].Approvals = domain.Approvals{ReadOnly: tools("re*")}
		w := startLazy(t, domain.PinWarn, lockOf("read", "write"), newFakeListings(), toolbox)
		w.server("files").lists("read", "write")
		w.opensDev()
		synctest.Wait()
		w.close(time.Hour)
		w.server("files").startup = time.Second
		w = w.again(domain.PinWarn)

		opened := w.opensDev().Servers[0]
		Expect(opened.Starting).To(BeTrue())
		Expect(opened.OnlyRead).To(Equal(map[string]bool{"read": true}))
		read, write := w.reads("read"), w.reads("write")
		time.Sleep(time.Second)
		synctest.Wait()

		Expect(read.result()).To(Equal(`"read"`))
		Expect(write.failure()).To(MatchError(readOnlyError("write", false)))
	}))

	It("is allowed for all tools of a server if the patterns match all of them, and the opening says so", spec.InBubble(func(t *testing.T) {
		w := start(t, approvingToolbox(domain.Approvals{ReadOnly: tools("*")}))
		Expect(w.opens("dev").Servers[0].AllOnlyRead).To(BeTrue())
	}))
})

// readingLife is a server with annotated tools, a lock and approvals, all random.
type readingLife struct {
	w              *workbench
	pins           *fakePins
	chance         *rand.Rand
	approvals      domain.Approvals
	listed, locked map[string]int // kinds of annotations by tool
	broken, stale  bool
}

var readingNames = []string{"get", "put", "push"}

// list changes what the server lists.
func (l *readingLife) list() {
	server := l.w.server("files")
	l.listed = map[string]int{}
	server.list.Tools = nil
	for _, name := range readingNames {
		if l.chance.IntN(5) > 0 {
			l.listed[name] = l.chance.IntN(len(annotations))
			server.list.Tools = append(server.list.Tools, annotatedTool(name, l.listed[name]))
		}
	}
}

// relist changes what the server lists; the next listing may fail.
func (l *readingLife) relist() {
	l.list()
	server := l.w.server("files")
	var failure error
	if l.stale = l.chance.IntN(4) == 0; l.stale {
		failure = context.DeadlineExceeded
	}
	server.setListing(0, failure)
	server.sayToolsChanged()
}

// relock locks the tools as they are, or with other annotations.
func (l *readingLife) relock() {
	if l.broken = l.chance.IntN(4) == 0; l.broken {
		l.pins.put(nil, &domain.LockBrokenError{Reason: fmt.Sprint(l.chance.Int())})
		return
	}
	l.locked = map[string]int{}
	files := domain.LockedServer{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}
	for _, name := range readingNames {
		kind := l.chance.IntN(len(annotations))
		if live, ok := l.listed[name]; ok && l.chance.IntN(3) > 0 {
			kind = live
		}
		l.locked[name] = kind
		files.Tools = append(files.Tools, domain.LockedTool{Name: name, Pins: []domain.Pin{fakeDefinitions{}.Pin(annotatedTool(name, kind), domain.PinDefinition)}})
	}
	domain.SortTools(files.Tools)
	l.pins.approve(&domain.Lock{Servers: []domain.LockedServer{files}})
}

// mayRead reports whether a tool may be called as one that only reads.
func (l *readingLife) mayRead(name string) bool {
	live, ok := l.listed[name]
	locked, isLocked := l.locked[name]
	approved := ok && isLocked && live == locked && !l.broken && !l.stale
	saysReadOnly := live == 2 || live == 3
	harmless := approved && (saysReadOnly || live == 4)
	server := domain.ServerID{Toolbox: "dev", Server: "files"}
	switch {
	case l.approvals.Confirm.MayName(server, name), !approved:
		return false
	case l.approvals.ConfirmDestructive && !harmless:
		return false
	}
	return l.approvals.ReadOnly.Name(server, name) || l.approvals.TrustAnnotations && saysReadOnly
}

func (l *readingLife) read() {
	GinkgoHelper()
	name := readingNames[l.chance.IntN(len(readingNames))]
	before := len(l.w.server("files").called())
	received := l.w.reads(name)
	if called := len(l.w.server("files").called()) > before; called || l.stale {
		Expect(!called || l.mayRead(name)).To(BeTrue(), "%s was called: %+v", name, l)
		return // the model does not know which tools an outdated list has
	}
	if _, ok := l.listed[name]; !ok {
		Expect(received.failure()).To(MatchError(domain.ErrToolNotFound))
		return
	}
	Expect(received.failure()).To(MatchError(domain.ErrNotReadOnly))
	Expect(l.mayRead(name)).To(BeFalse(), "%s was not called: %+v", name, l)
}

var _ = Describe("A tool that read_tool calls", Label("K06"), func() {
	for seed := range spec.Seeds() {
		It(fmt.Sprintf("only reads, according to the configuration or the lock, and needs no yes, whatever happens (seed %d)", seed), spec.InBubble(func(t *testing.T) {
			l := &readingLife{pins: &fakePins{}, chance: rand.New(rand.NewPCG(seed, 17)), listed: map[string]int{}}
			some := func() domain.ToolPatterns {
				return [][]domain.ToolPattern{nil, tools("get"), tools("p*"), tools("dev/files/put", "x/get")}[l.chance.IntN(4)]
			}
			l.approvals = domain.Approvals{
				ReadOnly: some(), Confirm: some(),
				ConfirmDestructive: l.chance.IntN(3) == 0, TrustAnnotations: l.chance.IntN(2) == 0,
			}
			l.w = start(t, approvingToolbox(l.approvals))
			usePins(l.w, domain.PinDefault, l.pins)
			l.list()
			l.relock()
			Expect(l.w.opener.OpenToolbox(t.Context(), "dev")).Error().NotTo(HaveOccurred())
			for range 80 {
				steps := []func(){l.relist, l.relock, l.read, l.read, l.read}
				steps[l.chance.IntN(len(steps))]()
				synctest.Wait()
			}
		}))
	}
})
