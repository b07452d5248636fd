package status

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/system/usersocket"
)

const (
	// maxConnections is the number of questions that are answered simultaneously. Further ones wait until the
	// programs that ask give up.
	maxConnections = 32
	// acceptPause is the time until a connection is accepted again after that failed.
	acceptPause = 100 * time.Millisecond
	// maxStreams is the maximum number of them that may be answered with logs, tools or restarts.
	maxStreams = 16
	// questionTime is the time limit for reading a question, and for writing each line of an answer.
	questionTime = time.Second
	// questionPause is the pause after each question, which makes at most 200 a second. Then a program that asks without a
	// pause costs about 3 percent of a processor. Further questions wait.
	questionPause = 5 * time.Millisecond
)

// noSocketMessage is the log message of a workbench without a socket.
const noSocketMessage = "'mcp-workbench status' cannot ask this workbench"

// Listener answers questions to its workbench. Safe for concurrent use.
type Listener struct {
	board   *Board
	folders func() []string
	log     *slog.Logger
	work    sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	socket *net.UnixListener
	ctx    context.Context //nolint:containedctx // it ends with the listener; nil before Begin
	cancel context.CancelFunc
	closed bool

	streams atomic.Int32 // the number of streams in progress
}

// NewListener returns a listener that answers questions with the board. After Begin, its socket is in the first
// of the folders that can be used.
func NewListener(folders func() []string, board *Board, log *slog.Logger) *Listener {
	return &Listener{board: board, folders: folders, log: log}
}

// Begin begins to listen, and removes the sockets of workbenches that were killed. If it cannot listen, it logs
// that, since the workbench works nevertheless. It must be called at most once.
func (l *Listener) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	if err := usersocket.Supported(); err != nil {
		l.log.Debug(noSocketMessage, "error", err)
		return
	}
	for _, folder := range l.folders() {
		socket, err := listenIn(folder)
		if err != nil {
			l.log.Debug("no socket for 'mcp-workbench status' in this folder", "folder", folder, "error", err)
			continue
		}
		l.socket = socket
		l.work.Go(func() { l.accept(socket) })
		l.work.Go(func() { removeLeftovers(l.ctx, folder) })
		return
	}
	l.log.Debug(noSocketMessage)
}

// Close removes the socket and ends the answers in progress.
func (l *Listener) Close() {
	l.mu.Lock()
	l.closed = true
	if l.cancel != nil {
		l.cancel()
	}
	if l.socket != nil {
		_ = l.socket.Close() // which removes its file
	}
	l.mu.Unlock()
	l.work.Wait()
}

// accept answers connections until the socket is closed.
func (l *Listener) accept(socket *net.UnixListener) {
	free := make(chan struct{}, maxConnections)
	for {
		free <- struct{}{}
		connection, err := socket.AcceptUnix()
		switch {
		case l.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if l.ctx.Err() == nil {
				l.log.Debug("'mcp-workbench status' can no longer ask this workbench", "error", err)
			}
			return
		case err != nil: // such as too many open files
			<-free
			select {
			case <-time.After(acceptPause):
			case <-l.ctx.Done():
			}
			continue
		}
		l.work.Go(func() {
			defer func() { <-free }()
			defer connection.Close() //nolint:errcheck // the answer is finished
			defer context.AfterFunc(l.ctx, func() { _ = connection.Close() })()
			l.answer(connection)
		})
		select {
		case <-time.After(questionPause):
		case <-l.ctx.Done():
		}
	}
}

// answer answers one question.
func (l *Listener) answer(connection *net.UnixConn) {
	if err := usersocket.CheckPeer(connection); err != nil {
		l.log.Warn("refused a question of 'mcp-workbench status'", "error", err)
		return
	}
	_ = connection.SetReadDeadline(time.Now().Add(questionTime))
	line, err := bufio.NewReaderSize(io.LimitReader(connection, maxQuestion), maxQuestion).ReadSlice('\n')
	var asked question
	if err != nil || json.Unmarshal(line, &asked) != nil {
		return
	}
	out := replies{connection}
	switch asked.Ask {
	case askStatus:
		shown := l.board.Snapshot()
		_ = out.send(reply{Snapshot: &shown})
	case askLog:
		l.stream(out, func() { l.answerLog(out, asked) })
	case askTools:
		l.stream(out, func() { l.answerTools(out) })
	case askRestart:
		l.stream(out, func() { l.answerRestart(connection, out, asked) })
	default:
		_ = out.send(reply{Problem: "this version of the workbench does not know the question"})
	}
}

// stream runs a function that can take long, unless too many run already.
func (l *Listener) stream(out replies, run func()) {
	defer l.streams.Add(-1)
	if l.streams.Add(1) > maxStreams {
		_ = out.send(reply{Problem: "too many programs are asking this workbench for logs, tools or restarts"})
		return
	}
	run()
}

// replies writes the lines of an answer.
type replies struct{ connection *net.UnixConn }

func (r replies) send(line reply) error {
	text, _ := json.Marshal(line) // all of its types can be encoded
	_ = r.connection.SetWriteDeadline(time.Now().Add(questionTime))
	_, err := r.connection.Write(append(text, '\n'))
	return err
}
