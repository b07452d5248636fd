package web_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
)

var _ = Describe("The workers of a link", func() {
	It("have a context of their own each", func() {
		workers := web.NewWorkers()
		ended := make(chan string, 2)
		run := func(name string) func(context.Context) {
			return func(ctx context.Context) {
				<-ctx.Done()
				ended <- name
			}
		}
		cancelFirst := workers.Start(run("first"))
		workers.Start(run("second"))

		cancelFirst()

		Eventually(ended).WithTimeout(patience).Should(Receive(Equal("first")))
		Expect(ended).NotTo(Receive())
		workers.Close(context.Background(), 0)
		Expect(ended).To(Receive(Equal("second")))
	})

	It("run in any number, and never after the end", func() {
		workers := web.NewWorkers()
		var ran atomic.Int64
		for range 1000 {
			workers.Start(func(context.Context) { ran.Add(1) })
		}

		workers.Close(context.Background(), patience)
		workers.Start(func(context.Context) { ran.Add(1) })

		Expect(ran.Load()).To(BeEquivalentTo(1000))
	})

	It("accept no more messages while the server accepts none, and do not block their senders", func() {
		workers := web.NewWorkers()
		var sequencer web.Sequencer
		taken := make(chan struct{})
		send := func() error { return workers.Send(sequencer.Ticket(), func(context.Context) { <-taken }) }
		for range 256 {
			Expect(send()).To(Succeed())
		}

		Expect(workers.Send(sequencer.Barrier(), func(context.Context) {})).To(MatchError(jsonrpc.ErrQueueFull))

		Expect(sequencer.Ticket().Wait(context.Background())).To(BeTrue())
		close(taken)
		Eventually(send).WithTimeout(patience).Should(Succeed())
		workers.Close(context.Background(), patience)
	})
})

func TestWorkersGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		workers := web.NewWorkers()
		slow := func(length time.Duration) func(context.Context) {
			return func(ctx context.Context) { web.Pause(ctx, length) }
		}
		workers.Start(slow(time.Second))
		workers.Start(slow(time.Hour))

		begun := time.Now()
		workers.Close(t.Context(), 3*time.Second)

		if waited := time.Since(begun); waited != 3*time.Second {
			t.Fatalf("what ran was given %s, not the grace", waited)
		}
	})
}
