package ownprocess_test

import (
	"runtime"
	"sync/atomic"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("An interrupt", Serial, func() {
	It("is over once it is settled, even if it came just before", func() {
		runtime.LockOSThread() // the signal is handled by this thread before the call that sends it returns
		defer runtime.UnlockOSThread()
		end := make(chan struct{})
		defer close(end)
		var isLeft atomic.Bool
		var late, calls atomic.Int32
		settle := ownprocess.OnSignal(syscall.SIGUSR2, func() {
			runtime.Gosched()
			calls.Add(1)
			if !isLeft.Load() {
				late.Add(1)
			}
		}, end)
		for range 2000 {
			before := calls.Load()
			isLeft.Store(true)
			Expect(syscall.Tgkill(syscall.Getpid(), syscall.Gettid(), syscall.SIGUSR2)).To(Succeed())
			settle()
			isLeft.Store(false)
			Expect(calls.Load()).To(BeNumerically(">", before))
		}
		settle()
		Expect(late.Load()).To(BeZero())
	})
})
