package status

import (
	"context"
	"io"
	"net"
	"time"

	"mcp-workbench/ports"
)

// followInterval is the time between two reads of a log that is followed.
const followInterval = 200 * time.Millisecond

// answerLog answers with the log of a server, and also with its new lines if the question asks to follow it.
func (l *Listener) answerLog(out replies, asked question) {
	sent := map[ports.ServerProcess]int{}
	ticker := time.NewTicker(followInterval)
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
			_ = out.send(reply{Problem: "no process of the server ran on this machine, so there is no standard error"})
			return
		case !known && len(sent) == 0:
			_ = out.send(reply{Problem: ErrNotRunning.Error()})
			return
		case !asked.Follow:
			return
		}
		sent = send
		if out.send(reply{}) != nil { // detects that the reader has disconnected
			return
		}
		select {
		case <-ticker.C:
		case <-l.ctx.Done():
			return
		}
	}
}

// answerRestart restarts a server. If the program that asked disconnects, the server starts nevertheless.
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
	done := reply{Restarted: hosts}
	if err != nil {
		done.Problem = err.Error()
	}
	_ = out.send(done)
}
