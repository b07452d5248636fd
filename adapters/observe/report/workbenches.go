package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/system/usersocket"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// noWorkbench is the message if no workbench runs.
const noWorkbench = "no workbench is running; a host starts one when it is connected ('mcp-workbench help status')"

// noWorkbenchError returns why there is no workbench to show.
func noWorkbenchError() error {
	if err := usersocket.Supported(); err != nil {
		return err
	}
	return errors.New(noWorkbench)
}

// interval is the time between two updates of a watched status.
const interval = time.Second

// Commands are the commands about running workbenches. They write results to Out and notes to Err.
type Commands struct {
	Workbenches status.Workbenches
	Out, Err    *terminal.Output
}

// Status shows what every workbench is doing. With watch it repeats that every second until the user or the
// context ends it: on a terminal in place, elsewhere as further lines.
//
// Failures: those of writing and of the terminal.
func (c Commands) Status(ctx context.Context, watch, asJSON bool) error {
	if watch && !asJSON && c.Out.CanAsk() {
		return terminal.New(c.Out, "never").Watch(ctx, interval, func(width, _ int) []string {
			return append(view(c.ask(ctx), time.Now(), width), "", "q ends this")
		})
	}
	for {
		if err := c.show(c.ask(ctx), asJSON); err != nil || !watch {
			return err
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
			return nil
		}
	}
}

// ask asks every workbench, and notes folders that cannot be trusted.
func (c Commands) ask(ctx context.Context) []status.Answer {
	answers, err := c.Workbenches.Ask(ctx)
	if err != nil {
		c.Err.Printf("mcp-workbench: %v\n", err)
	}
	return answers
}

// show prints answers once.
func (c Commands) show(answers []status.Answer, asJSON bool) error {
	switch {
	case asJSON:
		if answers == nil {
			answers = []status.Answer{}
		}
		return c.Out.JSON(map[string]any{"workbenches": answers})
	case len(answers) == 0:
		c.Err.Print("mcp-workbench: " + noWorkbenchError().Error())
		return nil
	case c.Out.Columns() == 0:
		return rows(answers).Print(c.Out, 0, nil)
	}
	return c.Out.Lines(view(answers, time.Now(), c.Out.Columns())...)
}

// Logs prints the last lines of a server's standard error and, with follow, new lines as they come. The argument
// workbench is the process id of the workbench, 0 for the only one that has the server.
//
// Failures: those of finding the server, of asking and of writing.
func (c Commands) Logs(ctx context.Context, server string, workbench int, follow bool) error {
	answers := c.ask(ctx)
	found, id, err := find(answers, server, workbench)
	if err != nil {
		return err
	}
	if silent := silent(answers, id, workbench); silent != nil {
		c.Err.Printf("mcp-workbench: %v\n", silent)
	}
	before := 0
	return found.Log(ctx, id, follow, func(log status.LogLines) error {
		if before != log.PID && before != 0 {
			c.Err.Printf("mcp-workbench: process %d\n", log.PID)
		}
		before = log.PID
		for line := range slices.Values(log.Lines) {
			if _, err := fmt.Fprintln(c.Out, line); err != nil {
				return err
			}
		}
		return nil
	})
}

// Restart restarts a server, which it finds like Logs.
//
// Failures: those of finding the server, of asking and of starting it; workbenches that did not answer and may have the
// server too.
func (c Commands) Restart(ctx context.Context, server string, workbench int) error {
	answers := c.ask(ctx)
	found, id, err := find(answers, server, workbench)
	if err != nil {
		return err
	}
	hosts, err := found.Restart(ctx, id)
	if err != nil {
		return fmt.Errorf("restart %s/%s: %w", id.Toolbox, id.Server, err)
	}
	c.Err.Printf("mcp-workbench: restarted %s/%s for %s\n", id.Toolbox, id.Server, domain.Counted(hosts, "host"))
	return silent(answers, id, workbench)
}
