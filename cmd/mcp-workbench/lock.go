package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// lockMode is what the command lock does with what it finds.
type lockMode int

const (
	lockAnew   lockMode = iota // writes a lock where there is none
	lockUpdate                 // accepts what changed
	lockCheck                  // writes nothing
)

func newLockCommand(options *options) *cobra.Command {
	var update, check bool
	command := &cobra.Command{
		Use:   "lock",
		Short: "Lock the definitions of all tools, so that changes are noticed",
		Long: `Connect to every server, and write what its tools say of themselves to
` + domain.LockName + ` beside the configuration, for you to review and commit. From then
on the workbench says when a tool is not as it was locked; with "pinning": "block"
in the configuration it does not let it be used.

A lock that differs is shown, and left as it is without --update. The exit code is
0 when the lock fits, 1 when it does not, 4 when a server cannot be reached; what
was locked of that server stays.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			mode := lockAnew
			switch {
			case update:
				mode = lockUpdate
			case check:
				mode = lockCheck
			}
			return lock(command.Context(), *options, mode)
		},
	}
	command.Flags().BoolVar(&update, "update", false, "accept every change: write the lock anew")
	command.Flags().BoolVar(&check, "check", false, "write nothing, only report what differs")
	command.MarkFlagsMutuallyExclusive("update", "check")
	return command
}

// locker is the part of the program that locks tools, once it is wired.
type locker struct {
	tools    ports.ToolLocker
	sessions *sessions.Sessions
	file     *lockfile.File
	// patience is how long the servers may take to end, all together.
	patience time.Duration
}

// lock is the life of the command.
func lock(ctx context.Context, options options, mode lockMode) error {
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	if options.logLevel == "" {
		prepared.level.Set(slog.LevelError) // the report says which servers cannot be reached
	}
	if prepared.configuration.Path == "" {
		return &exitError{code: exitConfiguration, err: errors.New("there is no configuration whose tools could be locked")}
	}
	return newLocker(prepared.process()).run(ctx, mode, os.Stdout)
}

// run looks at all servers and ends them again, whatever happens: a signal ends the
// looking, a second one the patience with servers.
func (l *locker) run(ctx context.Context, mode lockMode, out io.Writer) error {
	looking, patience, stop := untilSignals(ctx)
	defer stop()
	found, err := l.tools.CompareTools(looking)
	closing, cancel := context.WithTimeout(patience, l.patience)
	defer cancel()
	l.sessions.Close(closing)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("look at the tools: %w", err)}
	}
	return l.conclude(found, mode, out)
}

// conclude reports what was found, writes it if that is wanted, and says how to end.
func (l *locker) conclude(found domain.LockComparison, mode lockMode, out io.Writer) error {
	blind := len(found.Unreachable) > 0 && len(found.Live.Servers) == 0
	fits := found.Lock != nil && len(found.Differences) == 0
	write := mode == lockUpdate || mode == lockAnew && found.Lock == nil && found.Broken == nil && !blind
	if write {
		if err := l.tools.LockTools(found); err != nil {
			return &exitError{code: exitFailure, err: err}
		}
	}
	report := lockReport{found: found, path: l.file.Path(), written: write, checked: mode == lockCheck}
	if err := report.print(out); err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	switch {
	case blind && mode == lockAnew:
		return &exitError{code: exitUnreachable}
	case !write && !fits:
		return &exitError{code: exitFailure}
	case len(found.Unreachable) > 0:
		return &exitError{code: exitUnreachable}
	}
	return nil
}
