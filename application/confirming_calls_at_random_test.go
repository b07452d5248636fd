package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// confirmedLife is a server, a lock, a configuration and a user that act at random, and
// a model of the calls that may be made. Every call has arguments of its own.
type confirmedLife struct {
	t       *testing.T
	chance  *rand.Rand
	w       *reloadingWorkbench
	server  *fakeServer
	pins    *fakePins
	logins  *fakeLogins
	person  *fakeUser
	toolbox domain.Toolbox

	calls   []*outcome
	cancels []context.CancelFunc
	count   int

	mu         sync.Mutex                 // guards the fields below
	confirm    []string                   // tools that always need a yes; it never gets shorter
	listed     map[string]string          // definitions that the workbench listed last
	once       map[string]map[string]bool // definitions that calls were allowed with, by their arguments
	forSession map[string]string          // definitions that tools were allowed with, until the tools are listed otherwise
	answered   map[string]string          // definitions of tools that were allowed for the session just now
	locked     map[string]map[string]bool // definitions in the lock, nil for a lock that cannot be used
	wrong      []string
	needsLogin bool
}

var confirmedTools = []string{"write", "read", "free"}

func newConfirmedLife(t *testing.T, chance *rand.Rand) *confirmedLife {
	l := &confirmedLife{
		t: t, chance: chance, pins: &fakePins{}, logins: &fakeLogins{canPrompt: true, person: accepts}, toolbox: confirmingToolbox("write"),
		confirm: []string{"write"}, listed: map[string]string{}, once: map[string]map[string]bool{}, forSession: map[string]string{},
		answered: map[string]string{},
	}
	l.toolbox.Servers[0].Approvals.ConfirmDestructive = true
	l.person = &fakeUser{hears: func(q *askedQuestion) {
		l.mu.Lock()
		defer l.mu.Unlock()
		q.definition = l.listed[q.Tool.Tool]
	}}
	started := configurationOf(l.toolbox)
	started.Pinning = domain.PinWarn
	l.w = startReloadingWith(t, started, l.pins, application.NewLogins(l.logins, l.logins, slog.New(slog.DiscardHandler)))
	l.server = l.w.workbench.server("files")
	l.server.calls, l.server.shows = l.called, l.shown
	l.relist()
	l.relock()
	l.w.opens("dev")
	return l
}

// shown records what the workbench lists.
func (l *confirmedLife) shown(list domain.ToolList) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listed = map[string]string{}
	for _, tool := range list.Tools {
		l.listed[tool.Name] = string(tool.Definition)
	}
	maps.DeleteFunc(l.forSession, func(name, definition string) bool { return l.listed[name] != definition })
	for name, definition := range l.answered { // the workbench may have listed the tools because of the answer
		if l.listed[name] == definition {
			l.forSession[name] = definition
		}
	}
}

// called checks a call that reaches the server.
func (l *confirmedLife) called(call ports.ToolCall, reply ports.Reply) {
	l.mu.Lock()
	l.count++
	definition := l.listed[call.Name]
	isHarmless := strings.Contains(definition, "harmless") && l.locked[call.Name][definition]
	needsYes := slices.Contains(l.confirm, call.Name) || !isHarmless
	if needsYes && !l.once[string(call.Arguments)][definition] && (definition == "" || l.forSession[call.Name] != definition) {
		l.wrong = append(l.wrong, fmt.Sprintf("%s %s ran without a yes for %s", call.Name, call.Arguments, definition))
	}
	needsLogin := l.needsLogin
	l.mu.Unlock()
	if needsLogin {
		reply(ports.Answer{}, l.server.loginRequired())
		return
	}
	reply(ports.Answer{Result: json.RawMessage(`{}`)}, nil)
}

// relist changes what the server lists.
func (l *confirmedLife) relist() {
	var tools []string
	for _, name := range confirmedTools {
		if kind := l.chance.IntN(8); kind > 0 {
			tools = append(tools, name+": "+[]string{"harmless", "harmless too", "harmful"}[kind%3])
		}
	}
	l.server.mu.Lock()
	l.server.lists(tools...)
	l.server.mu.Unlock()
}

// relock changes the lock.
func (l *confirmedLife) relock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.chance.IntN(6) == 0 {
		l.locked = nil
		l.pins.put(nil, &domain.LockBrokenError{Path: "lock", Reason: "it is no JSON"})
		return
	}
	l.locked = map[string]map[string]bool{}
	var tools []string
	for _, name := range confirmedTools {
		if kind := l.chance.IntN(4); kind > 0 {
			tool := name + ": " + []string{"harmless", "harmless too", "harmful"}[kind-1]
			tools = append(tools, tool)
			l.locked[name] = map[string]bool{string(describedTool(tool).Definition): true}
		}
	}
	l.pins.approve(lockOf(tools...))
}

