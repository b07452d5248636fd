package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/lock/lockreport"
	"mcp-workbench/domain"
)

func newUpdateCommand(options *options) *cobra.Command {
	editor, wish := &setup.Editor{}, setup.Updating{}
	var starts bool
	command := &cobra.Command{
		Use:               "update [TOOLBOX[/SERVER]…]",
		Short:             "Show what newer versions of servers of the MCP registry, and changed plugins, change, and take them",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: options.completing().Places(math.MaxInt),
	}
	command.RunE = func(command *cobra.Command, names []string) error {
		if wish.Names = names; starts {
			wish.Compare = func(path string, before, after []byte, id domain.ServerID) error {
				return compareTools(command.Context(), *options, path, before, after, id)
			}
		}
		return options.editing(editor, func([]string) error { return setup.Update(command.Context(), editor, wish) })(command, names)
	}
	addWriteFlags(command, editor)
	command.Flags().BoolVar(&wish.Check, "check", false, "only tell; exit code 1 if something is newer, deprecated or deleted")
	command.Flags().BoolVar(&starts, "start", false, "start both versions, and show how their tools differ")
	command.Flags().BoolVar(&wish.AllowOptions, "allow-options", false, "with --yes, accept what needs care too")
	addRegistryFlag(command, options)
	command.MarkFlagsMutuallyExclusive("start", "check")
	command.MarkFlagsMutuallyExclusive("start", "json")
	return command
}

// compareTools starts a server as two configurations have it, and shows how its tools differ, as 'lock --check' does.
// The configurations have that server only. If they cannot be compared, it says why and returns nil.
//
// Decision: both are written into a folder of their own beside the file, one after the other. The tools of the first are
// locked there, and those of the second compared with that lock, so the lock of the user does not matter and stays.
func compareTools(ctx context.Context, options options, path string, before, after []byte, id domain.ServerID) (err error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".workbench-update-")
	if err != nil {
		return fmt.Errorf("compare the tools: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	options.flags.Path = filepath.Join(folder, config.FileName)
	if err := os.WriteFile(options.flags.Path, before, 0o600); err != nil {
		return err
	}
	compared := compareWithLock(ctx, options, lockreport.Flags{}, nil, func(locker *lockreport.Locker, run domain.LockRun) error {
		if run.NoneReached() {
			return run.Found.Unreachable[0].Failure
		}
		return locker.Tools.LockTools(run.Found)
	})
	if compared == nil {
		if err := os.WriteFile(options.flags.Path, after, 0o600); err != nil {
			return err
		}
		check := lockreport.Flags{Check: true, Details: true}
		compared = compareWithLock(ctx, options, check, nil, func(locker *lockreport.Locker, run domain.LockRun) error {
			_, err := locker.Conclude(run, check, console.Out, console.Err, options.colour)
			return err
		})
	}
	if compared != nil {
		console.Err.Printf("mcp-workbench: the tools of %s cannot be compared: %v\n", domain.LineText(id.Path()), compared)
	}
	return nil
}
