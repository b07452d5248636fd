package realservers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
)

// packagesRoot is the folder in which the packages of the lock file are installed.
const packagesRoot = "../npm"

// judgesNeed is the oldest Node for the Inspector and the conformance runner.
// The servers run on older ones.
const judgesNeed = 22

// node is the Node that runs everything here; its path is empty if there is
// none.
var node = findNode()

type nodeProgram struct {
	path  string
	major int
}

// findNode prefers the Node that the lock file installs, which is new enough for
// everything, and the same on all machines.
func findNode() nodeProgram {
	operatingSystem := map[string]string{"windows": "win"}[runtime.GOOS]
	if operatingSystem == "" {
		operatingSystem = runtime.GOOS
	}
	architecture := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if architecture == "" {
		architecture = runtime.GOARCH
	}
	platform := operatingSystem + "-" + architecture
	for _, path := range []string{
		filepath.Join(packagesRoot, "node_modules", "node-"+platform, "bin", "node"),
		filepath.Join(packagesRoot, "node_modules", "node-bin-"+platform, "bin", "node"),
		"node",
	} {
		if found, ok := tryNode(path); ok {
			return found
		}
	}
	return nodeProgram{}
}

// tryNode reports whether there is a Node at the path that runs here: one that
// is linked against another C library does not.
func tryNode(path string) (nodeProgram, bool) {
	found, err := exec.LookPath(path)
	if err != nil {
		return nodeProgram{}, false
	}
	if found, err = filepath.Abs(found); err != nil {
		return nodeProgram{}, false
	}
	version, err := exec.Command(found, "--version").Output()
	if err != nil {
		return nodeProgram{}, false
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	major, err := strconv.Atoi(text)
	return nodeProgram{path: found, major: major}, err == nil
}

// requireNode skips specs without Node or installed packages, or fails them if
// Node is required.
func requireNode() {
	GinkgoHelper()
	if node.path == "" {
		unavailable("there is no Node here")
	}
	if _, err := os.Stat(serverProgram("everything")); err != nil {
		unavailable("the npm packages are not installed, see make npm: " + err.Error())
	}
}

// requireNodeForJudges skips specs whose judge does not run on this Node.
func requireNodeForJudges() {
	GinkgoHelper()
	if node.major < judgesNeed {
		unavailable(fmt.Sprintf("this needs Node %d, %s is %d", judgesNeed, node.path, node.major))
	}
}

func unavailable(reason string) {
	GinkgoHelper()
	if os.Getenv("WORKBENCH_REQUIRE_NODE") == "1" {
		Fail(reason)
	}
	Skip(reason)
}

// npmFile returns the absolute path of a file of an installed package.
func npmFile(path string) string {
	absolute, err := filepath.Abs(filepath.Join(packagesRoot, "node_modules", filepath.FromSlash(path)))
	if err != nil {
		panic(err)
	}
	return absolute
}

// serverProgram returns the script of a reference server.
func serverProgram(name string) string {
	return npmFile("@modelcontextprotocol/server-" + name + "/dist/index.js")
}
