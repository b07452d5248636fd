package streamablehttp_test

import (
	"context"
	"net"
	"net/http"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// connections are those that clients have to a raw server.
type connections struct {
	mu      sync.Mutex
	dialled int
	open    map[net.Conn]http.ConnState
}

func (c *connections) note(connection net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew {
		c.dialled++
	}
	if c.open[connection] = state; state == http.StateClosed {
		delete(c.open, connection)
	}
}

func (c *connections) countMade() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dialled
}

func (c *connections) countOpen() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// busy counts those on which a request is under way.
func (c *connections) busy() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy := 0
	for _, state := range c.open {
		if state == http.StateActive {
			busy++
		}
	}
	return busy
}

// gate lets calls through once so many are at it.
type gate struct {
	mu      sync.Mutex
	waiting int
	opens   int
	open    chan struct{}
}

func newGate(opens int) *gate { return &gate{opens: opens, open: make(chan struct{})} }

func (g *gate) pass() {
	g.mu.Lock()
	open := g.open
	if g.waiting++; g.waiting == g.opens {
		close(g.open)
		g.waiting, g.open = 0, make(chan struct{})
	}
	g.mu.Unlock()
	<-open
}

var _ = Describe("Many calls over http", func() {
	// burst makes so many calls at once, often, one burst after the other, and returns
	// the server's connections.
	burst := func(calls, times int) *connections {
		GinkgoHelper()
		together := newGate(calls)
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, id string) {
			together.pass()
			answer(w, id, `{}`)
		}})
		session := connect(server)
		for range times {
			var outcomes []<-chan outcome
			for range calls {
				outcomes = append(outcomes, begin(context.Background(), session, call("read")))
			}
			for _, outcome := range outcomes {
				Eventually(outcome).WithTimeout(patience).Should(Receive(HaveField("Result", "{}")))
			}
			Eventually(server.connections.busy).WithTimeout(patience).Should(BeZero())
		}
		return server.connections
	}

	It("share connections: five rounds of 64 open far fewer than one each", func() {
		// A connection is free again a moment after the answer that came over it, so some
		// calls of a burst may miss it.
		Expect(burst(64, 5).countMade()).To(BeNumerically("<", 2*64))
	})

	It("leave no more than 64 connections behind", func() {
		open := burst(150, 1)

		Eventually(open.countOpen).WithTimeout(patience).Should(BeNumerically("<=", 64))
		Expect(open.countMade()).To(BeNumerically(">=", 150))
	})
})
