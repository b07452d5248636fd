package ownprocess_test

import (
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("The garbage collector", func() {
	It("runs after more allocations while there is a reserve", func() {
		collected := func() uint64 {
			runtime.GC()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			return memory.NextGC
		}
		before := collected()

		var reserve ownprocess.HeapReserve
		reserve.Take()

		Expect(collected()).To(BeNumerically(">=", before+4<<20))
		runtime.KeepAlive(&reserve)
	})
})
