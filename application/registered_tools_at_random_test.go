package application_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// randomCalls is a dynamic workbench with many callers that do random things concurrently.
type randomCalls struct {
	*dynamicWorkbench
	random *rand.Rand // chooses what to do next
	boxes  []domain.Toolbox
	doing  sync.WaitGroup

	mu    sync.Mutex
	opens map[domain.ToolboxName]*openCount
	calls []*randomCall
}

// openCount counts the openings of a toolbox, finished and under way.
type openCount struct{ begun, underWay int }

// randomCall is a call and the answer that it may get.
type randomCall struct {
	*outcome
	want string
}

// nameOf returns the answer of a server in these specs: the name of the called tool.
func nameOf(tool domain.ToolIdentifier) string {
	return `"` + string(tool.Toolbox) + "/" + string(tool.Server) + "/" + tool.Tool + `"`
}

func startRandomCalls(t *testing.T, random *rand.Rand) *randomCalls {
	c := &randomCalls{random: random, opens: map[domain.ToolboxName]*openCount{}}
	// Names that the configuration refuses, so that tools compete for names.
	c.boxes = []domain.Toolbox{toolbox("dev", "a", "a_b"), toolbox("prod", "a", "c"), toolbox("ops", "a_b")}
	c.boxes[1].Servers[0].Limits.Idle = 10 * time.Second
	c.dynamicWorkbench = startDynamic(t, c.boxes...)
	for _, dev := range c.boxes {
		c.opens[dev.Name] = &openCount{}
	}
	for id, server := range c.servers {
		server.deaf = random.IntN(3) == 0
		server.startup = time.Duration(random.IntN(3)) * time.Second
		server.listing = time.Duration(random.IntN(500)) * time.Millisecond
		server.closing = time.Duration(random.IntN(2000)) * time.Millisecond
		takes := time.Duration(random.IntN(1000)) * time.Millisecond
		server.calls = func(call ports.ToolCall, reply ports.Reply) {
			tool := domain.ToolIdentifier{Toolbox: id.Toolbox, Server: id.Server, Tool: call.Name}
			time.AfterFunc(takes, func() { reply(ports.Answer{Result: json.RawMessage(nameOf(tool))}, nil) })
		}
	}
	return c
}

func (c *randomCalls) server() *fakeServer {
	toolbox := c.boxes[c.random.IntN(len(c.boxes))]
	return c.servers[toolbox.Servers[c.random.IntN(len(toolbox.Servers))].ID]
}

// step does one random thing, or begins it.
func (c *randomCalls) step() {
	toolbox := c.boxes[c.random.IntN(len(c.boxes))].Name
	server := c.server()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Duration(c.random.IntN(20_000))*time.Millisecond)
	c.t.Cleanup(cancel)
	switch c.random.IntN(12) {
	case 0, 1:
		c.doing.Go(func() { c.open(ctx, toolbox) })
	case 2:
		c.doing.Go(func() { c.close(toolbox) })
	case 3, 4, 5, 6:
		c.callRegistered(ctx)
	case 7:
		if now, _ := server.alive(); now > 0 {
			server.die()
		}
	case 8:
		server.fail("broken")
	case 9:
		server.repair()
	default:
		tools := []string{"read", "b_read", "write", "odd name", "odd.name"}
		c.random.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
		server.offer(tools[:c.random.IntN(len(tools)+1)]...)
		if now, _ := server.alive(); now > 0 {
			server.sayToolsChanged()
		}
	}
}

func (c *randomCalls) open(ctx context.Context, toolbox domain.ToolboxName) {
	c.count(toolbox, 1, 1)
	_, _ = c.opener.OpenToolbox(ctx, toolbox)
	if ctx.Err() == nil { // otherwise it continues
		c.count(toolbox, 0, -1)
	}
}

func (c *randomCalls) count(toolbox domain.ToolboxName, begun, underWay int) openCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opens[toolbox].begun += begun
	c.opens[toolbox].underWay += underWay
	return *c.opens[toolbox]
}

