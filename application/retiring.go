package application

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// lost reports whether the session can be used no more.
func (c *Connection) lost() bool {
	select {
	case <-c.Session.Done():
		return true
	case <-c.retired:
		return true
	default:
		return false
	}
}

// awaitEnd returns when the session can be used no more.
func (c *Connection) awaitEnd() {
	select {
	case <-c.Session.Done():
	case <-c.retired:
	}
}

// whyLost says why the session ended, "" if it did because nobody needed it. It is
// for after the end.
func (c *Connection) whyLost() string {
	select {
	case <-c.retired:
		return c.hung
	default:
		return domain.Reason(c.Session.Err())
	}
}

// asleep reports whether the session was ended because nobody needed it.
func (c *Connection) asleep() bool {
	select {
	case <-c.retired:
		return c.hung == ""
	default:
		return false
	}
}

// sleep ends the session of a server that nobody needs.
func (c *Connection) sleep() {
	c.retire.Do(func() {
		c.log.Info("stopping the server, which was not used for a while",
			"toolbox", c.server.ID.Toolbox, "server", c.server.ID.Server)
		close(c.retired)
	})
}

// giveUp ends the session of a server that does not answer.
func (c *Connection) giveUp(why string) {
	c.retire.Do(func() {
		c.hung = why
		close(c.retired)
	})
}

const (
	// maxTimeouts is how many calls in a row may time out before the server has to
	// show that it answers at all.
	maxTimeouts = 3
	// pingTime is how long it may take for that.
	pingTime = 5 * time.Second
)

// heard takes note of how a call ended. A server that lets several calls in a row
// time out may be slow or stuck; a ping tells which.
func (c *Connection) heard(err error) {
	if err == nil {
		if c.timeouts.Load() != 0 {
			c.timeouts.Store(0)
		}
		return
	}
	if errors.Is(err, domain.ErrTimedOut) && c.timeouts.Add(1) == maxTimeouts {
		c.ping()
	}
}

// ping gives the server up unless it answers, whatever the answer is: not every
// version of the protocol has pings.
func (c *Connection) ping() {
	ping := ports.Request{Message: ports.Message{Method: domain.MethodPing}, Limit: pingTime}
	c.Session.Request(context.Background(), ping, func(_ ports.Answer, err error) {
		c.timeouts.Store(0)
		if errors.Is(err, domain.ErrTimedOut) {
			why := fmt.Sprintf("the server did not answer %d calls in a row, nor a ping", maxTimeouts)
			c.log.Warn(why, "toolbox", c.server.ID.Toolbox, "server", c.server.ID.Server)
			c.giveUp(why)
		}
	})
}
