// Command relay starts the command given as its arguments and copies bytes
// between it and its own stdin and stdout, without reading them. It has the minimal
// cost of anything between a host and a server: that of one more
// process.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"mcp-workbench/tests/measurements/bench/wire"
)

// chunk is the size of a pipe on Linux; a larger buffer would never fill.
const chunk = 64 << 10

func main() {
	// A goroutine that is blocked in a read keeps its place among the runnable
	// ones for a while. With a single place, which is the default on one CPU, the
	// other direction would wait for it, ten times as long as the copying takes.
	runtime.GOMAXPROCS(4)
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("usage: relay COMMAND [ARGUMENT...]")
	}
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return err
	}
	stdout, childOut, err := os.Pipe()
	if err != nil {
		return err
	}
	// Fd has a useful side effect: from then on reads and writes block in the
	// kernel, without the runtime's poller.
	_, _ = stdin.Fd(), stdout.Fd()
	child := exec.Command(args[0], args[1:]...)
	child.Stdin, child.Stdout, child.Stderr = childIn, childOut, os.Stderr
	if err := child.Start(); err != nil {
		return err
	}
	childIn.Close()
	childOut.Close()
	go func() {
		pump(stdin, os.Stdin)
		stdin.Close()
	}()
	pump(os.Stdout, stdout)
	return child.Wait()
}

// pump copies with a loop: io.Copy would let the kernel move the bytes (splice), which
// no program that reads messages can do.
func pump(to, from *os.File) {
	buf := make([]byte, chunk)
	for reads := 1; ; reads++ {
		wire.Yield(reads)
		n, err := from.Read(buf)
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
