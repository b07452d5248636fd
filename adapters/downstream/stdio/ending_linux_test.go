package stdio_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
	"golang.org/x/sys/unix"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/contract"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
)

// inGroup returns the processes of a group that live, with what they are.
func inGroup(group int) []string {
	entries, _ := os.ReadDir("/proc") // filepath.Glob would list the folder of each process
	var alive []string
	for _, entry := range entries {
		path := filepath.Join("/proc", entry.Name(), "stat")
		stat, err := os.ReadFile(path)
		if _, notProcess := strconv.Atoi(entry.Name()); err != nil || notProcess != nil {
			continue // gone meanwhile, or something else
		}
		// pid (name) state parent group; the name may hold anything.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if fields[0] != "Z" && fields[2] == strconv.Itoa(group) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			alive = append(alive, string(bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return alive
}

// descriptors counts the open files of this process.
func descriptors() int {
	GinkgoHelper()
	return len(spec.Must(os.ReadDir("/proc/self/fd")))
}

var _ = Describe("Ending a server", func() {
	// start connects to a server that tells its process, and returns it.
	start := func(s script.Script) (session ports.Session, group int) {
		GinkgoHelper()
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Do: []script.Step{{Result: `{"content":[{"text":"${pid}"}]}`}}})
		session = connect(playing(s, nil))
		group = spec.Must(strconv.Atoi(use(session)))
		return session, group
	}

	DescribeTable("leaves no process, however the server behaves",
		func(s script.Script) {
			session, group := start(s)
			Expect(inGroup(group)).NotTo(BeEmpty())

			Expect(session.Close(ctxWith(time.Second))).To(Succeed())

			Expect(inGroup(group)).To(BeEmpty())
		},
		Entry("when it ends with its input", script.Script{}),
		Entry("when it does not end with its input", script.Script{End: []script.Step{{Hang: true}}}),
		Entry("when it does not end with SIGTERM either", script.Script{IgnoreTerm: true, End: []script.Step{{Hang: true}}}),
		Entry("when it has a descendant that holds its pipes", script.Script{Start: []script.Step{{Spawn: "sleep"}}}),
		Entry("when it has a descendant that ignores SIGTERM", script.Script{Start: []script.Step{{Spawn: "stubborn"}}}),
		Entry("when both ignore SIGTERM", script.Script{IgnoreTerm: true, End: []script.Step{{Hang: true}}, Start: []script.Step{{Spawn: "stubborn"}, {Spawn: "stubborn"}}}),
	)

	It("tells a server to end before it kills it", func() {
		file := filepath.Join(GinkgoT().TempDir(), "ended")
		session, _ := start(script.Script{End: []script.Step{{Touch: file}, {Hang: true}}})

		Expect(session.Close(ctxWith(time.Second))).To(Succeed())

		Expect(file).To(BeAnExistingFile())
	})

	It("does not use up its time on a server that ends with SIGTERM", func() {
		session, group := start(script.Script{End: []script.Step{{Hang: true}}})
		ctx := ctxWith(7 * time.Second)

		Expect(session.Close(ctx)).To(Succeed())

		Expect(ctx.Err()).NotTo(HaveOccurred())
		Expect(inGroup(group)).To(BeEmpty())
	})

	It("does not use up its time on zombies", func() {
		// As in a container: what loses its parents comes to this process, which does not care.
		Expect(unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)).To(Succeed())
		DeferCleanup(func() { Expect(unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)).To(Succeed()) })
		session, group := start(script.Script{Start: []script.Step{{Spawn: "sleep"}}})
		ctx := ctxWith(4 * time.Second) // less than a server that is lost gets

		Expect(session.Close(ctx)).To(Succeed())

		Expect(ctx.Err()).NotTo(HaveOccurred())
		Expect(inGroup(group)).To(BeEmpty())
		Expect(spec.Must(syscall.Wait4(-group, nil, syscall.WNOHANG, nil))).To(BeNumerically(">", 0), "no process reaped it")
	})

	It("kills at once when there is no time", func() {
		session, group := start(script.Script{IgnoreTerm: true, End: []script.Step{{Hang: true}}, Start: []script.Step{{Spawn: "stubborn"}}})
		ended, end := context.WithCancel(context.Background())
		end()

		Expect(session.Close(ended)).To(Succeed())

		Expect(inGroup(group)).To(BeEmpty())
	})

	It("ends the descendants of a server that ended by itself", func() {
		session, group := start(script.Script{
			Start: []script.Step{{Spawn: "sleep"}},
			Rules: []script.Rule{
				{Method: "tools/call", Once: true, Do: []script.Step{{Result: `{"content":[{"text":"${pid}"}]}`}}},
				{Method: "tools/call", Do: []script.Step{{Exit: 3}}},
			},
		})

		Expect(lost(session)).To(HavePrefix("the server ended with exit code 3"))

		Eventually(inGroup).WithArguments(group).WithTimeout(patience).Should(BeEmpty())
	})

	It("ends a server that failed to connect, with its descendants", func() {
		directory := GinkgoT().TempDir()
		server := playing(script.Script{
			Start: []script.Step{{Touch: filepath.Join(directory, "${pid}")}, {Spawn: "stubborn"}}, Version: "1999-12-31",
		}, nil)

		Expect(whyNot(server)).To(ContainSubstring("1999-12-31"))

		files := spec.Must(os.ReadDir(directory))
		group := spec.Must(strconv.Atoi(files[0].Name()))
		Expect(inGroup(group)).To(BeEmpty())
	})

	It("leaves no file open and no goroutine behind", func() {
		cycle := func() {
			GinkgoHelper()
			transport := newTransport()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			for i, server := range []domain.Server{
				playing(script.Script{}, nil), playing(scriptOf(script.Step{Exit: 3}), nil), playing(script.Script{Start: []script.Step{{Exit: 1}}}, nil),
				playing(script.Script{End: []script.Step{{Hang: true}}, Start: []script.Step{{Spawn: "sleep"}}}, nil), serverOf(settings{"command": "/dev/null"}),
			} {
				session, err := transport.Connect(ctx, server, contract.DeafHost{}, contract.OpenPolicy{})
				if err != nil {
					continue
				}
				Eventually(begin(session)).WithTimeout(patience).Should(Receive(), fmt.Sprint("server ", i))
				short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
				Expect(session.Close(short)).To(Succeed())
				cancel()
			}
		}
		cycle() // what is opened once only
		// The garbage collector would close files that the program left open.
		DeferCleanup(debug.SetGCPercent, debug.SetGCPercent(-1))
		goroutines, files := gleak.Goroutines(), descriptors()

		for range 3 {
			cycle()
		}

		Eventually(gleak.Goroutines).WithTimeout(patience).ShouldNot(gleak.HaveLeaked(goroutines))
		Eventually(descriptors).WithTimeout(patience).Should(BeNumerically("<=", files))
	})
})

