//go:build unix

package ownprocess

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

var (
	ending     = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	reloading  = []os.Signal{syscall.SIGUSR1}
	brokenPipe = []os.Signal{syscall.SIGPIPE}
)

// BeforeEnd calls a function before a signal ends the process, until stop is called. Afterwards the signal
// ends the process as usual.
func BeforeEnd(do func()) (stop func()) {
	got, stopped := make(chan os.Signal, 1), make(chan struct{})
	for _, end := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(end) {
			signal.Notify(got, end)
		}
	}
	go func() {
		select {
		case end := <-got:
			do()
			signal.Reset(end)
			_ = syscall.Kill(syscall.Getpid(), end.(syscall.Signal)) // a process may signal itself
		case <-stopped:
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(got)
		close(stopped)
	})
}

// exceptHangups returns a function that reports whether a signal terminates a program that reloads at
// SIGHUP. A SIGHUP terminates only if the program has lost its terminal, and never under nohup.
func exceptHangups() func(os.Signal) bool {
	hadTerminal := !signal.Ignored(syscall.SIGHUP) && hasTerminal()
	return func(got os.Signal) bool {
		return got != syscall.SIGHUP || hadTerminal && !hasTerminal()
	}
}

// hasTerminal reports whether the process has a controlling terminal. A closed one does not count:
// the kernel takes it away before it sends SIGHUP.
func hasTerminal() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	_ = terminal.Close()
	return true
}
