package spec

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
)

// ProgramsVariable is the variable with a folder of programs that are built already; those built with
// a flag are in its subfolder with the name of the flag. make sets it, so that programs are linked
// once and not by every suite, and so does tests/windows/run, since specs run without Go under
// Wine.
const ProgramsVariable = "WORKBENCH_PROGRAMS"

// Build builds the program of a package with these flags of go build, and returns its
// path. If ProgramsVariable is set, it returns the path in that folder instead.
func Build(program string, flags ...string) string {
	ginkgo.GinkgoHelper()
	if folder := os.Getenv(ProgramsVariable); folder != "" {
		built := filepath.Join(folder, strings.TrimPrefix(strings.Join(flags, ""), "-"), ProgramName(path.Base(program)))
		gomega.Expect(built).To(gomega.BeAnExistingFile())
		return built
	}
	built, err := gexec.Build(program, flags...)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return built
}

// ProgramName returns the name of the file of a program: on Windows it has an extension.
func ProgramName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
