package workbenchtest

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Launch describes how a workbench is started.
type Launch struct {
	// Program is the path of a program to run instead of the workbench, "" for the workbench.
	Program string
	// Config is the text of the file that --config names, "" for no such flag.
	Config string
	// Args come after --config.
	Args []string
	// Input is the standard input of the program that Run starts.
	Input string
	// Typed is text for the terminal of OnTerminal. It is typed before the program starts.
	Typed string
	// Env has variables after those that every workbench gets, which programs need
	// to start at all.
	Env []string
	// Dir is the working directory, "" for a fresh one.
	Dir string
	// Prepare changes the process before it is started: its group, its user, its
	// limits.
	Prepare func(*exec.Cmd)

	overHTTP bool
}

// CookieName is the variable that identifies the processes of one spec. Every
// server inherits it, like the variables for its language.
const CookieName = "LC_SPEC"

var launches atomic.Int64

// command prepares a process that can be found by its cookie.
func (l Launch) command() (command *exec.Cmd, cookie string) {
	ginkgo.GinkgoHelper()
	args := l.Args
	if l.Config != "" {
		path := filepath.Join(ginkgo.GinkgoT().TempDir(), "workbench-config.json")
		gomega.Expect(os.WriteFile(path, []byte(l.Config), 0o600)).To(gomega.Succeed())
		args = slices.Concat([]string{"--config", path}, args)
	}
	command = exec.Command(cmp.Or(l.Program, programs.Workbench), args...)
	command.Dir = l.Dir
	if command.Dir == "" {
		command.Dir = ginkgo.GinkgoT().TempDir()
	}
	cookie = fmt.Sprintf("%s=%d.%d", CookieName, os.Getpid(), launches.Add(1))
	// Without the option, the race detector delays every exit by a second.
	command.Env = []string{cookie, "GORACE=atexit_sleep_ms=0", "WORKBENCH_REGISTRY=false", "HOME=" + command.Dir, "XDG_RUNTIME_DIR=" + ginkgo.GinkgoT().TempDir()}
	for _, name := range []string{"PATH", "TMPDIR", "SYSTEMROOT", "TEMP"} {
		if value, ok := os.LookupEnv(name); ok {
			command.Env = append(command.Env, name+"="+value)
		}
	}
	command.Env = append(command.Env, l.Env...)
	if l.Prepare != nil {
		l.Prepare(command)
	}
	return command, cookie
}

// Serve starts a workbench with these toolboxes and makes a handshake.
func Serve(toolboxes ...Toolbox) *Workbench {
	ginkgo.GinkgoHelper()
	w := Start(Launch{Config: Configuration(toolboxes...)})
	w.Initialize()
	return w
}

// leftOut matches the log line about a partly served configuration.
const leftOut = "the configuration has problems"

// Start starts a workbench and ends it after the spec.
func Start(l Launch) *Workbench {
	ginkgo.GinkgoHelper()
	command, cookie := l.command()
	w := &Workbench{
		process: command, cookie: cookie,
		ended: make(chan struct{}), changed: make(chan struct{}), lastID: 1000,
		waiting: map[string]chan Message{},
	}
	w.errors, command.Stderr = newStderr()
	if l.overHTTP || OverHTTP() && l.Program == "" && !slices.Contains(l.Args, "--http") {
		w.startOverHTTP()
	} else {
		w.startOnPipes()
	}
	ginkgo.DeferCleanup(func() {
		if output := w.Stderr(); strings.Contains(output, "mcp-workbench: using ") {
			l.judge(strings.Contains(output, leftOut), output)
		}
	})
	ginkgo.DeferCleanup(w.report)
	ginkgo.DeferCleanup(w.finish)
	return w
}

// startOnPipes starts the process of a workbench whose host is at its pipes.
func (w *Workbench) startOnPipes() {
	ginkgo.GinkgoHelper()
	in, err := w.process.StdinPipe()
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	w.in = in
	out, err := w.process.StdoutPipe()
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	w.out = out
	gomega.Expect(w.process.Start()).To(gomega.Succeed())
	go w.readAll(output{out, w})
}

func (w *Workbench) readAll(out io.Reader) {
	defer close(w.ended)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 || err != nil && !errors.Is(err, io.EOF) {
			break
		}
		w.receive(line)
	}
	_ = w.process.Wait() // the spec checks later how it ended
}

func (w *Workbench) receive(line []byte) {
	text, terminated := strings.CutSuffix(string(line), "\n")
	m, err := parseMessage([]byte(text))
	if err == nil && terminated && w.answered(m) {
		return
	}
	w.note("workbench", string(line))
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err != nil:
		w.noise = append(w.noise, fmt.Sprintf("%v: %.500q", err, text))
	case !terminated:
		w.noise = append(w.noise, fmt.Sprintf("the line is cut: %.500q", text))
	default:
		w.received = append(w.received, m)
		close(w.changed)
		w.changed = make(chan struct{})
	}
}

// finish ends a workbench that the spec left running, and checks for every workbench that
// it ends in order, writes only messages (row U05 of the matrix), answers nothing
// twice, and leaves no process behind.
func (w *Workbench) finish() {
	_ = w.in.Close() // it may be closed already
	select {
	case <-w.ended:
	case <-time.After(Patience):
		_ = w.process.Process.Kill() // it may have ended
		endLeftovers(w.cookie)
		ginkgo.Fail("the workbench did not end and was killed")
	}
	left := endLeftovers(w.cookie)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.judged {
		gomega.Expect(w.process.ProcessState.ExitCode()).To(gomega.Equal(0), "the exit code")
	}
	gomega.Expect(left).To(gomega.BeEmpty(), "processes that outlive the workbench")
	gomega.Expect(w.noise).To(gomega.BeEmpty(), "lines on standard output that are not messages")
	gomega.Expect(w.Stderr()).NotTo(gomega.ContainSubstring("DATA RACE"))
	answered := map[string]int{}
	for _, m := range w.received {
		answered[string(m.ID)]++
	}
	for id := 1001; id <= w.lastID; id++ {
		gomega.Expect(answered[fmt.Sprint(id)]).To(gomega.BeNumerically("<=", 1), "answers to request %d", id)
	}
}

// Outcome is the result of a run of the program.
type Outcome struct {
	Code           int
	Stdout, Stderr string
}

// Run runs the program to its end.
func Run(l Launch) Outcome {
	ginkgo.GinkgoHelper()
	return RunFor(Patience, l)
}

// RunFor is Run of a program that is killed after that time.
func RunFor(limit time.Duration, l Launch) Outcome {
	ginkgo.GinkgoHelper()
	command, _ := l.command()
	var stdout, stderr strings.Builder
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(l.Input), &stdout, &stderr
	gomega.Expect(command.Start()).To(gomega.Succeed())
	kill := time.AfterFunc(limit, func() { _ = command.Process.Kill() })
	defer kill.Stop()
	_ = command.Wait() // the code says how it ended
	gomega.Expect(stderr.String()).NotTo(gomega.ContainSubstring("DATA RACE"))
	if output := stderr.String() + stdout.String(); strings.Contains(output, "using ") || command.ProcessState.ExitCode() == 3 {
		l.judge(command.ProcessState.ExitCode() == 3 || strings.Contains(output, leftOut), output)
	}
	return Outcome{Code: command.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
}
