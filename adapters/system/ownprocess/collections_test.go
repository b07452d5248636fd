package ownprocess_test

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
)

var _ = Describe("Garbage", func() {
	percent := func() uint64 {
		runtime.GC()
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}

	It("gathers to some megabytes while little memory is in use, and to as much as is in use otherwise", func() {
		if os.Getenv("GOGC") != "" {
			Skip("GOGC takes precedence")
		}
		debug.SetGCPercent(100)
		ownprocess.CollectLess()
		Eventually(percent).Should(BeEquivalentTo(400))

		func() {
			used := make([]byte, 32<<20)
			Eventually(percent).Should(BeEquivalentTo(100))
			runtime.KeepAlive(used)
		}()
		Eventually(percent).Should(BeEquivalentTo(400))
	})
})
