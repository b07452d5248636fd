package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

var errCause = errors.New("cause")

var _ = Describe("The end of a command", func() {
	// end returns the exit code of a failure, and the text that is printed about it.
	end := func(err error) (code int, printed string) {
		path := filepath.Join(GinkgoT().TempDir(), "stderr")
		file, failure := os.Create(path)
		Expect(failure).NotTo(HaveOccurred())
		DeferCleanup(file.Close)
		code = reportExit(terminal.NewConsole(file, file, file), "mcp-workbench list", err)
		text, failure := os.ReadFile(path)
		Expect(failure).NotTo(HaveOccurred())
		return code, string(text)
	}

	DescribeTable("has the code of the contract", func(failure error, expected int) {
		code, printed := end(withExitCode(failure))

		Expect(code).To(Equal(expected))
		Expect(printed).To(Equal("mcp-workbench: " + failure.Error() + "\n"))
	},
		Entry("for any failure", errCause, 1),
		Entry("for a name that does not exist", &shell.CommandError{Kind: shell.Usage, Err: errCause}, 2),
		Entry("for a server that cannot be reached", &shell.CommandError{Kind: shell.Unreachable, Err: errCause}, 4),
		Entry("for a tool that failed", &shell.CommandError{Kind: shell.ToolError, Err: errCause}, 5),
		Entry("for another failure of list and call", &shell.CommandError{Kind: shell.Other, Err: errCause}, 1),
		Entry("for a question that could not be asked", &setup.UnconfirmedError{}, 2),
		Entry("for a failure with a code", &exitError{Code: exitUnreachable, Err: errCause}, 4),
	)

	It("is a failure, and no mistake in the command line, when the version cannot be written", func() {
		full := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}

		code, printed := end(full)

		Expect(code).To(Equal(exitFailure))
		Expect(printed).To(Equal("mcp-workbench: " + full.Error() + "\n"))
	})

	It("prints nothing without a failure or if it was already printed", func() {
		for failure, expected := range map[error]int{
			nil: exitOK, withExitCode(setup.ErrReported): exitFailure,
			withExitCode(&shell.CommandError{Kind: shell.ToolError}): exitToolError, &exitError{Code: exitConfiguration}: exitConfiguration,
		} {
			code, printed := end(failure)
			Expect(code).To(Equal(expected))
			Expect(printed).To(BeEmpty())
		}
		Expect(withExitCode(nil)).To(Succeed())
	})

	DescribeTable("of the command lock has a code for its result", func(run domain.LockRun, expected int) {
		code, printed := end(exitAfterLock(run))

		Expect(code).To(Equal(expected))
		Expect(printed).To(BeEmpty())
	},
		Entry("tools that match the lock", domain.LockRun{Written: true}, 0),
		Entry("no server that can be reached for a new lock",
			domain.LockRun{Mode: domain.LockNew, Found: domain.LockComparison{Unreachable: []domain.UnreachableServer{{}}}}, 4),
		Entry("tools that differ from the lock", domain.LockRun{Mode: domain.LockCheck}, 1),
		Entry("a server that cannot be reached",
			domain.LockRun{Mode: domain.LockUpdate, Written: true, Found: domain.LockComparison{Unreachable: []domain.UnreachableServer{{}}}}, 4),
	)

	It("names the help after a mistake in the command line", func() {
		for _, failure := range []error{errCause, withExitCode(&setup.UsageError{Err: errCause})} {
			code, printed := end(failure)
			Expect(code).To(Equal(exitUsage))
			Expect(printed).To(Equal("mcp-workbench: cause\nSee 'mcp-workbench list --help'.\n"))
		}
	})

	It("has the code of an interrupt, and one line about it", func() {
		code, printed := end(withExitCode(terminal.ErrInterrupted))

		Expect(code).To(Equal(130))
		Expect(printed).To(Equal(interruptedLine + "\n"))
	})

	It("names the problems of a configuration, and the command that creates a missing file", func() {
		_, missing := config.Load(config.Options{Path: filepath.Join(GinkgoT().TempDir(), "none.json")}, nil)

		code, printed := end(withExitCode(missing))

		Expect(code).To(Equal(exitConfiguration))
		Expect(printed).To(And(HavePrefix("mcp-workbench: the configuration cannot be used:\n"), ContainSubstring("mcp-workbench init --config ")))
	})

	It("does not blame the configuration if the user does not trust its file, or if the failure has a code", func() {
		Expect(unusable(&trust.RefusedError{})).To(HaveField("Code", exitUsage))

		failure := &exitError{Code: exitUnreachable, Err: errCause}
		Expect(unusable(failure)).To(BeIdenticalTo(failure))
		Expect(unusable(errCause)).To(And(MatchError(errCause), MatchError("the configuration cannot be used:\ncause")))
	})
})
