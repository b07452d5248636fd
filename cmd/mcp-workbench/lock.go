package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// lockMode is what the command lock does with what it finds.
type lockMode int

const (
	lockNew    lockMode = iota // writes a lock when there is none
	lockUpdate                 // accepts every change
	lockCheck                  // writes nothing
)

func newLockCommand(options *options) *cobra.Command {
	var update, check, asJSON bool
	command := &cobra.Command{
		Use:   "lock",
		Short: "Record what every tool says about itself, so that you notice when a tool changes",
		Long: `Connect to every server, as a host with all capabilities and as one with none, and
write what its tools say about themselves to ` + domain.LockName + ` beside the
configuration, for you to review and commit. From then on the workbench warns when a
tool differs from the lock. With "pinning": "block" in the configuration it refuses to
use such a tool. See 'mcp-workbench help locking'.

When there is a lock already, the command shows the differences and changes nothing
without --update. It also prints what it costs a model to open each toolbox.

The exit code is 0 when the tools match the lock, 1 when they do not, and 4 when a
server cannot be reached; what was locked of that server stays.`,
		Args: noWords,
		RunE: func(command *cobra.Command, _ []string) error {
			mode := lockNew
			switch {
			case update:
				mode = lockUpdate
			case check:
				mode = lockCheck
			}
			return lock(command.Context(), *options, mode, asJSON)
		},
	}
	command.Flags().BoolVar(&update, "update", false, "accept every change and write the lock")
	command.Flags().BoolVar(&check, "check", false, "write nothing, only report the differences")
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object ('mcp-workbench help locking' has its form)")
	command.MarkFlagsMutuallyExclusive("update", "check")
	return command
}

// locker is the part of the program that locks tools, once it is wired.
type locker struct {
	tools ports.ToolLocker
	file  *lockfile.File
	// settings say how the tools of toolboxes are shown.
	settings definitions.Settings
	// shutdownLimit is how long all servers together may take to exit.
	shutdownLimit time.Duration
}

// lock runs the command.
func lock(ctx context.Context, options options, mode lockMode, asJSON bool) error {
	options.makesLock = true
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	if options.logLevel == "" {
		prepared.level.Set(slog.LevelError) // the report says which servers cannot be reached
	}
	if prepared.configuration.Path == "" {
		return &exitError{code: exitConfiguration, err: noConfiguration(prepared.configuration)}
	}
	paint := terminal.NewPaint(os.Stdout, options.colour)
	return newLocker(prepared.process()).run(ctx, mode, func(report lockReport) error {
		if asJSON {
			return report.printJSON(os.Stdout)
		}
		return report.print(os.Stdout, paint)
	})
}

// run compares the tools of all servers with the lock, and stops the servers in any
// case. A signal ends the comparison; after a second one servers get no more time to
// exit by themselves.
func (l *locker) run(ctx context.Context, mode lockMode, show func(lockReport) error) error {
	comparing, stopping, stop := untilSignals(ctx)
	defer stop()
	found, err := l.tools.CompareTools(comparing)
	closing, cancel := context.WithTimeout(stopping, l.shutdownLimit)
	defer cancel()
	l.tools.Close(closing)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("compare the tools with the lock: %w", err)}
	}
	return l.conclude(found, mode, show)
}

// conclude writes the lock if the mode wants it, prints the report, and returns the
// error with which the program exits.
func (l *locker) conclude(found domain.LockComparison, mode lockMode, show func(lockReport) error) error {
	noneReached := len(found.Unreachable) > 0 && len(found.Live.Servers) == 0
	fits := found.Lock != nil && len(found.Differences) == 0
	write := mode == lockUpdate || mode == lockNew && found.Lock == nil && found.Broken == nil && !noneReached
	if write {
		if err := l.tools.LockTools(found); err != nil {
			return &exitError{code: exitFailure, err: err}
		}
	}
	report := lockReport{found: found, path: l.file.Path(), written: write, checked: mode == lockCheck, settings: l.settings}
	if err := show(report); err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	switch {
	case noneReached && mode == lockNew:
		return &exitError{code: exitUnreachable}
	case !write && !fits:
		return &exitError{code: exitFailure}
	case len(found.Unreachable) > 0:
		return &exitError{code: exitUnreachable}
	}
	return nil
}
