package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/lock/lockreport"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/application"
	"mcp-workbench/domain"
)

func newLockCommand(options *options) *cobra.Command {
	var flags lockreport.Flags
	command := &cobra.Command{
		Use:   "lock [--update [SERVER…]]",
		Short: "Record the definition of every tool, so that you notice when a tool changes",
		Args: func(_ *cobra.Command, words []string) error {
			if len(words) > 0 && !flags.Update {
				return fmt.Errorf("unknown argument %q: name servers after --update", words[0])
			}
			return nil
		},
		ValidArgsFunction: options.completing().Places(math.MaxInt),
		RunE: func(command *cobra.Command, words []string) error {
			return lock(command.Context(), *options, flags, words)
		},
	}
	command.Flags().BoolVar(&flags.Update, "update", false, "accept every change and write the lock")
	command.Flags().BoolVar(&flags.Yes, "yes", false, "with --update, write without asking")
	command.Flags().BoolVar(&flags.AllowOptions, "allow-options", false, "with --update, accept what needs care without a question")
	command.Flags().BoolVar(&flags.Check, "check", false, "write nothing, only report the differences")
	command.Flags().BoolVar(&flags.Packages, "packages", false, "pin packages; with --check: show which have newer versions")
	command.Flags().BoolVar(&flags.Details, "details", false, "show each tool of added and removed servers")
	command.Flags().BoolVar(&flags.AsJSON, "json", false, "print one JSON object ('mcp-workbench help locking' has its form)")
	command.MarkFlagsMutuallyExclusive("update", "check")
	return command
}

// lock runs the command.
func lock(ctx context.Context, options options, flags lockreport.Flags, names []string) error {
	return compareWithLock(ctx, options, flags, names, func(locker *lockreport.Locker, run domain.LockRun) error {
		run, err := locker.Conclude(run, flags, console.Out, console.Err, options.colour)
		if err != nil {
			return err
		}
		return exitAfterLock(run)
	})
}

// compareWithLock compares the tools of named servers with the lock, of all if none is named, and calls conclude with the
// comparison. What conclude writes into locks is trusted if their files were.
func compareWithLock(
	ctx context.Context, options options, flags lockreport.Flags, names []string, conclude func(*lockreport.Locker, domain.LockRun) error,
) error {
	options = options.trusting()
	options.from.MakesLock, options.visits = true, true
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	printWarnings(prepared.configuration, "")
	if options.flags.LogLevel == "" {
		prepared.level.Set(slog.LevelError) // the report says which servers cannot be reached
	}
	if prepared.configuration.Path == "" {
		return &exitError{Code: exitConfiguration, Err: prepared.configuration.Missing()}
	}
	servers, err := shell.FindServers(prepared.configuration.Catalog.Toolboxes(), names)
	if err != nil {
		return err
	}
	run := flags.Run(servers, prepared.configuration.Packages)
	if run.Request.Packages || len(servers) > 0 {
		giveUpOnRegistries(prepared.transports)
	}
	before := map[string][]byte{} // the locks, by the files that they are beside
	for _, file := range append(prepared.configuration.Included, prepared.configuration.Path) {
		before[file] = trust.LockBeside(file)
	}
	process := newProcess(prepared)
	process.packages.Announce(func(line string) { console.Err.Print("mcp-workbench: " + line) })
	locker := newLocker(process)
	err = process.use(ctx, func(ctx context.Context) (err error) {
		run.Found, err = locker.Tools.CompareTools(ctx, run.Request)
		return err
	}, locker.Tools.Close)
	if err != nil {
		return fmt.Errorf("compare the tools with the lock: %w", err)
	}
	err = conclude(locker, run)
	for file, text := range before {
		options.consent(console.Err).RenewLock(file, text)
	}
	return err
}

// newInspectingHosts returns the hosts as which the locker asks servers for their tools.
func newInspectingHosts() application.InspectingHosts {
	return application.InspectingHosts{Full: host.Unattended{IsCapable: true}, Bare: host.Unattended{}}
}
