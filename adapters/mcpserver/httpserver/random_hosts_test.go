package httpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// randomRun has many random hosts at one handler. Each owner, which is a session or the programs of
// 2026-07-28 that count as one host, has a mark. Whatever an owner sends, and whatever its
// servers say, carries it, so that what arrives elsewhere is seen.
type randomRun struct {
	*testHandler
	chance *rand.Rand
	hosts  []*randomHost
	owners int
	calls  int
	serves []*markedWorkbench // in the order in which they were made
	// resumed are the sessions in which a stream was asked for again, by whose number it may
	// be that of any call.
	resumed map[*olderHost]bool

	mu        sync.Mutex // guards the fields below
	wrong     []string
	questions int // that were answered
}

// markedWorkbench is the workbench of one owner, with servers that the spec plays.
type markedWorkbench struct {
	*playedHost
	run *randomRun

	mu   sync.Mutex
	mark string // of its owner, "" before it has heard of it
}

// randomHost is a host that does anything.
type randomHost struct {
	run    *randomRun
	modern bool
	caller callers.Access
	client string
	mark   string
	older  *olderHost // nil when it has no session
	sent   []*sentRequest
}

// sentRequest is a request of a host, and what came of it.
type sentRequest struct {
	*response
	mark    string // of the owner
	call    string // its mark, "" for what is no call
	resumed string // the mark of the call whose stream it resumes, "" for none
	session *olderHost
	given   bool // up, by its host
}

func newRandomRun(chance *rand.Rand, hosts int) *randomRun {
	t := &randomRun{testHandler: newTestHandler(), chance: chance, resumed: map[*olderHost]bool{}}
	t.limits = httpserver.Limits{Sessions: 1 << 20, MessageSize: 1 << 20}
	t.Handler = httpserver.New(t.makeMarked, t.limits, t.versions)
	shared := map[string]string{}
	for range hosts {
		h := &randomHost{
			run: t, modern: chance.IntN(2) == 0, client: fmt.Sprintf("client-%d", chance.IntN(4)),
			caller: []callers.Access{anonymous, ann, bob}[chance.IntN(3)],
		}
		if peer := h.caller.Identity + " " + h.client; h.modern {
			if shared[peer] == "" {
				shared[peer] = t.newOwner(h)
			}
			h.mark = shared[peer]
		}
		t.hosts = append(t.hosts, h)
	}
	return t
}

// newOwner returns an unused mark.
func (t *randomRun) newOwner(h *randomHost) string {
	t.owners++
	return fmt.Sprintf("owner-%d-of-%s.", t.owners, h.caller.Identity)
}

func (t *randomRun) makeMarked(want httpserver.Want) *httpserver.Host {
	log := slog.New(slog.DiscardHandler)
	begun := &markedWorkbench{run: t, playedHost: &playedHost{want: want, host: host.New(log)}}
	settings := func() definitions.Settings { return definitions.Settings{} }
	limits := mcpserver.Settings{MessageSize: 1 << 20, InFlight: 1 << 20, InputReply: time.Minute}
	program := mcpserver.NewProgram("1.2.3", noToolboxes{}, settings, limits, log)
	useCases := mcpserver.UseCases{Opener: begun, User: begun, Resources: begun, Tasks: begun, Announcer: begun, Starter: begun, Shown: begun}
	t.testHandler.mu.Lock()
	defer t.testHandler.mu.Unlock()
	t.serves = append(t.serves, begun)
	return &httpserver.Host{Server: mcpserver.New(program, useCases, nil, begun.host), Close: func() {}}
}

var (
	ownerMark = regexp.MustCompile(`owner-\d+-of-\w*\.`)
	callMark  = regexp.MustCompile(`call-\d+\.`)
)

// heard checks that what reached a workbench is of one owner, and of its identity.
func (w *markedWorkbench) heard(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, mark := range ownerMark.FindAllString(text, -1) {
		if w.mark == "" {
			w.mark = mark
		}
		if mark != w.mark || !strings.HasSuffix(mark, "-of-"+w.want.Access.Identity+".") {
			w.run.fail("the workbench of %s (%q) heard: %s", w.mark, w.want.Access.Identity, text)
		}
	}
}

