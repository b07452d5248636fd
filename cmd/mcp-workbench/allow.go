package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell/approvals"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

func newAllowCommand(options *options) *cobra.Command {
	return &cobra.Command{
		Use:   "allow ID",
		Short: "Show a call that needs your approval, and allow it once",
		Args:  commandline.WordsBetween(1, 1, "give the id that a refused call named"),
		RunE:  func(_ *cobra.Command, words []string) error { return allow(*options, words[0]) },
	}
}

// newApprovals returns the calls that are made in a place and wait for a yes.
func newApprovals(place approvals.Place) *approvals.Folder {
	return approvals.New(safefile.InStateFolder("approvals"), place, time.Now)
}

// allow runs the command.
func allow(options options, id string) error {
	calls := newApprovals(approvals.Place{})
	waiting, err := calls.Find(id)
	switch {
	case errors.Is(err, approvals.ErrUnknown):
		return &exitError{Code: exitUsage, Err: err}
	case err != nil:
		return err
	case waiting.Allowed:
		console.Out.Print("the call was allowed before; make it again")
		return nil
	}
	console.Out.Print(wording.WholeConfirmationQuestion(waiting.Question) +
		"\nFolder of the command: " + domain.LineText(waiting.Folder) + "\nConfiguration: " + domain.LineText(waiting.Configuration))
	if waiting.Session != "" {
		console.Out.Print("Session: " + domain.LineText(waiting.Session))
	}
	if !console.Out.CanAsk() {
		return &exitError{Code: exitUsage, Err: errors.New("only a person at a terminal can allow a call")}
	}
	yes, err := terminal.New(console.Out, options.colour).Confirm("Allow this call, once?")
	switch {
	case err != nil:
		return err
	case !yes:
		return &exitError{Code: exitFailure, Err: errors.New("the call was not allowed")}
	}
	if err := calls.Allow(waiting); err != nil {
		return err
	}
	console.Out.Print("allowed for ten minutes, once: make the same call again")
	return nil
}
