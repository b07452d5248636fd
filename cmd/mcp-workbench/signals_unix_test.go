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
	It("end the serving at first and the patience with servers then", func(ctx SpecContext) {
		serving, patience, stop := untilSignals(ctx)
		defer stop()
		raise := func() { Expect(syscall.Kill(syscall.Getpid(), syscall.SIGHUP)).To(Succeed()) }

		raise()
		Eventually(ctx, serving.Done()).Should(BeClosed())
		Expect(patience.Err()).NotTo(HaveOccurred())

		raise()
		Eventually(ctx, patience.Done()).Should(BeClosed())
	}, SpecTimeout(time.Minute))

	It("are waited for no longer than the serving takes", func() {
		serving, patience, stop := untilSignals(context.Background())

		stop()

		Expect(serving.Err()).To(MatchError(context.Canceled))
		Expect(patience.Err()).To(MatchError(context.Canceled))
	})
})
