package application_test

import (
	"context"
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

// model predicts the state of a workbench after each step, in the simplest way that
// keeps the promises.
type model struct {
	opened map[domain.ToolboxName]bool
	byID   map[domain.ServerID]*modelServer
}

type modelServer struct {
	broken   bool // cannot be started
	up       bool
	starts   int
	offers   map[string]bool // the tools that the server has
	known    map[string]bool // the tools that were listed, nil before it was up
	unlisted bool            // it reported that its tools changed
}

// need uses the server, and reports whether it is up afterwards.
func (m *modelServer) need() bool {
	if !m.up {
		m.starts++
		if m.broken {
			return false
		}
		m.up, m.unlisted, m.known = true, false, m.offers
	}
	return true
}

func (m *modelServer) refresh() {
	if m.unlisted {
		m.unlisted, m.known = false, m.offers
	}
}

// open returns how many servers of a toolbox are up after an opening, and the kind of
// its failure.
func (m *model) open(toolbox domain.Toolbox) (connected int, kind error) {
	for _, server := range toolbox.Servers {
		s := m.byID[server.ID]
		if s.need() {
			s.refresh()
			connected++
		}
	}
	if connected == 0 {
		return 0, domain.ErrAllServersFailed
	}
	m.opened[toolbox.Name] = true
	return connected, nil
}

// use returns the kind of failure of a use of a tool.
func (m *model) use(tool domain.ToolIdentifier) error {
	s := m.byID[tool.ServerID()]
	switch {
	case !m.opened[tool.Toolbox]:
		return domain.ErrToolboxNotOpen
	case s.known != nil && (!s.up || !s.unlisted) && !s.known[tool.Tool]:
		return domain.ErrToolNotFound
	case !s.need():
		return domain.ErrServerUnavailable
	}
	s.refresh()
	if !s.known[tool.Tool] {
		return domain.ErrToolNotFound
	}
	return nil
}

var _ = Describe("A workbench with random actions", Label("C07"), func() {
	const steps = 80
	boxes := []domain.Toolbox{toolbox("dev", "a", "b"), toolbox("ops", "a")}
	tools := []string{"read", "write", "erase"}

	// play chooses a random action. It returns a function that does it with the
	// workbench and the model, and compares them.
	play := func(random *rand.Rand, w *workbench, m *model) (what string, do func()) {
		dev := boxes[random.IntN(len(boxes))]
		id := dev.Servers[random.IntN(len(dev.Servers))].ID
		server, modelled := w.servers[id], m.byID[id]
		name := fmt.Sprintf("%s/%s", id.Toolbox, id.Server)
		switch random.IntN(7) {
		case 0, 1:
			return "open " + string(dev.Name), func() {
				connected, kind := m.open(dev)
				opened, err := w.open(dev.Name)
				if kind == nil {
					Expect(err).NotTo(HaveOccurred())
				} else {
					Expect(err).To(MatchError(kind))
				}
				Expect(opened.Connected()).To(Equal(connected))
			}
		case 2, 3:
			tool := domain.ToolIdentifier{Toolbox: id.Toolbox, Server: id.Server, Tool: tools[random.IntN(len(tools))]}
			return "use " + name + "/" + tool.Tool, func() {
				kind := m.use(tool)
				received := w.useWith(w.t.Context(), tool, ports.ToolCall{})
				synctest.Wait()
				if kind == nil {
					Expect(received.result()).To(Equal(`"` + tool.Tool + `"`))
				} else {
					Expect(received.failure()).To(MatchError(kind))
				}
			}
		case 4:
			return "kill " + name, func() {
				if modelled.up {
					server.die()
				}
				modelled.up = false
			}
		case 5:
			return "break or repair " + name, func() {
				modelled.broken = !modelled.broken
				server.failure = nil
				if modelled.broken {
					server.fail("broken")
				}
			}
		}
		kept := tools[:random.IntN(len(tools)+1)]
		return fmt.Sprintf("let %s have %q", name, kept), func() {
			server.offer(kept...)
			modelled.offers = map[string]bool{}
			for _, tool := range kept {
				modelled.offers[tool] = true
			}
			if modelled.up {
				server.sayToolsChanged()
				modelled.unlisted = true
			}
		}
	}

	It("agrees with the model", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 1))
		for range spec.Seeds() {
			spec.InBubble(func(t *testing.T) {
				w := start(t, boxes...)
				m := &model{opened: map[domain.ToolboxName]bool{}, byID: map[domain.ServerID]*modelServer{}}
				for id := range w.servers {
					m.byID[id] = &modelServer{offers: map[string]bool{"read": true, "write": true}}
				}
				for range steps {
					what, do := play(random, w, m)
					GinkgoWriter.Println(what)
					time.Sleep(5 * time.Minute) // longer than the pause after a failure
					do()
					synctest.Wait()
					for id, server := range w.servers {
						starts, _ := server.counts()
						Expect(starts).To(Equal(m.byID[id].starts), "starts of %v", id)
						now, maxLive := server.alive()
						Expect(now).To(Equal(map[bool]int{true: 1}[m.byID[id].up]), "sessions of %v", id)
						Expect(maxLive).To(BeNumerically("<=", 1), "sessions at once of %v", id)
					}
				}
			})()
		}
	})

	It("answers each call once and leaves nothing running, however many actions are concurrent", func() {
		random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 2))
		for range spec.Seeds() {
			spec.InBubble(func(t *testing.T) {
				w := start(t, boxes...)
				var outcomes []*outcome
				returned := make(chan struct{}, steps)
				opens := 0
				for _, server := range w.servers {
					server.startup = time.Duration(random.IntN(5)) * time.Second
					server.listing = time.Duration(random.IntN(3)) * time.Second
					server.closing = time.Duration(random.IntN(5)) * time.Second
					server.deaf = random.IntN(3) == 0
				}
				for range steps {
					dev := boxes[random.IntN(len(boxes))]
					id := dev.Servers[random.IntN(len(dev.Servers))].ID
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(10_000))*time.Millisecond)
					defer cancel()
					switch random.IntN(6) {
					case 0:
						opens++
						go func() {
							_, _ = w.opener.OpenToolbox(ctx, dev.Name)
							returned <- struct{}{}
						}()
					case 1, 2, 3:
						tool := domain.ToolIdentifier{Toolbox: id.Toolbox, Server: id.Server, Tool: "read"}
						outcomes = append(outcomes, w.useWith(ctx, tool, ports.ToolCall{}))
					case 4:
						if now, _ := w.servers[id].alive(); now > 0 {
							w.servers[id].die()
						}
					case 5:
						if now, _ := w.servers[id].alive(); now > 0 {
							w.servers[id].sayToolsChanged()
						}
					}
					time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
				}

				w.close(2 * time.Second)
				synctest.Wait()

				Expect(returned).To(HaveLen(opens))
				for _, received := range outcomes {
					times, _, _ := received.received()
					Expect(times).To(Equal(1))
				}
				for _, server := range w.servers {
					now, maxLive := server.alive()
					Expect(now).To(BeZero())
					Expect(maxLive).To(BeNumerically("<=", 1))
				}
			})()
		}
	})
})
