package sharing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// randomRun has hosts and a server that do random things. Everything that a host sends, and
// everything that the server sends because of it, carries the mark of the host.
type randomRun struct {
	*world
	chance    *rand.Rand
	hosts     []*randomHost
	marks     int
	calls     int
	mustReach map[*fakeHost][]string // messages for hosts that have not left
	heard     int
}

type randomHost struct {
	guest
	mark string
	has  []string // ids of its tasks
}

var hostMark = regexp.MustCompile(`host-\d+\.`)

// arrives connects one more host.
func (t *randomRun) arrives() *randomHost {
	t.marks++
	return &randomHost{guest: t.joins(), mark: fmt.Sprintf("host-%d.", t.marks)}
}

// current returns the session that is live.
func (t *randomRun) current() *fakeSession {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sessions[len(t.sessions)-1]
}

// step makes a host and the server each do something.
func (t *randomRun) step() {
	i := t.chance.IntN(len(t.hosts))
	h := t.hosts[i]
	if h.Err() != nil { // it lost the server, so it connects again
		t.leave(h)
		t.hosts[i] = t.arrives()
		return
	}
	switch does := t.chance.IntN(24); {
	case does < 8:
		t.calls++
		ctx, cancel := context.WithCancel(context.Background())
		h.CallTool(ctx, ports.ToolCall{
			Arguments: json.RawMessage(fmt.Sprintf(`"%scall-%d."`, h.mark, t.calls)), Progress: h.host.progress,
			LogLevel: []string{"", "debug", "error"}[t.chance.IntN(3)],
		}, h.host.reply)
		if t.chance.IntN(6) == 0 {
			cancel()
		}
		_ = cancel
	case does < 11:
		h.asks([]string{subscribe, subscribe, unsubscribe}[does-8], `{"uri":"file:///`+h.mark+`"}`)
	case does < 13:
		other := t.hosts[t.chance.IntN(len(t.hosts))]
		if len(other.has) > 0 {
			h.asks("tasks/get", `{"taskId":"`+other.has[t.chance.IntN(len(other.has))]+`"}`)
		}
	case does == 13:
		h.SetLogLevel("error")
	case does == 14:
		t.leave(h)
		t.hosts[i] = t.arrives()
	case does == 15 && t.chance.IntN(4) == 0:
		t.current().lose("it died")
	case does == 16 && t.chance.IntN(8) == 0:
		h.asks(ping, "{}")
		synctest.Wait()
		for _, ping := range t.current().requestsFor(ping) {
			ping.reply(ports.Answer{}, &domain.TimedOutError{ID: files})
		}
		t.leave(h) // as application/sessions does
		t.hosts[i] = t.arrives()
	default:
		t.serve()
	}
}

func (t *randomRun) leave(h *randomHost) {
	delete(t.mustReach, h.host)
	h.leaves(t.t)
}

// serve makes the server do something.
func (t *randomRun) serve() {
	session := t.current()
	mark := t.hosts[t.chance.IntN(len(t.hosts))].mark
	switch t.chance.IntN(6) {
	case 0:
		session.says(ports.ResourceUpdated, `{"uri":"file:///`+mark+`"}`)
		return
	case 1:
		session.says(ports.TaskStatus, `{"taskId":"`+mark+`task"}`)
		return
	case 2:
		session.says(ports.UnknownNotification, `"`+mark+`"`)
		session.says(ports.LogMessage, `{"level":"info"}`)
		return
	}
	var open []*fakeRequest
	for _, method := range []string{"tools/call", subscribe, unsubscribe, "tasks/get"} {
		for _, r := range session.requestsFor(method) {
			if !r.answered() && r.ctx.Err() == nil {
				open = append(open, r)
			}
		}
	}
	if len(open) == 0 {
		return
	}
	r := open[t.chance.IntN(len(open))]
	owner := hostMark.FindString(r.params)
	i := slices.IndexFunc(t.hosts, func(h *randomHost) bool { return h.mark == owner })
	switch {
	case r.progress != nil && t.chance.IntN(3) == 0:
		r.progress(ports.Progress{Before: []byte(owner)})
	case r.method == "tools/call" && t.chance.IntN(4) == 0 && i >= 0:
		h := t.hosts[i]
		h.has = append(h.has, owner+"task")
		t.expect(h, r)
		r.reply(ports.Answer{Result: json.RawMessage(r.params), Task: owner + "task"}, nil)
	default:
		if i >= 0 {
			t.expect(t.hosts[i], r)
		}
		r.answers(r.params)
	}
}

// expect records that the answer to a call must reach its host.
func (t *randomRun) expect(h *randomHost, r *fakeRequest) {
	if r.method == "tools/call" {
		t.mustReach[h.host] = append(t.mustReach[h.host], "got "+r.params)
	}
}

// check checks what a host has received.
func (t *randomRun) check(h *randomHost) {
	heard := h.hears()
	t.heard += len(heard)
	for _, text := range heard {
		for _, mark := range hostMark.FindAllString(text, -1) {
			Expect(mark).To(Equal(h.mark), text)
		}
		if strings.Contains(text, "call-") {
			Expect(slices.DeleteFunc(slices.Clone(heard), func(other string) bool { return other != text })).To(HaveLen(1), text)
		}
	}
	for _, text := range t.mustReach[h.host] {
		Expect(heard).To(ContainElement(text))
	}
}

var _ = Describe("With many hosts that share a server, at random", Label("M10"), func() {
	It("no host gets an answer, progress, an update or a task of another, each gets its own once, and there is one session", func() {
		chance := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 18))
		heard := 0
		for range spec.Seeds() {
			spec.Bubble(func(bubble *testing.T) {
				t := &randomRun{world: newWorld(bubble), chance: chance, mustReach: map[*fakeHost][]string{}}
				var hosts []*randomHost
				for range 2 + chance.IntN(20) {
					t.hosts = append(t.hosts, t.arrives())
				}
				for range 150 {
					t.step()
					if chance.IntN(3) == 0 {
						synctest.Wait()
					}
					for _, h := range t.hosts {
						if !slices.Contains(hosts, h) {
							hosts = append(hosts, h)
						}
					}
				}
				for _, h := range hosts {
					t.check(h)
				}
				heard += t.heard
				for _, h := range t.hosts {
					h.leaves(bubble)
				}
				synctest.Wait()
				_, live, maxLive := t.seen()
				Expect(live).To(BeZero())
				Expect(maxLive).To(Equal(1))
			})
		}
		GinkgoWriter.Printf("%d messages were heard\n", heard)
		Expect(heard).To(BeNumerically(">", 20*spec.Seeds()), "or the property would hold for nothing")
	})
})
