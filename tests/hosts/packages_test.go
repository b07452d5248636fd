package hosts_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// packagesRoot is the folder in which the packages of the lock file are installed.
const packagesRoot = "npm/node_modules"

// requirePackages skips all specs if the hosts are not installed, or fails them if
// WORKBENCH_REQUIRE_HOSTS is set.
func requirePackages() {
	GinkgoHelper()
	unavailable := func(reason string) {
		GinkgoHelper()
		if os.Getenv("WORKBENCH_REQUIRE_HOSTS") == "1" {
			Fail(reason)
		}
		Skip(reason)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		unavailable("the hosts are run on Linux with an x86-64 processor only: not every one is published for every system")
	}
	if _, err := exec.LookPath("node"); err != nil {
		unavailable("there is no Node here")
	}
	for _, h := range hosts {
		if _, err := os.Stat(packageFile(h.program)); err != nil {
			unavailable("the hosts are not installed, see make hosts: " + err.Error())
		}
	}
}

// packageFile returns the absolute path of a file of an installed package. A path that is
// absolute already is the path of another program.
func packageFile(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	absolute, err := filepath.Abs(filepath.Join(packagesRoot, filepath.FromSlash(path)))
	if err != nil {
		panic(err)
	}
	return absolute
}

// packageVersion returns the version of an installed package.
func packageVersion(name string) string {
	GinkgoHelper()
	text, err := os.ReadFile(packageFile(name + "/package.json"))
	Expect(err).NotTo(HaveOccurred())
	var read struct{ Version string }
	Expect(json.Unmarshal(text, &read)).To(Succeed())
	return read.Version
}
