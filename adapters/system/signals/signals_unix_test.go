//go:build unix

package signals_test

import (
	"context"
	"os"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/signals"
)

var _ = Describe("Signals", Serial, func() {
	raise := func(signal syscall.Signal) {
		GinkgoHelper()
		Expect(syscall.Kill(syscall.Getpid(), signal)).To(Succeed())
	}

	It("end the serving first, and then the time that servers get", func(ctx SpecContext) {
		serving, stopping, stop := signals.Until(ctx, nil)
		defer stop()

		raise(syscall.SIGHUP)
		Eventually(ctx, serving.Done()).Should(BeClosed())
		Expect(stopping.Err()).NotTo(HaveOccurred())

		raise(syscall.SIGHUP)
		Eventually(ctx, stopping.Done()).Should(BeClosed())
	}, SpecTimeout(time.Minute))

	It("ask to reload with SIGHUP where there is a channel for it", func(ctx SpecContext) {
		asked := signals.Reloads(ctx)
		serving, stopping, stop := signals.Until(ctx, asked)
		defer stop()

		for _, signal := range []os.Signal{syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGHUP} {
			raise(signal.(syscall.Signal))
			Eventually(ctx, asked).Should(Receive(Equal(signal)))
		}
		Expect(serving.Err()).NotTo(HaveOccurred())
		Expect(stopping.Err()).NotTo(HaveOccurred())
	}, SpecTimeout(time.Minute))

	It("are waited for no longer than the serving takes", func() {
		serving, stopping, stop := signals.Until(context.Background(), nil)

		stop()

		Expect(serving.Err()).To(MatchError(context.Canceled))
		Expect(stopping.Err()).To(MatchError(context.Canceled))
	})
})
