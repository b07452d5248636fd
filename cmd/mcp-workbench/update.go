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
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

func newUpdateCommand(options *options) *cobra.Command {
	editor, wish := &setup.Editor{}, setup.Updating{}
	var starts bool
	command := &cobra.Command{
		Use:               "update [TOOLBOX/SERVER…]",
		Short:             "Show what newer versions of servers of the MCP registry change, and take them",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: options.completing().Places(math.MaxInt),
	}
	command.RunE = func(command *cobra.Command, names []string) error {
		if wish.Names = names; starts {
			wish.Compare = func(path string, before, after []byte, id domain.ServerID) error {
				return compareTools(command.Context(), *options, path, before, after, id)
			}
		}
		return options.editing(editor, func([]string) error { return editor.Update(command.Context(), wish) })(command, names)
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
// The configurations have that server only.
//
// Decision: both are written into a folder of their own beside the file, one after the other. The lock of the first is
// what the second is compared with, so the lock of the user does not matter and stays.
func compareTools(ctx context.Context, options options, path string, before, after []byte, id domain.ServerID) (err error) {
	folder, err := os.MkdirTemp(filepath.Dir(path), ".workbench-update-")
	if err != nil {
		return fmt.Errorf("compare the tools: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("compare the tools: %w", err)
	}
	defer func() { _ = silent.Close() }() // nothing is in it
	options.flags.Path = filepath.Join(folder, config.FileName)
	for _, step := range []struct {
		text  []byte
		flags lockreport.Flags
		out   *terminal.Output
	}{
		{before, lockreport.Flags{}, terminal.NewConsole(silent, silent, silent).Out},
		{after, lockreport.Flags{Check: true, Details: true}, console.Out},
	} {
		if err := os.WriteFile(options.flags.Path, step.text, 0o600); err != nil {
			return err
		}
		err := lock(ctx, options, step.flags, nil, step.out)
		if failure, ok := errors.AsType[*exitError](err); ok && failure.Err == nil && failure.Code == exitFailure {
			continue // the report says how they differ
		}
		if err != nil {
			console.Err.Printf("mcp-workbench: the tools of %s cannot be compared: %v\n", domain.LineText(id.Path()), err)
			return nil
		}
	}
	return nil
}
