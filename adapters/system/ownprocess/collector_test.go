package ownprocess_test

import (
	"os"
	"regexp"
	"runtime"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("The garbage collector", func() {
	It("runs after more allocations while there is a reserve, which takes no memory", func() {
		collected := func() uint64 {
			runtime.GC()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			return memory.NextGC
		}
		before, resident := collected(), anonymous()

		var reserve ownprocess.HeapReserve
		reserve.Take()

		Expect(collected()).To(BeNumerically(">=", before+4<<20))
		Expect(anonymous()).To(BeNumerically("<", resident+2<<20))
		runtime.KeepAlive(&reserve)
	})
})

// anonymous returns the bytes of the process in memory that are not those of a file, 0 where they are not known.
func anonymous() int {
	status, _ := os.ReadFile("/proc/self/status") // Linux has it
	found := regexp.MustCompile(`RssAnon:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		return 0
	}
	kilobytes, err := strconv.Atoi(string(found[1]))
	Expect(err).NotTo(HaveOccurred())
	return kilobytes << 10
}
