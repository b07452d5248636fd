package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/exit"
	"mcp-workbench/adapters/lockreport"
	"mcp-workbench/adapters/packages"
	"mcp-workbench/adapters/shell"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/trust/consent"
	"mcp-workbench/domain"
)

func newLockCommand(options *options) *cobra.Command {
	var flags lockreport.Flags
	command := &cobra.Command{
		Use:   "lock [--update [SERVER…]]",
		Short: "Record the definition of every tool, so that you notice when a tool changes",
		Long: `Connect to every server, as a host with all capabilities and as one with none, and
write the definitions of its tools to ` + domain.LockName + ` beside the
configuration, for you to review and commit. From then on the workbench warns when a
tool differs from the lock. With "pinning": "block" in the configuration it refuses to
use such a tool. See 'mcp-workbench help locking'.

With --packages it also pins the packages of servers that npx and uvx start: those of npx
are installed once, and from then on started without npm and the network.

When there is a lock already, the command shows the differences and changes nothing
without --update. It also prints what it costs a model to open the toolboxes. Name
servers after --update, as TOOLBOX/SERVER or by a unique name, to change the lock for those
only. Their packages then get the newest version.

The exit code is 0 when the tools match the lock, 1 when they do not or --packages could
not pin a package, and 4 when a server cannot be reached; the lock keeps its entries for
that server.

  mcp-workbench lock                       # the first time, or to see what differs
  mcp-workbench lock --update code/git     # accept the tools of one server
  mcp-workbench lock --check               # in CI
  mcp-workbench lock --packages`,
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
	command.Flags().BoolVar(&flags.Check, "check", false, "write nothing, only report the differences")
	command.Flags().BoolVar(&flags.Packages, "packages", false, "pin packages; with --check: say which are newer")
	command.Flags().BoolVar(&flags.Details, "details", false, "show each tool of added and removed servers, and the cost of each toolbox")
	command.Flags().BoolVar(&flags.AsJSON, "json", false, "print one JSON object ('mcp-workbench help locking' has its form)")
	command.MarkFlagsMutuallyExclusive("update", "check")
	return command
}

// lock runs the command.
func lock(ctx context.Context, options options, flags lockreport.Flags, names []string) error {
	options = options.starting()
	options.from.MakesLock, options.visits = true, true
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	printWarnings(prepared.configuration, prepared.log)
	if options.flags.LogLevel == "" {
		prepared.level.Set(slog.LevelError) // the report says which servers cannot be reached
	}
	if prepared.configuration.Path == "" {
		return &exit.Error{Code: exit.Configuration, Err: prepared.configuration.Missing()}
	}
	servers, err := shell.FindServers(prepared.configuration.Catalog.Toolboxes(), names)
	if err != nil {
		return err
	}
	run := flags.Run(servers, prepared.configuration.Packages)
	if run.Request.Packages || len(servers) > 0 {
		giveUpOnRegistries(prepared.transports)
	}
	path := prepared.configuration.Path
	before := consent.LockBeside(path)
	process := prepared.process()
	process.packages = packages.Announced(process.packages, func(line string) { console.Err.Print("mcp-workbench: " + line) })
	locker := newLocker(process)
	err = process.use(ctx, func(ctx context.Context) (err error) {
		run.Found, err = locker.Tools.CompareTools(ctx, run.Request)
		return err
	}, locker.Tools.Close)
	if err != nil {
		return fmt.Errorf("compare the tools with the lock: %w", err)
	}
	run, err = locker.Conclude(run, flags, lockreport.Screens{Out: console.Out, Err: console.Err, Paint: terminal.NewPaint(console.Out, options.colour)})
	options.consent(console.Err).RenewLock(path, before)
	if err != nil {
		return err
	}
	return exit.AfterLock(run)
}
