package application_test

import (
	"context"
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

var _ = Describe("A workbench with random actions", Label("C07"), func() {
	const steps = 80
	boxes := []domain.Toolbox{toolbox("dev", "a", "b"), toolbox("ops", "a")}

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
