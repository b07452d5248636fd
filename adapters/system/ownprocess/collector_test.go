package ownprocess_test

import (
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("The garbage collector", func() {
	It("runs after more allocations once it is told to, and this takes no memory before", func() {
		collected := func() uint64 {
			runtime.GC()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			return memory.NextGC
		}
		before, resident := collected(), ownprocess.Read().Resident

		ownprocess.CollectLess()

		Expect(collected()).To(BeNumerically(">=", before+4<<20))
		if runtime.GOOS == "linux" {
			Expect(ownprocess.Read().Resident).To(BeNumerically("<", resident+2<<20))
		}
	})
})
