package stdio_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Running a program for what it prints", func() {
	run := func(ctx context.Context, words ...string) (string, error) {
		output, err := stdio.NewRunner(nil, stdio.Place{}).Output(ctx, domain.Program{Command: words[0], Args: words[1:], Cwd: GinkgoT().TempDir()}, 1<<10)
		return string(output), err
	}
	background := context.Background()

	It("returns its output, and nothing of its stderr", func() {
		Expect(run(background, "/bin/sh", "-c", "echo out; echo err >&2")).To(Equal("out\n"))
	})

	It("gives it the variables of the workbench except for its own, and no input", func() {
		GinkgoT().Setenv("OP_SESSION", "session")
		GinkgoT().Setenv("WORKBENCH_CONFIG", "x")
		Expect(run(background, "/bin/sh", "-c", `cat; echo "$OP_SESSION-$WORKBENCH_CONFIG"`)).To(Equal("session-\n"))
	})

	It("finds it in PATH, or in its folder", func() {
		folder := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "get"), []byte("#!/bin/sh\necho found"), 0o700)).To(Succeed())
		Expect(stdio.NewRunner(nil, stdio.Place{}).Output(background, domain.Program{Command: "./get", Cwd: folder}, 100)).To(BeEquivalentTo("found\n"))
		GinkgoT().Setenv("PATH", folder)
		Expect(run(background, "get")).To(Equal("found\n"))
	})

	DescribeTable("fails without its output", func(script, reason string) {
		_, err := run(background, "/bin/sh", "-c", script)
		Expect(err).To(MatchError(reason))
	},
		Entry("with its exit code", "echo secret; exit 4", "command '/bin/sh' ended with exit code 4"),
		Entry("with the signal that ended it", "kill -9 $$", "command '/bin/sh' ended by signal 9 (killed)"),
		Entry("if it prints more than the limit", "while :; do echo secret; done", "command '/bin/sh' printed too much: more than 1 KiB"),
	)

	It("kills all that it started when the context ends", func() {
		pids := filepath.Join(GinkgoT().TempDir(), "pids")
		ctx, cancel := context.WithCancelCause(background)
		failed := make(chan error, 1)
		go func() {
			_, err := run(ctx, "/bin/sh", "-c", `sleep 600 & echo $! >> "$0"; sleep 600 & echo $! >> "$0"; wait`, pids)
			failed <- err
		}()
		started := func() []string {
			text, _ := os.ReadFile(pids)
			return strings.Fields(string(text))
		}
		Eventually(started).WithTimeout(patience).Should(HaveLen(2))

		cancel(errors.New("it is over"))

		Expect(<-failed).To(MatchError("command '/bin/sh' did not end (it is over)"))
		for _, pid := range started() {
			status, err := os.ReadFile("/proc/" + pid + "/status")
			Expect(err != nil || strings.Contains(string(status), "State:\tZ")).To(BeTrue(), "%s runs: %s", pid, status)
		}
	})

	It("leaves an agent alone that closed its output", func() {
		output := spec.Must(run(background, "/bin/sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!"))
		pid := spec.Must(strconv.Atoi(strings.TrimSpace(output)))
		Expect(syscall.Kill(pid, 0)).To(Succeed())
		Expect(syscall.Kill(pid, syscall.SIGKILL)).To(Succeed())
	})
})
