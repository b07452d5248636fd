package background

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	// maxLosses is the number of workbenches that end within lossTime before a bridge serves its host
	// in its own process.
	maxLosses = 3
	lossTime  = time.Minute
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

// Reach connects to the background workbench. If start is set, it starts one unless one answers.
//
// Failures: ErrNotRunning; those of Place.Start and Place.Dial.
func (c *Client) Reach(ctx context.Context, start bool) (*Connection, error) {
	var err error
	for range 3 {
		var connection *Connection
		connection, err = c.Place.Dial(ctx, c.Window)
		hung, isHung := errors.AsType[*HungError](err)
		switch {
		case err == nil:
			return connection, nil
		case isHung:
			err = c.Place.Start(ctx, c.Command, hung.Socket)
		case errors.Is(err, ErrNotRunning) && start:
			err = c.Place.Start(ctx, c.Command, nil)
		default:
			return nil, err
		}
		if err != nil {
			return nil, err
		}
		err = errors.New("it ended immediately after it was started")
	}
	return nil, err
}

// Try is Reach, but returns nil if the host has to be served without the background workbench. It prints the reason,
// unless no workbench runs and start is false. A nil Client returns nil.
func (c *Client) Try(ctx context.Context, start bool) *Connection {
	if c == nil {
		return nil
	}
	c.Window.Announced = start
	connection, err := c.Reach(ctx, start)
	if err != nil && (start || !errors.Is(err, ErrNotRunning)) {
		c.Note(Unreachable(err))
	}
	return connection
}

// Serve serves the host until it is gone or the first context ends. When the second context ends, it does not wait for
// servers to end. Each value from reload makes the workbench reload the configuration.
func Serve[T any](serving, stopping context.Context, c *Client, first *Connection, reload <-chan T) error {
	bridge := &Bridge{In: c.In, Out: c.Out, Every: checkInterval, MessageSize: first.MessageSize, Connect: c.connect}
	ctx, cancel := context.WithCancel(serving)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer cancel()
	asking.Go(func() {
		for {
			select {
			case <-reload:
				bridge.Reload(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
	return bridge.Run(serving, stopping, first)
}

// connect implements Bridge.Connect.
func (c *Client) connect(ctx context.Context, after uint64) (Workbench, error) {
	c.Window.NumberAfter, c.Window.Announced = after, true
	now := time.Now()
	c.losses = append(c.losses, now)
	if len(c.losses) > maxLosses {
		c.losses = c.losses[1:]
	}
	reason := fmt.Errorf("it ended %d times within a minute", maxLosses)
	if len(c.losses) < maxLosses || now.Sub(c.losses[0]) > lossTime {
		var connection *Connection
		if connection, reason = c.Reach(ctx, true); reason == nil {
			return connection, nil
		}
	}
	c.Note(Unreachable(reason))
	return c.Alone(after)
}

// Unreachable returns the line for a user whose host is served without the background workbench.
func Unreachable(reason error) string {
	reasons := strings.ReplaceAll(reason.Error(), "\n", "; ") // there may be one for each folder
	return "this host is served without the background workbench: " + reasons
}
