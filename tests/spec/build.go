package spec

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/lockedfile"
)

// ProgramsVariable is the variable with a folder of programs that are built already. tests/windows/run
// sets it, since specs run without Go under Wine.
const ProgramsVariable = "WORKBENCH_PROGRAMS"

// Build builds the program of a package of this project with these flags of go build, and returns its path. All
// suites of a checkout share the programs in bin/specs. A program is replaced only if it has changed. If
// ProgramsVariable is set, Build returns the path in that folder instead.
func Build(program string, flags ...string) string {
	ginkgo.GinkgoHelper()
	if folder := os.Getenv(ProgramsVariable); folder != "" {
		built := filepath.Join(folder, ProgramName(path.Base(program)))
		gomega.Expect(built).To(gomega.BeAnExistingFile())
		return built
	}
	checkout := root()
	gomega.Expect(dependOn(checkout)).To(gomega.Succeed())
	folder := filepath.Join(checkout, "bin", "specs", strings.TrimPrefix(strings.Join(flags, ""), "-"))
	gomega.Expect(os.MkdirAll(filepath.Join(folder, "built"), 0o755)).To(gomega.Succeed())
	unlock, err := lockedfile.MutexAt(filepath.Join(folder, ".lock")).Lock()
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	defer unlock()
	name := ProgramName(path.Base(program))
	built, shared := filepath.Join(folder, "built", name), filepath.Join(folder, name)
	output, err := exec.Command("go", slices.Concat([]string{"build"}, flags, []string{"-o", built, program})...).CombinedOutput()
	gomega.Expect(err).NotTo(gomega.HaveOccurred(), string(output))
	gomega.Expect(replaceIfChanged(shared, built)).To(gomega.Succeed())
	return shared
}

// replaceIfChanged replaces a program with a copy of another one unless they are equal. go build sets the time of a file
// even if it is up to date, but hosts of one background workbench must have the same program with the same time.
func replaceIfChanged(program, by string) error {
	text, err := os.ReadFile(by)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(program); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.WriteFile(program+".new", text, 0o755); err != nil {
		return err
	}
	return os.Rename(program+".new", program)
}

// dependOn reads every folder of a checkout that programs may be built from. Without other flags, go test repeats the
// result of a suite until a file in a folder that the suite has read changes.
func dependOn(checkout string) error {
	return filepath.WalkDir(checkout, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != checkout && (slices.Contains([]string{"bin", "dist", "node_modules"}, entry.Name()) || entry.Name()[0] == '.') {
			return fs.SkipDir
		}
		return err
	})
}

// root returns the folder of the checkout, which has the file go.mod.
func root() string {
	folder, err := os.Getwd()
	for err == nil && filepath.Dir(folder) != folder {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		folder = filepath.Dir(folder)
	}
	ginkgo.Fail("the specs run in no folder below a file go.mod")
	return ""
}

// ProgramName returns the name of the file of a program: on Windows it has an extension.
func ProgramName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
