package status_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
)

var _ = Describe("Asking workbenches", func() {
	var folder string
	BeforeEach(func() {
		short, err := os.MkdirTemp("", "st")
		Expect(err).NotTo(HaveOccurred())
		folder = filepath.Join(short, "run")
		DeferCleanup(os.RemoveAll, short)
		probe, err := net.Listen("unix", filepath.Join(short, "probe"))
		if err != nil {
			Skip("no Unix sockets here: " + err.Error())
		}
		Expect(probe.Close()).To(Succeed())
	})
	quiet := slog.New(slog.DiscardHandler)
	// sockets returns the entries of the folder.
	sockets := func() []string {
		entries, _ := os.ReadDir(folder)
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}
	// listen returns the listener of a workbench.
	listen := func(servers *fakeServers) *status.Listener {
		GinkgoHelper()
		board := status.NewBoard("1", "", func(domain.ServerID) {})
		board.Add(connected(servers, &status.Numbers{}))
		before := len(sockets())
		listener := startListener(func() []string { return []string{folder} }, board, quiet)
		DeferCleanup(listener.Close)
		Eventually(sockets).WithTimeout(time.Minute).Should(HaveLen(before + 1))
		return listener
	}
	ask := func(ctx context.Context) []status.Answer {
		GinkgoHelper()
		answers, err := status.NewWorkbenches([]string{folder}).Ask(ctx)
		Expect(err).NotTo(HaveOccurred())
		return answers
	}

	It("gets the tools of each server once, with the definitions that are not too long", func(ctx SpecContext) {
		listen(&fakeServers{names: []string{"db", "files"}})

		var told []status.ServerTools
		Expect(ask(ctx)[0].Tools(ctx, func(tools status.ServerTools) { told = append(told, tools) })).To(Succeed())

		Expect(told).To(HaveLen(2))
		Expect(told[0]).To(Equal(status.ServerTools{Toolbox: "dev", Server: "db", Tools: []status.ListedTool{
			{Name: "get", Size: 14, Definition: []byte(`{"name":"get"}`)}, {Name: "dump", Size: 3 << 20},
		}}))
	})

	It("leaves nothing behind if the workbench ends before it listens", func() {
		status.NewListener(nil, status.NewBoard("1", "", nil), quiet).Close()
		Expect(folder).NotTo(BeADirectory())
	})

	It("removes the sockets of killed workbenches, and leaves new sockets and other files", func(ctx SpecContext) {
		listener := listen(&fakeServers{})
		plant := func(name string, age time.Duration) {
			left, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder, name), Net: "unix"})
			Expect(err).NotTo(HaveOccurred())
			left.SetUnlinkOnClose(false)
			Expect(left.Close()).To(Succeed())
			Expect(os.Chtimes(filepath.Join(folder, name), time.Time{}, time.Now().Add(-age))).To(Succeed())
		}
		plant("1-old.sock", time.Hour)
		plant("2-future.sock", -time.Hour)
		plant("3-new.sock", 0)
		plant("other", time.Hour)

		Expect(ask(ctx)).To(HaveLen(1))
		Expect(sockets()).To(ConsistOf("3-new.sock", "other", HavePrefix("%d-", os.Getpid())))
		_ = listener
	})

	It("does not wait for a workbench that hangs", func(ctx SpecContext) {
		listen(&fakeServers{})
		hanging, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder, "77-hangs.sock"), Net: "unix"})
		Expect(err).NotTo(HaveOccurred())
		defer func() { _ = hanging.Close() }()

		answers := ask(ctx)
		Expect(answers).To(HaveExactElements(
			HaveField("Snapshot", Not(BeNil())),
			And(HaveField("PID", 77), HaveField("Snapshot", BeNil()), HaveField("Problem", ContainSubstring("did not answer within a second"))),
		))
	})

	DescribeTable("refuses an answer that", func(ctx SpecContext, text, problem string) {
		Expect(os.Mkdir(folder, 0o700)).To(Succeed())
		odd, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder, "77-odd.sock"), Net: "unix"})
		Expect(err).NotTo(HaveOccurred())
		defer func() { _ = odd.Close() }()
		go func() {
			connection, err := odd.Accept()
			if err == nil {
				_, _ = connection.Read(make([]byte, 100))
				_, _ = io.WriteString(connection, text)
				_ = connection.Close()
			}
		}()
		Expect(ask(ctx)).To(HaveExactElements(HaveField("Problem", ContainSubstring(problem))))
	},
		Entry("is not JSON", "hello\n", "its answer cannot be read"),
		Entry("is empty", "", "the workbench ended"),
		Entry("has no snapshot", "{}\n", "its answer cannot be read"),
		Entry("is endless", strings.Repeat("x", 5<<20), "too long"),
	)

	It("gets answers to many questions at a time, with only a short delay by silent connections", func(ctx SpecContext) {
		listen(&fakeServers{names: []string{"db"}})
		path := filepath.Join(folder, sockets()[0])
		for range 8 {
			silent, err := net.Dial("unix", path)
			Expect(err).NotTo(HaveOccurred())
			defer func() { _ = silent.Close() }()
		}
		var asking sync.WaitGroup
		answered := make(chan int, 200)
		for range 20 {
			asking.Go(func() {
				for range 10 {
					answers, _ := status.NewWorkbenches([]string{folder}).Ask(ctx)
					answered <- len(answers)
				}
			})
		}
		asking.Wait()
		close(answered)
		for count := range answered {
			Expect(count).To(Equal(1))
		}
	})

	It("fails if the question is unknown, too long or not JSON", func() {
		listen(&fakeServers{})
		for text, want := range map[string]string{
			`{"ask":"dance"}` + "\n":               "does not know the question",
			"hello\n":                              "",
			strings.Repeat("x", 1<<16):             "",
			`{"ask":"log","server":"none"}` + "\n": "the server is not running",
		} {
			connection, err := net.Dial("unix", filepath.Join(folder, sockets()[0]))
			Expect(err).NotTo(HaveOccurred())
			_, _ = io.WriteString(connection, text)
			answer, _ := io.ReadAll(connection)
			Expect(string(answer)).To(ContainSubstring(want))
			Expect(connection.Close()).To(Succeed())
		}
	})

	It("works in another folder if the first cannot be used", func(ctx SpecContext) {
		long := filepath.Join(folder, strings.Repeat("x", 100))
		listener := startListener(func() []string { return []string{long, folder} }, status.NewBoard("1", "", nil), quiet)
		defer listener.Close()
		Eventually(func() []status.Answer { return ask(ctx) }).WithTimeout(time.Minute).Should(HaveLen(1))
	})
})
