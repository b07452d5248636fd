package realservers_test

import (
	"bufio"
	"io"
	"os/exec"
	"regexp"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

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
		return []string{programs.Workbench, "--config", config}, func() {}
	}
	url, end := listen(config)
	return []string{url}, end
}

// listen starts a workbench that listens on HTTP, and returns its URL and a function that ends it. It
// ends with the spec at the latest.
func listen(config string) (url string, end func()) {
	GinkgoHelper()
	workbench := exec.Command(programs.Workbench, "serve", "--config", config, "--http", "127.0.0.1:0")
	workbench.Env = environment()
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