// close closes a toolbox, and checks that nothing of it is left unless another caller
// opens it meanwhile.
func (c *randomCalls) close(toolbox domain.ToolboxName) {
	before := c.count(toolbox, 0, 0)
	_, err := c.closer.CloseToolbox(c.t.Context(), toolbox)
	alive, registered := c.alive(toolbox), c.registrations.Registered().Count(toolbox)
	if after := c.count(toolbox, 0, 0); before != after || after.underWay > 0 {
		return
	}
	if err != nil {
		Expect(err).To(MatchError(domain.ErrToolboxNotOpen))
	}
	Expect(alive).To(BeZero(), "sessions of %s", toolbox)
	Expect(registered).To(BeZero(), "tools of %s", toolbox)
}

// callRegistered calls one of the tools that are registered.
func (c *randomCalls) callRegistered(ctx context.Context) {
	registered := c.registrations.Registered()
	if len(registered.Tools) == 0 {
		return
	}
	chosen := registered.Tools[c.random.IntN(len(registered.Tools))]
	tool, _ := registered.Find(chosen.Name)
	Expect(tool).To(Equal(chosen.Tool), "a name means one tool")
	c.calls = append(c.calls, &randomCall{c.useWith(ctx, tool, ports.ToolCall{}), nameOf(tool)})
}

// rest waits until nothing is under way and nothing changes any more.
func (c *randomCalls) rest() {
	c.doing.Wait()
	time.Sleep(3 * time.Minute)
	synctest.Wait()
	for _, toolbox := range c.boxes {
		c.count(toolbox.Name, 0, -c.count(toolbox.Name, 0, 0).underWay)
	}
}

// expectTruth expects that the registry matches the toolboxes and servers.
func (c *randomCalls) expectTruth() {
	registered := c.registrations.Registered()
	seen := map[string]bool{}
	byServer := map[domain.ServerID][]string{}
	for _, tool := range registered.Tools {
		Expect(seen[tool.Name]).To(BeFalse(), "%s is registered twice", tool.Name)
		seen[tool.Name] = true
		Expect(c.opened.Contains(tool.Tool.Toolbox)).To(BeTrue(), "%s belongs to an open toolbox", tool.Name)
		byServer[tool.Tool.ServerID()] = append(byServer[tool.Tool.ServerID()], tool.Tool.Tool)
	}
	for tool, name := range registered.Taken {
		Expect(seen[name]).To(BeTrue(), "%s is taken by some tool", name)
		byServer[tool.ServerID()] = append(byServer[tool.ServerID()], tool.Tool)
	}
	for id, server := range c.servers {
		listed := domain.ToolList{Tools: server.listed().Tools}.Names()
		now, maxLive := server.alive()
		Expect(maxLive).To(BeNumerically("<=", 1), "connections of %v at once", id)
		switch {
		case now == 1 && c.opened.Contains(id.Toolbox):
			Expect(byServer[id]).To(ConsistOf(listed), "tools of %v, which is up", id)
		case !c.opened.Contains(id.Toolbox):
			Expect(byServer[id]).To(BeEmpty(), "tools of %v, which is closed", id)
		}
	}
	Expect(c.watcher.heard()).To(HaveLen(int(registered.Version)), "each change is told once")
}

var _ = Describe("Many concurrent callers of registered tools, at random", func() {
	It("find one tool of an open toolbox under each name, get their own answers or failures, and leave nothing of closed toolboxes", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 3))
		for range spec.Seeds() {
			spec.InBubble(func(t *testing.T) {
				c := startRandomCalls(t, random)
				for range 8 {
					for range 15 {
						c.step()
						time.Sleep(time.Duration(random.IntN(700)) * time.Millisecond)
					}
					c.rest()
					c.expectTruth()
				}

				for _, toolbox := range c.boxes {
					c.close(toolbox.Name)
				}
				Expect(c.names()).To(BeEmpty())
				for _, call := range c.calls {
					times, answer, err := call.received()
					Expect(times).To(Equal(1))
					if err == nil {
						Expect(string(answer.Result)).To(Equal(call.want))
					}
				}
			})()
		}
	})
})
