package background

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	// maxLosses is the number of workbenches that end within lossTime before a bridge serves its host
	// in its own process.
	maxLosses = 3
	lossTime  = time.Minute
	// maxStarts is the number of attempts to connect to a workbench and to start one.
	maxStarts = 3
	// checkInterval is the time between two checks of a workbench with pending requests.
	checkInterval = 3 * time.Second
)

// Client serves a host with the background workbench of a place.
type Client struct {
	Place  Place
	Window Window
	// Command is the command line that starts a background workbench, without the key.
	Command []string
	// In has the messages of the host, and Out takes those for it.
	In  io.Reader
	Out io.Writer
	// Alone returns a workbench in this process, for a host whose background workbench ended and cannot be
	// replaced. The ids of its requests to the host begin after the number.
	Alone func(after uint64) (Workbench, error)
	// Note prints a line for the user on standard error.
	Note func(text string)

	losses []time.Time
}

// Serve serves the host with the background workbench until the host is gone or the first context ends. If start is set,
// it starts a workbench unless one answers. When the second context ends, it does not wait for servers to end. Each value
// from reloads makes the workbench reload the configuration.
//
// It returns false if the host has to be served without the background workbench. It prints the reason, unless no
// workbench runs and start is false.
func (c *Client) Serve(serving, stopping context.Context, start bool, reloads <-chan os.Signal) (isServed bool, err error) {
	c.Window.Announced = start
	first, err := c.connection(serving, start)
	if err != nil {
		if absent, ok := errors.AsType[*absentError](err); start || !ok || absent.hung != nil {
			c.noteAlone(err)
		}
		return false, nil
	}
	bridge := &Bridge{In: c.In, Out: c.Out, Every: checkInterval, MessageSize: first.MessageSize, Connect: c.replacement, Reloads: reloads}
	return true, bridge.Run(serving, stopping, first)
}

// Connect connects to the background workbench for a host that speaks for itself, and starts one unless one answers.
func (c *Client) Connect(ctx context.Context) (*Connection, error) { return c.connection(ctx, true) }

// connection connects to the background workbench. It starts one if one hangs or, if start is set, if none listens.
func (c *Client) connection(ctx context.Context, start bool) (*Connection, error) {
	for range maxStarts {
		connection, err := c.Place.Dial(ctx, c.Window)
		absent, isAbsent := errors.AsType[*absentError](err)
		if !isAbsent || absent.hung == nil && !start {
			return connection, err
		}
		if err := c.Place.Start(ctx, c.Command, absent.hung); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("it ended immediately after it was started")
}

// replacement returns a workbench in place of one that ended. This is another one in the background. If it cannot be
// reached, or if too many have ended, it is one in this process.
func (c *Client) replacement(ctx context.Context, after uint64) (Workbench, error) {
	c.Window.NumberAfter, c.Window.Announced = after, true
	now := time.Now()
	c.losses = slices.DeleteFunc(append(c.losses, now), func(loss time.Time) bool { return now.Sub(loss) > lossTime })
	reason := fmt.Errorf("it ended %d times within a minute", maxLosses)
	if len(c.losses) < maxLosses {
		connection, err := c.connection(ctx, true)
		switch {
		case err == nil:
			return connection, nil
		case ctx.Err() != nil:
			return nil, err
		}
		reason = err
	}
	c.noteAlone(reason)
	return c.Alone(after)
}

// noteAlone tells the user that the host is served without the background workbench.
func (c *Client) noteAlone(reason error) {
	reasons := strings.ReplaceAll(reason.Error(), "\n", "; ") // there may be one for each folder
	c.Note("this host is served without the background workbench: " + reasons)
}
