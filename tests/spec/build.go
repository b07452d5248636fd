package spec

import (
	"os"
	"path"
	"path/filepath"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
)

// ProgramsVariable names the folder with programs that were built before. It is set
// where specs run without Go, as Windows programs under Wine do.
const ProgramsVariable = "WORKBENCH_PROGRAMS"

// Build builds the program of a package with these flags of go build, and returns its
// path. If ProgramsVariable is set, it returns the path in that folder instead.
func Build(program string, flags ...string) string {
	ginkgo.GinkgoHelper()
	if folder := os.Getenv(ProgramsVariable); folder != "" {
		built := filepath.Join(folder, path.Base(program)+".exe")
		gomega.Expect(built).To(gomega.BeAnExistingFile())
		return built
	}
	built, err := gexec.Build(program, flags...)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return built
}
