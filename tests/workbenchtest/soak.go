package workbenchtest

import (
	"os"
	"time"

	"github.com/onsi/gomega"
)

// SoakTime returns how long a random spec runs: WORKBENCH_SOAK if it is set.
func SoakTime(short time.Duration) time.Duration {
	given := os.Getenv("WORKBENCH_SOAK")
	if given == "" {
		return short
	}
	duration, err := time.ParseDuration(given)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return duration
}
