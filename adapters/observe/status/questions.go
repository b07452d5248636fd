package status

import (
	"context"
	"errors"

	"mcp-workbench/domain"
)

// Log passes the kept lines of a server's standard error to each, oldest first. With follow, it also passes new
// lines until the context or the workbench ends.
//
// Failures: an error of each; a workbench that cannot be asked; the problem that the workbench reports.
func (a Answer) Log(ctx context.Context, server domain.ServerID, follow bool, each func(LogLines) error) error {
	conversation, err := dial(ctx, a.path, question{Ask: askLog, Toolbox: string(server.Toolbox), Server: string(server.Server), Follow: follow})
	if err != nil {
		return err
	}
	defer conversation.Close()
	for {
		got, err := conversation.next(ctx, lineTime)
		switch {
		case errors.Is(err, errGone), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case got.Problem != "":
			return errors.New(got.Problem)
		case got.Log == nil: // the line only says that the workbench is alive
			continue
		}
		if err := each(*got.Log); err != nil {
			return err
		}
	}
}

// Restart restarts a server for all hosts of the workbench, and returns the number of hosts for which it runs
// again. It waits until the server has started or the context ends.
//
// Failures: a workbench that cannot be asked; the problem that the workbench reports, if the restart failed for
// some hosts or for all.
func (a Answer) Restart(ctx context.Context, server domain.ServerID) (hosts int, err error) {
	conversation, err := dial(ctx, a.path, question{Ask: askRestart, Toolbox: string(server.Toolbox), Server: string(server.Server)})
	if err != nil {
		return 0, err
	}
	defer conversation.Close()
	if _, err = conversation.next(ctx, lineTime); err != nil {
		return 0, err
	}
	done, err := conversation.next(ctx, 0)
	switch {
	case err != nil:
		return 0, err
	case done.Problem != "":
		return done.Restarted, errors.New(done.Problem)
	}
	return done.Restarted, nil
}
