package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	directory, program, arguments := os.Args[1], os.Args[2], os.Args[3:]
	fromHost, err := open(directory, "from-host")
	check(err)
	toHost, err := open(directory, "to-host")
	check(err)
	workbench := exec.Command(program, arguments...)
	workbench.Stderr = os.Stderr
	input, err := workbench.StdinPipe()
	check(err)
	output, err := workbench.StdoutPipe()
	check(err)
	check(workbench.Start())
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for s := range signals {
			_ = workbench.Process.Signal(s) // it has ended
		}
	}()
	go func() {
		_, _ = io.Copy(io.MultiWriter(fromHost, input), os.Stdin) // the workbench has ended
		_ = input.Close()
	}()
	// The workbench handles a host that is gone: it gets the end of its input.
	_, _ = io.Copy(io.MultiWriter(toHost, os.Stdout), output)
	_ = workbench.Wait() // its exit code is passed on
	os.Exit(workbench.ProcessState.ExitCode())
}

func open(directory, name string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(directory, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return file, nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		os.Exit(1)
	}
}