var _ = Describe("Closing the output of a server", func() {
	const rounds = 2_000

	open := func() (read, write *os.File) {
		GinkgoHelper()
		read, write, err := stdio.OutputPipe()
		Expect(err).NotTo(HaveOccurred())
		return read, write
	}

	It("ends its reader, though a descendant keeps it open", func() {
		for range rounds {
			read, write := open()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = io.Copy(io.Discard, read) // how it ends does not matter
			}()

			Expect(stdio.CloseOutput(read)).To(Succeed())

			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				Fail("the reader did not notice")
			}
			Expect(write.Close()).To(Succeed())
		}
	})

	It("does not touch a pipe that got its descriptor number meanwhile", func() {
		over := make(chan struct{})
		var others sync.WaitGroup
		for range 4 {
			others.Go(func() {
				defer GinkgoRecover()
				usePipes(over)
			})
		}
		for range 2 * rounds {
			read, write := open()
			var closing sync.WaitGroup
			for range 4 { // as when a server is stopped while it is lost
				closing.Go(func() { _ = stdio.CloseOutput(read) })
			}
			closing.Wait()
			Expect(write.Close()).To(Succeed())
		}
		close(over)
		others.Wait()
	})
})

// usePipes makes pipes without writers, until it is over. Each is held
// open for a while.
func usePipes(over <-chan struct{}) {
	var held [][2]int
	for {
		select {
		case <-over:
			closeUnused(held)
			return
		default:
		}
		var ends [2]int
		Expect(syscall.Pipe2(ends[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK)).To(Succeed())
		if held = append(held, ends); len(held) > 16 {
			closeUnused(held[:1])
			held = held[1:]
		}
	}
}

// closeUnused closes pipes that were never written to.
func closeUnused(pipes [][2]int) {
	for _, ends := range pipes {
		_, err := syscall.Read(ends[0], make([]byte, 8))
		Expect(err).To(Equal(syscall.EAGAIN), "something was written to another pipe")
		Expect(syscall.Close(ends[0])).To(Succeed())
		Expect(syscall.Close(ends[1])).To(Succeed())
	}
}

// threadsIn counts the threads of this process that are in a system call.
func threadsIn(call int) (count int) {
	GinkgoHelper()
	threads := spec.Must(filepath.Glob("/proc/self/task/*/syscall"))
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if os.IsPermission(err) {
			Skip("this kernel does not say what a thread does: " + err.Error())
		}
		if strings.HasPrefix(string(text), fmt.Sprint(call, " ")) {
			count++
		}
	}
	return count
}