// reconfigure reads another configuration, which may require a yes for more or fewer tools.
func (l *confirmedLife) reconfigure() {
	var patterns []string
	for _, name := range confirmedTools {
		if l.chance.IntN(2) == 0 {
			patterns = append(patterns, name)
		}
	}
	dev := confirmingToolbox(patterns...)
	dev.Servers[0].Approvals.ConfirmDestructive = l.chance.IntN(2) == 0
	dev.Servers[0].Settings = json.RawMessage(fmt.Sprintf(`{"a":%d}`, l.chance.IntN(2)))
	configuration := configurationOf(dev)
	configuration.Pinning = domain.PinWarn
	l.w.reads(configuration)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.confirm = nil
	toolbox := spec.Must(l.w.current.Toolbox("dev"))
	Expect(toolbox.Servers[0].Approvals.ConfirmDestructive).To(BeTrue())
	for _, name := range confirmedTools {
		if toolbox.Servers[0].NeedsYes(domain.ToolInfo{Name: name, Shown: name}) {
			l.confirm = append(l.confirm, name)
		}
	}
	Expect(l.confirm).To(ContainElement("write"))
}

// answer gives a random answer to a random question, perhaps late or for a second time.
func (l *confirmedLife) answer() {
	questions := l.person.questions()
	if len(questions) == 0 {
		return
	}
	q := questions[max(0, len(questions)-1-l.chance.IntN(6))]
	answer := domain.ConfirmationAnswer(l.chance.IntN(int(domain.ConfirmationWithdrawn) + 1))
	if l.chance.IntN(2) == 0 {
		answer = []domain.ConfirmationAnswer{domain.ConfirmedOnce, domain.ConfirmedForSession}[l.chance.IntN(2)]
	}
	l.mu.Lock()
	if q.isOpen() && answer.IsYes() {
		if l.once[string(q.Arguments)] == nil {
			l.once[string(q.Arguments)] = map[string]bool{}
		}
		l.once[string(q.Arguments)][q.definition] = true
		if answer == domain.ConfirmedForSession {
			l.answered[q.Tool.Tool] = q.definition
			if l.listed[q.Tool.Tool] == q.definition {
				l.forSession[q.Tool.Tool] = q.definition
			}
		}
	}
	l.mu.Unlock()
	if q.isOpen() {
		q.answer(answer)
	} else {
		q.reply(answer) // a second answer, or a late one
	}
}

// use begins a call.
func (l *confirmedLife) use() {
	ctx, cancel := context.WithCancel(l.t.Context())
	var person ports.Confirmer = l.person
	switch l.chance.IntN(10) {
	case 0:
		person = nil
	case 1:
		person = &fakeUser{cannot: true}
	}
	tool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: confirmedTools[l.chance.IntN(len(confirmedTools))]}
	arguments := json.RawMessage(fmt.Sprintf(`{"call":%d}`, len(l.calls)))
	l.calls = append(l.calls, l.w.useWith(ctx, tool, ports.ToolCall{Arguments: arguments, Confirmer: person}))
	l.cancels = append(l.cancels, cancel)
	for i := range arguments {
		arguments[i] = '#' // the bytes are the caller's again
	}
}

// step does one random thing.
func (l *confirmedLife) step() {
	l.mu.Lock()
	clear(l.answered)
	l.mu.Unlock()
	switch l.chance.IntN(24) {
	case 0, 1, 2, 3, 4, 5, 6:
		l.use()
	case 7, 8, 9, 10, 11, 12, 13, 14:
		l.answer()
	case 15:
		l.relist()
		l.server.sayToolsChanged()
	case 16:
		if l.server.living() > 0 {
			l.server.die()
		}
	case 17:
		l.relist()
		if l.server.living() > 0 {
			l.server.die()
		}
	case 18:
		l.relock()
	case 19:
		l.reconfigure()
	case 20:
		l.server.setListing(0, []error{nil, nil, errors.New("database locked")}[l.chance.IntN(3)])
	case 21:
		if len(l.cancels) > 0 {
			l.cancels[max(0, len(l.cancels)-1-l.chance.IntN(4))]()
		}
	case 22:
		time.Sleep(time.Duration(l.chance.Int64N(int64(4 * time.Minute))))
	case 23:
		l.mu.Lock()
		l.needsLogin = !l.needsLogin
		l.mu.Unlock()
		l.logins.finishAll()
	}
}

var _ = Describe("With random actions of host, server and user", Label("K04"), func() {
	It("no call that needs approval runs without one, and every call is answered once", func() {
		const steps = 150
		chance := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 17))
		count, asked := 0, 0
		for range spec.Seeds() {
			spec.InBubble(func(t *testing.T) {
				l := newConfirmedLife(t, chance)
				for range steps {
					l.step()
					time.Sleep(time.Duration(chance.Int64N(int64(3 * time.Second))))
					synctest.Wait()
					Expect(l.wrong).To(BeEmpty())
				}
				for _, cancel := range l.cancels {
					cancel()
				}
				l.logins.finishAll() // since prompts for logins live longer than calls
				synctest.Wait()
				for _, received := range l.calls {
					times, _, _ := received.received()
					Expect(times).To(Equal(1))
				}
				count, asked = count+l.count, asked+len(l.person.questions())
			})()
		}
		GinkgoWriter.Printf("%d calls ran, %d questions\n", count, asked)
		Expect(count).To(BeNumerically(">", spec.Seeds()), "or the property would hold for nothing")
		Expect(asked).To(BeNumerically(">", spec.Seeds()))
	})
})
