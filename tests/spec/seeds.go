package spec

import (
	"os"
	"strconv"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// seedsVariable is the variable with the number of lives that random suites try.
const seedsVariable = "WORKBENCH_SEEDS"

// Seeds returns how many random lives a suite tries: 5, or as many as WORKBENCH_SEEDS says, for long runs. Each
// begins from a seed of its own, so that a long run repeats the lives of a short one.
func Seeds() uint64 {
	ginkgo.GinkgoHelper()
	given := os.Getenv(seedsVariable)
	if given == "" {
		return 5
	}
	seeds, err := strconv.ParseUint(given, 10, 32)
	gomega.Expect(err).NotTo(gomega.HaveOccurred(), seedsVariable)
	return seeds
}
