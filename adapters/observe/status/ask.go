package status

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/system/usersocket"
)

// askTime is the time limit for asking all workbenches, and lineTime the limit for one line of a longer answer.
const askTime, lineTime = time.Second, 5 * time.Second

// maxAsked is the maximum number of workbenches that are asked.
const maxAsked = 256

// Workbenches are the workbenches whose sockets are in a list of folders. Safe for concurrent use.
type Workbenches struct{ folders []string }

// NewWorkbenches returns the workbenches with sockets in these folders.
func NewWorkbenches(folders []string) Workbenches { return Workbenches{folders: folders} }

// Ask asks all workbenches simultaneously what they are doing, and returns the answers in the order in which the
// workbenches started; those that did not answer come last. It takes a second at most. It removes the sockets of
// workbenches that were killed.
//
// Failures: those of folders that exist and cannot be trusted, joined. The answers are returned nevertheless.
func (w Workbenches) Ask(ctx context.Context) ([]Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	paths, err := w.sockets()
	answers := make([]*Answer, len(paths))
	var asking sync.WaitGroup
	for i, path := range paths {
		asking.Go(func() { answers[i] = ask(ctx, path) })
	}
	asking.Wait()
	var found []Answer
	for _, answer := range answers {
		if answer != nil {
			found = append(found, *answer)
		}
	}
	slices.SortStableFunc(found, func(a, b Answer) int {
		if a.Snapshot != nil && b.Snapshot != nil {
			return cmp.Or(a.Snapshot.Started.Compare(b.Snapshot.Started), cmp.Compare(a.PID, b.PID))
		}
		return cmp.Or(cmp.Compare(min(len(a.Problem), 1), min(len(b.Problem), 1)), cmp.Compare(a.PID, b.PID))
	})
	return found, err
}

// sockets returns the paths of all sockets.
func (w Workbenches) sockets() ([]string, error) {
	var paths []string
	var failures []error
	for _, folder := range w.folders {
		found, err := sockets(folder)
		paths, failures = append(paths, found...), append(failures, err)
	}
	return paths[:min(len(paths), maxAsked)], errors.Join(failures...)
}

// ask asks the workbench at a socket. It returns nil if nothing listens there.
func ask(ctx context.Context, path string) *Answer {
	pid, _ := pidOf(filepath.Base(path))
	answer := &Answer{PID: pid, path: path}
	connection, err := dial(ctx, path, question{Ask: askStatus})
	switch {
	case usersocket.IsRefused(err):
		removeStale(path)
		return nil
	case errors.Is(err, os.ErrNotExist): // it ended just now
		return nil
	case err != nil:
		answer.Problem = err.Error()
		return answer
	}
	defer connection.Close()
	got, err := connection.next(ctx, 0)
	switch {
	case errors.Is(err, errSilent):
		answer.Problem = errHangs.Error()
	case err != nil:
		answer.Problem = err.Error()
	case got.Snapshot == nil:
		answer.Problem = cmp.Or(got.Problem, "its answer cannot be read")
	default:
		answer.Snapshot = got.Snapshot
	}
	return answer
}

// conversation is a question to one workbench and the lines of its answer.
type conversation struct {
	connection *net.UnixConn
	lines      *bufio.Scanner
}

var (
	// A workbench does not read a question, stops in the middle of an answer, or ended.
	errHangs  = errors.New("it did not answer within a second: it hangs, or was stopped")
	errSilent = errors.New("the workbench no longer answers")
	errGone   = errors.New("the workbench ended")
)

// isLate reports whether an error is that of a deadline.
func isLate(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)
}

// dial connects to a workbench and asks a question. It takes at most askTime.
func dial(ctx context.Context, path string, asked question) (*conversation, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var dialer net.Dialer
	opened, err := dialer.DialContext(ctx, "unix", path)
	switch {
	case isLate(err):
		return nil, errHangs
	case err != nil:
		return nil, fmt.Errorf("connect to the workbench: %w", err)
	}
	connection := opened.(*net.UnixConn)
	c := &conversation{connection: connection, lines: bufio.NewScanner(connection)}
	c.lines.Buffer(nil, maxReply)
	deadline, _ := ctx.Deadline()
	_ = connection.SetDeadline(deadline)
	if err = usersocket.CheckPeer(connection); err == nil {
		text, _ := json.Marshal(asked) // it has only strings and a boolean
		_, err = connection.Write(append(text, '\n'))
	}
	switch {
	case err == nil:
		return c, nil
	case isLate(err):
		err = errHangs
	default:
		err = fmt.Errorf("ask the workbench: %w", err)
	}
	c.Close()
	return nil, err
}

// next returns the next line of the answer. It fails when the context ends, and after the limit, if that is not 0.
func (c *conversation) next(ctx context.Context, limit time.Duration) (reply, error) {
	if limit > 0 {
		bounded, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = bounded
	}
	deadline, _ := ctx.Deadline() // the zero time, which is no deadline, if the context has none
	_ = c.connection.SetReadDeadline(deadline)
	defer context.AfterFunc(ctx, func() { _ = c.connection.SetReadDeadline(time.Unix(1, 0)) })()
	var got reply
	if !c.lines.Scan() {
		if isLate(c.lines.Err()) {
			return got, errSilent
		}
		return got, cmp.Or(c.lines.Err(), errGone)
	}
	if json.Unmarshal(c.lines.Bytes(), &got) != nil {
		return got, errors.New("its answer cannot be read")
	}
	return got, nil
}

// Close ends the conversation.
func (c *conversation) Close() { _ = c.connection.Close() }

// removeLeftovers removes the sockets in a folder whose workbenches were killed.
func removeLeftovers(ctx context.Context, folder string) {
	paths, _ := sockets(folder) // the folder is checked, since this workbench listens in it
	for _, path := range paths {
		var dialer net.Dialer
		bounded, cancel := context.WithTimeout(ctx, askTime)
		connection, err := dialer.DialContext(bounded, "unix", path)
		cancel()
		switch {
		case err == nil:
			_ = connection.Close()
		case usersocket.IsRefused(err):
			removeStale(path)
		}
	}
}
