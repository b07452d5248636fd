package ownprocess_test

import (
	"runtime"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/tests/spec"
)

func TestOwnProcess(t *testing.T) { spec.Run(t, "The process of the program") }

var _ = Describe("The figures of the process", func() {
	It("are those that the operating system counts", func() {
		figures := ownprocess.Read()

		Expect(figures.Processor).To(BeNumerically(">", 0))
		if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
			Skip("memory and files are known only on Linux and Windows")
		}
		Expect(figures.Resident).To(BeNumerically(">", 1<<20))
		if runtime.GOOS == "linux" {
			Expect(figures.Virtual).To(BeNumerically(">=", figures.Resident))
			Expect(figures.OpenFiles).To(BeNumerically(">=", 3))
			Expect(figures.MaxFiles).To(BeNumerically(">=", figures.OpenFiles))
		}
	})
})
