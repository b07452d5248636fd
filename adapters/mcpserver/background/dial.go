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
	"time"

	"mcp-workbench/adapters/system/usersocket"
)

const (
	// answerTime is the time limit for the first answer of a background workbench.
	answerTime = 3 * time.Second
	// prepareTime is the time limit for its second answer, for which it reads the configuration.
	prepareTime = 10 * time.Second
)

// ErrNotRunning reports that no background workbench listens.
var ErrNotRunning = errors.New("no background workbench is running")

// HungError reports a background workbench that accepts connections but does not answer.
type HungError struct {
	Socket os.FileInfo
	Cause  error
}

// Error implements error.
func (e *HungError) Error() string { return fmt.Sprintf("it does not answer: %v", e.Cause) }

// Unwrap implements errors.Unwrap.
func (e *HungError) Unwrap() error { return e.Cause }

// Connection is a connection to the background workbench, for the messages of one host.
type Connection struct {
	*net.UnixConn
	from *bufio.Reader
	path string
	key  string
	id   int
	// MessageSize is the maximum size of the host's messages in bytes.
	MessageSize int64
}

// Read implements io.Reader.
func (c *Connection) Read(into []byte) (int, error) { return c.from.Read(into) }

// Dial connects to the background workbench for a host.
//
// Failures: ErrNotRunning; *HungError; the problem that the workbench reports; those of the network.
func (p Place) Dial(ctx context.Context, window Window) (*Connection, error) {
	for _, path := range p.sockets() {
		connection, err := p.dialAt(ctx, path, hello{Key: p.key, Do: doServe, Window: window})
		if errors.Is(err, ErrNotRunning) {
			continue
		}
		return connection, err
	}
	return nil, ErrNotRunning
}

func (p Place) dialAt(ctx context.Context, path string, greeting hello) (*Connection, error) {
	socket, _ := os.Lstat(path)
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	connection, got, err := greet(ctx, path, greeting)
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return nil, &HungError{Socket: socket, Cause: err}
	default:
		return nil, err
	}
	if got.Problem == "" && greeting.Do == doServe {
		_ = connection.SetDeadline(time.Now().Add(prepareTime))
		// It is not sent earlier, since a workbench that hangs would keep it open.
		if err = sendFile(connection.UnixConn, os.Stderr); err != nil {
			_ = connection.Close()
			return nil, err
		}
		err = readLine(connection.from, maxWelcome, &got)
	}
	if err == nil && got.Problem != "" {
		err = errors.New(got.Problem)
	}
	if err != nil {
		_ = connection.Close()
		return nil, fmt.Errorf("ask the background workbench to serve the host: %w", err)
	}
	_ = connection.SetDeadline(time.Time{})
	connection.id, connection.MessageSize = got.ID, got.MessageSize
	return connection, nil
}

// greet connects, sends a greeting and returns the first answer.
func greet(ctx context.Context, path string, greeting hello) (*Connection, welcome, error) {
	var got welcome
	var dialer net.Dialer
	opened, err := dialer.DialContext(ctx, "unix", path)
	if usersocket.IsRefused(err) || errors.Is(err, fs.ErrNotExist) {
		return nil, got, ErrNotRunning
	}
	if err != nil {
		return nil, got, fmt.Errorf("connect to the background workbench: %w", err)
	}
	connection := &Connection{UnixConn: opened.(*net.UnixConn), path: path, key: greeting.Key}
	connection.from = bufio.NewReaderSize(connection.UnixConn, 64<<10)
	deadline, _ := ctx.Deadline()
	_ = connection.SetDeadline(deadline)
	err = usersocket.CheckPeer(connection.UnixConn)
	if err == nil {
		err = writeLine(connection, greeting)
	}
	if err == nil {
		err = readLine(connection.from, maxWelcome, &got)
	}
	if err != nil {
		_ = connection.Close()
		if errors.Is(err, io.EOF) || isReset(err) {
			return nil, got, ErrNotRunning // it ended just now
		}
		return nil, got, err
	}
	return connection, got, nil
}

// Reload makes the workbench reload the configuration of the host.
func (c *Connection) Reload(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if asked, _, err := greet(ctx, c.path, hello{Key: c.key, Do: doReload, ID: c.id}); err == nil {
		_ = asked.Close()
	}
}
