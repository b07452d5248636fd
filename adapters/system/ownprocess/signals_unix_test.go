//go:build unix

package ownprocess_test

import (
	"context"
	"os"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("Signals", Serial, func() {
	raise := func(signal syscall.Signal) {
		GinkgoHelper()
		Expect(syscall.Kill(syscall.Getpid(), signal)).To(Succeed())
	}

	It("end the serving first, and then the time for servers to exit", func(ctx SpecContext) {
		serving, stopping, stop := ownprocess.UntilSignal(ctx)
		defer stop()

		raise(syscall.SIGHUP)
		Eventually(ctx, serving.Done()).Should(BeClosed())
		Expect(stopping.Err()).NotTo(HaveOccurred())

		raise(syscall.SIGHUP)
		Eventually(ctx, stopping.Done()).Should(BeClosed())
	}, SpecTimeout(time.Minute))

	It("end the serving and then the time for servers to exit, for a program that also reloads", func(ctx SpecContext) {
		first, second, received := ownprocess.ListenForSignals(ctx, false)
		defer received.Stop()

		raise(syscall.SIGHUP)
		Eventually(ctx, first.Done()).Should(BeClosed())
		Expect(second.Err()).NotTo(HaveOccurred())
		Expect(received.Reloads).To(BeEmpty())

		raise(syscall.SIGHUP)
		Eventually(ctx, second.Done()).Should(BeClosed())
	}, SpecTimeout(time.Minute))

	DescribeTable("are a second wish to end", func(got syscall.Signal, after time.Duration, wanted bool) {
		var heard ownprocess.Heard
		begin := time.Now()
		Expect(heard.IsWish(syscall.SIGINT, begin)).To(BeTrue())
		Expect(heard.IsWish(got, begin.Add(after))).To(Equal(wanted))
	},
		Entry("when one comes again at once", syscall.SIGINT, time.Millisecond, true),
		Entry("when another comes after a second", syscall.SIGTERM, time.Second, true),
		Entry("unless it is another within a second, as hosts send them", syscall.SIGTERM, 999*time.Millisecond, false),
	)

	It("are a second wish to end when one of another kind comes again", func() {
		var heard ownprocess.Heard
		now := time.Now()
		Expect([]bool{heard.IsWish(syscall.SIGINT, now), heard.IsWish(syscall.SIGTERM, now), heard.IsWish(syscall.SIGTERM, now)}).To(
			Equal([]bool{true, false, true}))
	})

	It("ask to reload with SIGHUP if a hangup reloads", func(ctx SpecContext) {
		first, second, received := ownprocess.ListenForSignals(ctx, true)
		defer received.Stop()

		for _, signal := range []os.Signal{syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGHUP} {
			raise(signal.(syscall.Signal))
			Eventually(ctx, received.Reloads).Should(Receive(Equal(signal)))
		}
		Expect(first.Err()).NotTo(HaveOccurred())
		Expect(second.Err()).NotTo(HaveOccurred())
	}, SpecTimeout(time.Minute))

	It("are no longer waited for after the serving has ended", func() {
		serving, stopping, stop := ownprocess.UntilSignal(context.Background())

		stop()

		Expect(serving.Err()).To(MatchError(context.Canceled))
		Expect(stopping.Err()).To(MatchError(context.Canceled))
	})
})
