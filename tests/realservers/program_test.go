package realservers_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
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
	program.WaitDelay = patience
	err := program.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		Expect(err).NotTo(HaveOccurred(), "running %s", script)
	}
	Expect(context.Cause(ctx)).NotTo(HaveOccurred())
	return finished{stdout: stdout.String(), stderr: stderr.String(), code: program.ProcessState.ExitCode()}
}