// owner returns the mark of the owner.
func (w *markedWorkbench) owner() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mark
}

func (w *markedWorkbench) UseTool(ctx context.Context, tool domain.ToolIdentifier, given ports.ToolCall, reply ports.Reply) {
	w.heard(string(given.Arguments) + string(given.ExtraParams))
	var once sync.Once
	w.playedHost.UseTool(ctx, tool, given, func(answer ports.Answer, err error) { once.Do(func() { reply(answer, err) }) })
}

func (w *markedWorkbench) RequestResource(_ context.Context, uri string, _ ports.ResourceRequest, _ domain.ServerID, reply ports.ServerReply) {
	w.heard(uri)
	reply(domain.ServerID{}, ports.Answer{Result: json.RawMessage(`{"contents":[{"uri":"a:b","text":"` + w.owner() + `"}]}`)}, nil)
}

func (w *markedWorkbench) RequestTask(_ context.Context, task string, _ ports.TaskRequest, reply ports.ServerReply) {
	w.heard(task)
	reply(domain.ServerID{}, ports.Answer{Result: json.RawMessage(`{"taskId":"` + w.owner() + `","status":"working"}`)}, nil)
}

// serve lets a server of the workbench do something about a call.
func (w *markedWorkbench) serve(c *call, does int) {
	owner, resumed := w.owner(), callMark.FindString(string(c.Arguments))
	switch does {
	case 0, 1, 2:
		c.Progress(ports.Progress{Before: json.RawMessage(`{"progress":1,"message":"` + owner + resumed + `","progressToken":`), After: json.RawMessage("}")})
	case 3, 4:
		c.reply(ports.Answer{Result: json.RawMessage(`{"content":[],"answer":"` + owner + resumed + `"}`)}, nil)
	case 5:
		c.reply(ports.Answer{}, &domain.ServerUnavailableError{ID: files, Reason: errors.New("it ended while " + owner + resumed)})
	case 6:
		message := ports.Message{Method: string(mcp.MethodElicitationCreate), Params: json.RawMessage(`{"message":"` + owner + `"}`)}
		w.host.Request(c.ctx, files, message, func(answer ports.Answer, _ error) {
			w.heard(string(answer.Result))
			if len(answer.Result) > 0 {
				w.run.mu.Lock()
				defer w.run.mu.Unlock()
				w.run.questions++
			}
		})
	case 7:
		w.host.Notify(files, ports.Notification{Method: string(mcp.MethodNotificationMessage), Params: json.RawMessage(`{"level":"error","data":"` + owner + `"}`)})
	case 8:
		if w.want.Modern { // a server of an older host gets its answers at once
			c.reply(ports.Answer{Result: json.RawMessage(`{"resultType":"input_required","requestState":"` + owner + resumed + `"}`)}, nil)
		}
	case 9:
		w.host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourceUpdated, Params: json.RawMessage(`{"uri":"file:///` + owner + `"}`)})
	}
}

// serveSomething lets some server do something, while others do other things.
func (t *randomRun) serveSomething() {
	t.testHandler.mu.Lock()
	serves := slices.Clone(t.serves)
	t.testHandler.mu.Unlock()
	if len(serves) == 0 {
		return
	}
	w := serves[t.chance.IntN(len(serves))]
	if begun := w.calls.list(); len(begun) > 0 {
		// The newer ones are those that are still under way.
		c, does := begun[len(begun)-1-t.chance.IntN(min(len(begun), 3))], t.chance.IntN(10)
		go w.serve(c, does)
	}
}

// fail notes what must not be.
func (t *randomRun) fail(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong = append(t.wrong, fmt.Sprintf(format, args...))
}

// list returns the calls so far.
func (c *calls) list() []*call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

// check notes what a response has of another owner, or of another call.
func (s *sentRequest) check(t *randomRun) {
	text := s.text()
	for _, mark := range ownerMark.FindAllString(text, -1) {
		if mark != s.mark {
			t.fail("%s heard of %s: %s", s.mark, mark, text)
		}
	}
	for _, mark := range callMark.FindAllString(text, -1) {
		if s.call+s.resumed != "" && mark != s.call+s.resumed {
			t.fail("%s heard of %s: %s", s.call+s.resumed, mark, text)
		}
	}
}