var _ = It("The end of a server is waited for without a thread of its own", func() {
	if descriptor, err := unix.PidfdOpen(os.Getpid(), 0); err != nil {
		Skip("this kernel has no descriptors for processes: " + err.Error())
	} else {
		Expect(unix.Close(descriptor)).To(Succeed())
	}
	for range 5 {
		connect(playing(script.Script{}, nil))
	}
	Expect(threadsIn(unix.SYS_WAITID) + threadsIn(unix.SYS_WAIT4)).To(BeZero())
})

var _ = Describe("Running a program for what it prints", func() {
	run := func(ctx context.Context, words ...string) (string, error) {
		output, err := stdio.NewRunner(nil, stdio.Place{}).Output(ctx, domain.Program{Command: words[0], Args: words[1:], Cwd: GinkgoT().TempDir()}, 1<<10)
		return string(output), err
	}
	background := context.Background()

	It("returns its output, and nothing of its stderr", func() {
		Expect(run(background, "/bin/sh", "-c", "echo out; echo err >&2")).To(Equal("out\n"))
	})

	It("gives it the variables of the workbench except for its own, and no input", func() {
		GinkgoT().Setenv("OP_SESSION", "session")
		GinkgoT().Setenv("WORKBENCH_CONFIG", "x")
		Expect(run(background, "/bin/sh", "-c", `cat; echo "$OP_SESSION-$WORKBENCH_CONFIG"`)).To(Equal("session-\n"))
	})

	It("finds it in PATH, or in its folder", func() {
		folder := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "get"), []byte("#!/bin/sh\necho found"), 0o700)).To(Succeed())
		Expect(stdio.NewRunner(nil, stdio.Place{}).Output(background, domain.Program{Command: "./get", Cwd: folder}, 100)).To(BeEquivalentTo("found\n"))
		GinkgoT().Setenv("PATH", folder)
		Expect(run(background, "get")).To(Equal("found\n"))
	})

	DescribeTable("fails without its output", func(script, reason string) {
		_, err := run(background, "/bin/sh", "-c", script)
		Expect(err).To(MatchError(reason))
	},
		Entry("with its exit code", "echo secret; exit 4", "command '/bin/sh' ended with exit code 4"),
		Entry("with the signal that ended it", "kill -9 $$", "command '/bin/sh' ended by signal 9 (killed)"),
		Entry("if it prints more than the limit", "while :; do echo secret; done", "command '/bin/sh' printed too much: more than 1 KiB"),
	)

	It("kills all that it started when the context ends", func() {
		pids := filepath.Join(GinkgoT().TempDir(), "pids")
		ctx, cancel := context.WithCancelCause(background)
		failed := make(chan error, 1)
		go func() {
			_, err := run(ctx, "/bin/sh", "-c", `sleep 600 & echo $! >> "$0"; sleep 600 & echo $! >> "$0"; wait`, pids)
			failed <- err
		}()
		started := func() []string {
			text, _ := os.ReadFile(pids)
			return strings.Fields(string(text))
		}
		Eventually(started).WithTimeout(patience).Should(HaveLen(2))

		cancel(errors.New("it is over"))

		Expect(<-failed).To(MatchError("command '/bin/sh' did not end (it is over)"))
		for _, pid := range started() {
			status, err := os.ReadFile("/proc/" + pid + "/status")
			Expect(err != nil || strings.Contains(string(status), "State:\tZ")).To(BeTrue(), "%s runs: %s", pid, status)
		}
	})

	It("leaves an agent alone that closed its output", func() {
		output := spec.Must(run(background, "/bin/sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!"))
		pid := spec.Must(strconv.Atoi(strings.TrimSpace(output)))
		Expect(syscall.Kill(pid, 0)).To(Succeed())
		Expect(syscall.Kill(pid, syscall.SIGKILL)).To(Succeed())
	})
})
