package background

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"

	"mcp-workbench/adapters/system/usersocket"
)

const (
	// answerTime is the time limit for the first answer of a background workbench.
	answerTime = 5 * time.Second
	// prepareTime is the time limit for its second answer, for which it reads the configuration.
	prepareTime = 10 * time.Second
)

// absentError reports that no background workbench answers.
type absentError struct {
	hung  os.FileInfo // the socket of one that accepts connections but does not answer; nil if none listens
	cause error       // of hung
}

// Error implements error.
func (e *absentError) Error() string {
	if e.hung == nil {
		return "no background workbench is running"
	}
	return fmt.Sprintf("it does not answer: %v", e.cause)
}

// Unwrap returns the cause.
func (e *absentError) Unwrap() error { return e.cause }

// Connection is a connection to the background workbench, for the messages of one host.
type Connection struct {
	*net.UnixConn
	from *bufio.Reader
	path string
	key  string
	pid  int // of the workbench
	id   int // of the window
	// MessageSize is the maximum size of the host's messages in bytes.
	MessageSize int64
}

// Read implements io.Reader.
func (c *Connection) Read(into []byte) (int, error) { return c.from.Read(into) }

// Dial connects to the background workbench for a host.
//
// Failures: *absentError; the problem that the workbench reports; those of the network.
func (p Place) Dial(ctx context.Context, window Window) (*Connection, error) {
	for _, path := range p.sockets() {
		connection, err := greet(ctx, path, hello{Key: p.key, Do: doServe, Window: window})
		if absent, isAbsent := errors.AsType[*absentError](err); isAbsent && absent.hung == nil {
			continue
		}
		if err == nil {
			err = connection.beServed()
		}
		if err != nil {
			return nil, fmt.Errorf("ask the background workbench to serve the host: %w", err)
		}
		return connection, nil
	}
	return nil, &absentError{}
}

// beServed waits until the workbench serves the host. It closes the connection if it does not.
func (c *Connection) beServed() error {
	_ = c.SetDeadline(time.Now().Add(prepareTime))
	// It is not sent earlier, since a workbench that hangs would keep it open.
	err := sendFile(c.UnixConn, os.Stderr)
	if err == nil {
		err = c.readWelcome()
	}
	_ = c.SetDeadline(time.Time{})
	if err != nil {
		_ = c.Close()
	}
	return err
}

// greet connects, sends a greeting and reads the first answer.
//
// Failures: *absentError; the problem that the workbench reports; those of the network.
func greet(ctx context.Context, path string, greeting hello) (*Connection, error) {
	socket, _ := os.Lstat(path)
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	connection, err := dial(ctx, path, greeting)
	switch {
	case err == nil:
		return connection, nil
	case usersocket.IsRefused(err), errors.Is(err, fs.ErrNotExist), errors.Is(err, io.EOF), isReset(err): // the last two: it ended just now
		return nil, &absentError{}
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return nil, &absentError{hung: socket, cause: err}
	}
	return nil, err
}

// dial is greet without the meaning of errors.
func dial(ctx context.Context, path string, greeting hello) (*Connection, error) {
	opened, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("connect to the background workbench: %w", err)
	}
	c := &Connection{UnixConn: opened.(*net.UnixConn), from: bufio.NewReaderSize(opened, 64<<10), path: path, key: greeting.Key}
	deadline, _ := ctx.Deadline()
	_ = c.SetDeadline(deadline)
	if err = usersocket.CheckPeer(c.UnixConn); err == nil {
		err = writeLine(c, greeting)
	}
	if err == nil {
		err = c.readWelcome()
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// readWelcome reads an answer of the workbench. Failures: the problem that it reports; those of the network.
func (c *Connection) readWelcome() error {
	var got welcome
	if err := readLine(c.from, maxWelcome, &got); err != nil {
		return err
	}
	if got.Problem != "" {
		return errors.New(got.Problem)
	}
	c.pid, c.id, c.MessageSize = got.PID, got.ID, got.MessageSize
	return nil
}

// isReset reports whether an error means that the other end closed the connection.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// Reload makes the workbench reload the configuration of the host.
func (c *Connection) Reload(ctx context.Context) {
	if asked, err := greet(ctx, c.path, hello{Key: c.key, Do: doReload, ID: c.id}); err == nil {
		_ = asked.Close()
	}
}
