package main

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("The end of the background workbench", func() {
	It("waits for sessions of shells that are ending since no command came", spec.InBubble(func(*testing.T) {
		h := &hosts{shells: map[string]*shellHost{}}
		shell, _ := h.enterShell("key")
		begun, exited, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
		shell.linger, shell.end = time.Minute, func() {
			close(begun)
			<-exited
		}
		h.leaveShell("key", shell)
		<-begun

		go func() {
			h.endShells()
			close(over)
		}()

		synctest.Wait()
		Expect(over).NotTo(BeClosed())
		close(exited)
		<-over
	}))
})

var _ = Describe("The command line of what calls commands of a shell", func() {
	It("is shown without its secrets", func() {
		Expect(callerLine([]string{"node", "agent.js", "--api-key", "hunter2hunter2", "fix it"})).To(Equal("node agent.js --api-key ••• fix it"))
		Expect(callerLine(nil)).To(BeEmpty())
	})
})
