//go:build unix

package processtree_test

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/tests/spec"
)

// The specs play with processes that are this program again: as a watchdog, and
// as a workbench that starts one server, a line of shell.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "watchdog" {
		processtree.RunWatchdog(os.Stdin)
		return
	}
	if len(os.Args) == 3 && os.Args[1] == "workbench" {
		playWorkbench(os.Args[2])
		return
	}
	m.Run()
}

// playWorkbench starts the server, passes its output on and carries out orders: to
// report the server gone, to report until another watchdog is started, to wait for the guard, to
// close it.
func playWorkbench(line string) {
	output := os.NewFile(1, "output")
	var watchdogs atomic.Int32
	guard := processtree.NewGuard(slog.New(slog.DiscardHandler), func() []string {
		watchdogs.Add(1)
		return []string{os.Args[0], "watchdog"}
	})
	server := exec.Command("sh", "-c", line)
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server.Stdout = output
	mark := rand.Text()
	server.Env = processtree.WithMark(os.Environ(), mark)
	if err := server.Start(); err != nil {
		panic(err)
	}
	guard.Watch(server.Process.Pid, mark)
	_, _ = fmt.Fprintln(output, "watched", server.Process.Pid)
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		switch orders.Text() {
		case "forget":
			guard.Forget(server.Process.Pid)
		case "flood":
			for watchdogs.Load() == 1 { // further reports could fill the pipe of the next one before it reads
				guard.Forget(server.Process.Pid)
				guard.Watch(server.Process.Pid, mark)
			}
		case "settle":
			guard.Forget(0) // there is no such process: it waits until a new watchdog was told everything
		case "close":
			guard.Close()
		}
		_, _ = fmt.Fprintln(output, "done")
	}
}

// workbench is a played one.
type workbench struct {
	command *exec.Cmd
	orders  io.Writer
	output  *bufio.Scanner
	numbers map[string]int // the numbers that came, by the word before them
}

func startWorkbench(line string) *workbench {
	program := spec.Must(os.Executable())
	w := &workbench{command: exec.Command(program, "workbench", line), numbers: map[string]int{}}
	w.orders = spec.Must(w.command.StdinPipe())
	output := spec.Must(w.command.StdoutPipe())
	w.output = bufio.NewScanner(output)
	Expect(w.command.Start()).To(Succeed())
	DeferCleanup(func() { _ = w.command.Process.Kill(); _ = w.command.Wait() })
	return w
}

// number waits for a line of the output that begins with the word and returns the
// number behind it.
func (w *workbench) number(word string) int {
	for w.numbers[word] == 0 && w.output.Scan() {
		w.note(w.output.Text())
	}
	Expect(w.numbers).To(HaveKey(word), "the output of the workbench")
	return w.numbers[word]
}

func (w *workbench) note(line string) {
	var word string
	var pid int
	if n, _ := fmt.Sscanf(line, "%s %d", &word, &pid); n == 2 {
		w.numbers[word] = pid
	}
}

func (w *workbench) order(order string) {
	Expect(io.WriteString(w.orders, order+"\n")).Error().NotTo(HaveOccurred())
	for w.output.Scan() && w.output.Text() != "done" {
	}
}

func (w *workbench) kill() {
	Expect(w.command.Process.Kill()).To(Succeed())
	Expect(w.command.Wait()).To(MatchError("signal: killed"))
}
