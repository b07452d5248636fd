//go:build unix

package main

import (
	"context"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Signals", func() {
	It("end the serving first, and then the time that servers get", func(ctx SpecContext) {
		serving, stopping, stop := untilSignals(ctx)
		defer stop()
		raise := func() { Expect(syscall.Kill(syscall.Getpid(), syscall.SIGHUP)).To(Succeed()) }

		raise()
		Eventually(ctx, serving.Done()).Should(BeClosed())
		Expect(stopping.Err()).NotTo(HaveOccurred())

		raise()
		Eventually(ctx, stopping.Done()).Should(BeClosed())
	}, SpecTimeout(time.Minute))

	It("are waited for no longer than the serving takes", func() {
		serving, stopping, stop := untilSignals(context.Background())

		stop()

		Expect(serving.Err()).To(MatchError(context.Canceled))
		Expect(stopping.Err()).To(MatchError(context.Canceled))
	})
})
