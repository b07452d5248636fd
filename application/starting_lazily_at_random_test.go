package application_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// lazyLife is a lazily started server that does random things in run after run. The lock has
// the tools "a" and "b" with the definition "locked"; the server lists each of them with
// this definition, with another one, or not at all.
type lazyLife struct {
	w      *lazyWorkbench
	chance *rand.Rand

	toolbox domain.Toolbox    // with the settings in force
	listed  map[string]string // the tools that the server lists, or would list if it was up
	failed  bool              // the server may have failed in this run
	replies []*outcome
	quick   int // number of openings that had to be quick
}

var lazyNames = []string{"a", "b"}

func (l *lazyLife) definitions() []string {
	var tools []string
	for _, name := range lazyNames {
		if definition := l.listed[name]; definition != "" {
			tools = append(tools, name+": "+definition)
		}
	}
	return tools
}

// isKept reports whether the listing that was kept last equals the lock.
func (l *lazyLife) isKept() bool {
	tools, known := l.w.kept.Find(l.toolbox.Servers[0], l.w.host.Capabilities())
	return known && len(tools) == len(lazyNames) && !slices.ContainsFunc(tools, func(tool domain.ToolInfo) bool {
		return !strings.Contains(string(tool.Definition), `"locked"`)
	})
}

func (l *lazyLife) server() *fakeServer { return l.w.server("files") }

// relist changes what the server lists. The server reports it if it is up.
func (l *lazyLife) relist() {
	for _, name := range lazyNames {
		l.listed[name] = []string{"locked", "locked", "locked", "locked", "other", ""}[l.chance.IntN(6)]
	}
	l.server().mu.Lock()
	l.server().lists(l.definitions()...)
	l.server().mu.Unlock()
	if _, live := l.w.sessions.Last(l.server().id); live {
		l.server().sayToolsChanged()
	}
}

// changeStart decides whether the next starts of the server are slow, and whether they fail.
func (l *lazyLife) changeStart() {
	startup := []time.Duration{0, time.Second, time.Second, time.Hour}[l.chance.IntN(4)]
	l.server().mu.Lock()
	l.server().startup = startup
	l.server().mu.Unlock()
	if l.chance.IntN(3) == 0 {
		l.server().fail("no such program")
		l.failed = true
	} else {
		l.server().repair()
	}
	l.failed = l.failed || startup > time.Minute
}

func (l *lazyLife) die() {
	if _, live := l.w.sessions.Last(l.server().id); live {
		l.server().die()
		l.failed = true
	}
}

// opening opens the toolbox and checks that the answer shows only what it may.
func (l *lazyLife) opening() {
	GinkgoHelper()
	mustBeQuick, begun := l.isKept() && !l.failed, time.Now()
	opened, err := l.w.opener.OpenToolbox(l.w.t.Context(), "dev")
	if mustBeQuick {
		Expect(err).NotTo(HaveOccurred())
		Expect(time.Since(begun)).To(BeZero(), "what is kept is shown at once")
		l.quick++
	}
	if err != nil {
		Expect(err).To(MatchError(domain.ErrAllServersFailed))
		return
	}
	server := opened.Servers[0]
	if server.Starting {
		Expect(time.Since(begun)).To(BeZero(), "what is kept is shown at once")
		Expect(opened.Connected()).To(BeZero())
	}
	for _, tool := range server.Tools {
		Expect(string(tool.Definition)).To(ContainSubstring(`"locked"`), "only what is locked is shown")
	}
	synctest.Wait()
	for _, tool := range l.w.registrations.Registered().Tools {
		Expect(string(tool.Definition)).To(ContainSubstring(`"locked"`), "only what is locked is registered")
	}
}

func (l *lazyLife) use() {
	l.replies = append(l.replies, l.w.use("files", lazyNames[l.chance.IntN(len(lazyNames))]))
}

func (l *lazyLife) closing() {
	_, err := l.w.closer.CloseToolbox(l.w.t.Context(), "dev")
	Expect(err).To(Or(BeNil(), MatchError(domain.ErrToolboxNotOpen)))
	Expect(l.w.registered()).To(BeEmpty())
	now, _ := l.server().alive()
	Expect(now).To(BeZero())
}

// restart ends the run, checks that all calls were answered, and begins the next run.
func (l *lazyLife) restart() {
	GinkgoHelper()
	l.w.close(time.Minute)
	synctest.Wait()
	l.judge()
	if l.chance.IntN(2) == 0 {
		l.server().repair()
		l.server().startup = time.Second
	}
	l.w, l.failed = l.w.again(domain.PinBlock), l.isBroken()
	l.toolbox = lazyToolbox("files")
}

// isBroken reports whether the next start of the server may fail.
func (l *lazyLife) isBroken() bool {
	l.server().mu.Lock()
	defer l.server().mu.Unlock()
	return l.server().failure != nil || l.server().startup > time.Minute
}

// reload gives the server other settings.
func (l *lazyLife) reload() {
	settings := []string{`{"a":1}`, `{"a":2}`}[l.chance.IntN(2)]
	l.toolbox = set(l.toolbox, "files", func(s *domain.Server) { s.Settings = json.RawMessage(settings) })
	l.w.sessions.Reload([]domain.Toolbox{l.toolbox})
}

// judge checks the finished calls and openings.
func (l *lazyLife) judge() {
	GinkgoHelper()
	now, maximum := l.server().alive()
	Expect(now).To(BeZero(), "no process is left")
	Expect(maximum).To(BeNumerically("<=", 1), "no second process at once")
	for _, received := range l.replies {
		times, _, _ := received.received()
		Expect(times).To(Equal(1), "each use is answered once")
	}
	l.replies = nil
}

func (l *lazyLife) act() {
	GinkgoHelper()
	switch l.chance.IntN(13) {
	case 0, 1, 2:
		l.opening()
	case 3, 4:
		l.use()
	case 5:
		l.relist()
	case 6:
		l.changeStart()
	case 7:
		l.die()
	case 8:
		l.closing()
	case 9, 10:
		l.restart()
	case 11:
		l.reload()
	default:
		time.Sleep([]time.Duration{time.Millisecond, time.Second, time.Minute}[l.chance.IntN(3)])
	}
}

// watchCalls checks every call against the tools that the server lists at that time.
func (l *lazyLife) watchCalls(t *testing.T) {
	l.server().calls = func(call ports.ToolCall, reply ports.Reply) {
		if l.listed[call.Name] != "locked" {
			t.Errorf("%s was called though it is %q", call.Name, l.listed[call.Name])
		}
		reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
	}
}

var _ = Describe("A lazily started server", Label("S20", "X03"), func() {
	for seed := range spec.Seeds() {
		It(fmt.Sprintf("shows and runs only locked tools, at once where it may, in a random life (seed %d)", seed), spec.InBubble(func(t *testing.T) {
			l := &lazyLife{
				w:      startLazy(t, domain.PinBlock, lockOf("a: locked", "b: locked"), newFakeListings(), lazyToolbox("files")),
				chance: rand.New(rand.NewPCG(seed, 17)), toolbox: lazyToolbox("files"), listed: map[string]string{"a": "locked", "b": "locked"},
			}
			l.server().lists(l.definitions()...)
			l.watchCalls(t)
			for range 400 {
				l.act()
				synctest.Wait()
			}
			l.w.close(time.Minute)
			synctest.Wait()
			l.judge()
			Expect(l.quick).To(BeNumerically(">", 0), "otherwise the life shows little")
		}))
	}
})
