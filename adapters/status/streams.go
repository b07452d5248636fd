package status

import (
	"context"
	"io"
	"net"
	"time"

	"mcp-workbench/ports"
)

// followEvery is how often a log that is followed is looked at.
const followEvery = 200 * time.Millisecond

// answerLog answers with the log of a server, and goes on while the question follows it.
func (l *Listener) answerLog(out replies, asked question) {
	sent := map[ports.ServerProcess]int{}
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	for {
		send, failure := map[ports.ServerProcess]int{}, error(nil)
		known := l.board.processes(asked.server(), func(process ports.ServerProcess) {
			lines, last := process.Log(sent[process])
			send[process] = last
			if len(lines) > 0 && failure == nil {
				failure = out.send(reply{Log: &LogLines{PID: process.PID(), Lines: lines}})
			}
		})
		switch {
		case failure != nil:
			return
		case len(sent) == 0 && len(send) == 0 && known:
			_ = out.send(reply{Problem: "no process of the server ran on this machine, so that it has no standard error"})
			return
		case !known && len(sent) == 0:
			_ = out.send(reply{Problem: ErrNotRunning.Error()})
			return
		case !asked.Follow:
			return
		}
		sent = send
		if out.send(reply{}) != nil { // otherwise a reader that is gone would not be noticed
			return
		}
		select {
		case <-ticker.C:
		case <-l.ctx.Done():
			return
		}
	}
}

// answerRestart restarts a server. If the asker leaves, the server starts all the same.
func (l *Listener) answerRestart(connection *net.UnixConn, out replies, asked question) {
	if out.send(reply{}) != nil {
		return
	}
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	_ = connection.SetReadDeadline(time.Time{})
	go func() {
		_, _ = io.Copy(io.Discard, connection)
		cancel()
	}()
	hosts, err := l.board.Restart(ctx, asked.server())
	l.forget()
	done := reply{Restarted: hosts}
	if err != nil {
		done.Problem = err.Error()
	}
	_ = out.send(done)
}
