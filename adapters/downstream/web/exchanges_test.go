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

var _ = Describe("The exchanges of a link", func() {
	It("each have a context that ends alone", func() {
		exchanges := web.NewExchanges()
		ended := make(chan string, 2)
		run := func(name string) func(context.Context) {
			return func(ctx context.Context) {
				<-ctx.Done()
				ended <- name
			}
		}
		cancelFirst := exchanges.Start(run("first"))
		exchanges.Start(run("second"))

		cancelFirst()

		Eventually(ended).WithTimeout(patience).Should(Receive(Equal("first")))
		Expect(ended).NotTo(Receive())
		exchanges.Close(context.Background(), 0)
		Expect(ended).To(Receive(Equal("second")))
	})

	It("run however many there are, and none after the end", func() {
		exchanges := web.NewExchanges()
		var ran atomic.Int64
		for range 1000 {
			exchanges.Start(func(context.Context) { ran.Add(1) })
		}

		exchanges.Close(context.Background(), patience)
		exchanges.Start(func(context.Context) { ran.Add(1) })

		Expect(ran.Load()).To(BeEquivalentTo(1000))
	})

	It("take no more messages while the server takes none, and hold up nobody for those", func() {
		exchanges := web.NewExchanges()
		var order web.Order
		taken := make(chan struct{})
		send := func() error { return exchanges.Send(order.Next(), func(context.Context) { <-taken }) }
		for range 256 {
			Expect(send()).To(Succeed())
		}

		Expect(exchanges.Send(order.First(), func(context.Context) {})).To(MatchError(jsonrpc.ErrQueueFull))

		Expect(order.Next().Wait(context.Background())).To(BeTrue())
		close(taken)
		Eventually(send).WithTimeout(patience).Should(Succeed())
		exchanges.Close(context.Background(), patience)
	})
})

func TestExchangesGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		exchanges := web.NewExchanges()
		slow := func(length time.Duration) func(context.Context) {
			return func(ctx context.Context) { web.Pause(ctx, length) }
		}
		exchanges.Start(slow(time.Second))
		exchanges.Start(slow(time.Hour))

		begun := time.Now()
		exchanges.Close(t.Context(), 3*time.Second)

		if waited := time.Since(begun); waited != 3*time.Second {
			t.Fatalf("what ran was given %s, not the grace", waited)
		}
	})
}
