package realservers_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// finished is a program that ran to its end.
type finished struct {
	stdout, stderr string
	code           int
}

// ownHome is an environment in which programs do not see the files of the user who
// runs the specs.
func ownHome() []string {
	GinkgoHelper()
	return append(os.Environ(), "HOME="+GinkgoT().TempDir(), "MCP_INSPECTOR_SECRET_STORE=memory", "NO_COLOR=1")
}

// runNode runs a script of an installed package, or of this folder, to its end.
func runNode(ctx context.Context, env []string, script string, args ...string) finished {
	GinkgoHelper()
	var stdout, stderr bytes.Buffer
	program := exec.CommandContext(ctx, node.path, append([]string{script}, args...)...)
	program.Env = env
	program.Stdout = io.MultiWriter(&stdout, GinkgoWriter)
	program.Stderr = io.MultiWriter(&stderr, GinkgoWriter)
	program.WaitDelay = Patience
	err := program.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		Expect(err).NotTo(HaveOccurred(), "running %s", script)
	}
	Expect(context.Cause(ctx)).NotTo(HaveOccurred())
	return finished{stdout: stdout.String(), stderr: stderr.String(), code: program.ProcessState.ExitCode()}
}

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

var listeningAt = regexp.MustCompile(`listening on (http://\S+/mcp)`)

// The ways in which a host reaches a workbench.
const (
	onPipes  = "on pipes"
	overHTTP = "over HTTP"
)

// reached returns the argument of scripts in the folder clients for a workbench: its command, or
// the URL of one that listens. The function that ends the latter returns when its servers are gone.
func reached(way, config string) (connecting []string, end func()) {
	GinkgoHelper()
	if way == onPipes {
		return []string{BuiltWorkbench(), "--config", config}, func() {}
	}
	url, end := listen(config)
	return []string{url}, end
}

// listen starts a workbench that listens on HTTP, and returns its URL and a function that ends it. It
// ends with the spec at the latest.
func listen(config string) (url string, end func()) {
	GinkgoHelper()
	workbench := exec.Command(BuiltWorkbench(), "serve", "--config", config, "--http", "127.0.0.1:0")
	workbench.Env = append(environment(), "XDG_STATE_HOME="+GinkgoT().TempDir())
	stderr, err := workbench.StderrPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(workbench.Start()).To(Succeed())
	end = sync.OnceFunc(func() {
		GinkgoHelper()
		Expect(workbench.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Expect(workbench.Wait()).To(Succeed())
	})
	DeferCleanup(end)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if found := listeningAt.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(GinkgoWriter, stderr) }() // until it ends
			return found[1], end
		}
	}
	Fail("the workbench ended without listening")
	return "", nil
}
