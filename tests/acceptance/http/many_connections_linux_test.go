package http_test

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// Beginnings of requests, after which nothing comes. Heads may take ten seconds, bodies two
// minutes.
const (
	partOfHead = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: "
	partOfBody = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)

// dialUnfinished opens that many connections and sends a beginning on each.
func (l *listener) dialUnfinished(count int, beginning string) []net.Conn {
	GinkgoHelper()
	connections := make([]net.Conn, count)
	var dialing sync.WaitGroup
	for worker := range 50 {
		dialing.Go(func() {
			defer GinkgoRecover()
			for i := worker; i < count; i += 50 {
				connection := spec.Must(net.Dial("tcp", strings.TrimPrefix(l.root, "http://")))
				Expect(io.WriteString(connection, beginning)).Error().NotTo(HaveOccurred())
				connections[i] = connection
			}
		})
	}
	dialing.Wait()
	return connections
}

// skipWithFewDescriptors skips a spec if a process may not open that many files.
func skipWithFewDescriptors(count int) {
	GinkgoHelper()
	var limit syscall.Rlimit
	Expect(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)).To(Succeed())
	if limit.Max < uint64(count) {
		Skip(fmt.Sprintf("a process may open %d files here (ulimit -Hn), and %d are needed", limit.Max, count))
	}
}

var _ = Describe("Connections that never finish a request", Label("B05"), func() {
	DescribeTable("do not keep others from being served, and leave nothing behind", func(count int, waits bool) {
		skipWithFewDescriptors(count + count/5 + 500)
		l := listen(Launch{Config: Configuration(InDev(Scripted("files", WithTools("read"))))})
		callers := map[string]*caller{}
		for _, era := range Eras {
			callers[era.Name], _ = l.as(era, "")
			Expect(callers[era.Name].open("dev").text).To(ContainSubstring("read"))
		}
		before := l.Holdings().Descriptors

		staying := l.dialUnfinished(count, partOfBody)
		ending := append(l.dialUnfinished(count/10, ""), l.dialUnfinished(count/10, partOfHead)...)
		Eventually(func() int { return l.Holdings().Descriptors }).WithTimeout(Patience).Should(BeNumerically(">=", count))

		for _, era := range Eras {
			Expect(callers[era.Name].use("dev", "files", "read").text).To(ContainSubstring("done"), era.Name)
			_, hello := l.as(era, "")
			Expect(hello.StatusCode).To(Equal(200), era.Name)
		}
		for _, connection := range ending {
			if waits {
				Expect(connection.SetReadDeadline(time.Now().Add(Patience))).To(Succeed())
				_, err := io.Copy(io.Discard, connection)
				Expect(err).NotTo(HaveOccurred(), "the workbench ends it")
			}
			Expect(connection.Close()).To(Succeed())
		}
		Expect(l.Holdings().Descriptors).To(BeNumerically(">=", count), "the others were open all the time")
		for _, connection := range staying {
			Expect(connection.Close()).To(Succeed())
		}
		Eventually(func() int { return l.Holdings().Descriptors }).WithTimeout(Patience).Should(BeNumerically("<=", before+5))
	},
		Entry("a thousand", 1000, false),
		Entry("ten thousand, until the workbench ends those that it need not wait for", Label("soak"), 10_000, true),
	)

	It("cause a warning when the process may open no more files, and others are served once they are gone", func() {
		l := listen(Launch{Config: Configuration(InDev(Scripted("files", WithTools("read")))), Prepare: func(command *exec.Cmd) {
			command.Args = append([]string{"sh", "-c", `ulimit -n 40; exec "$0" "$@"`, command.Path}, command.Args[1:]...)
			command.Path = "/bin/sh"
		}})
		connections := l.dialUnfinished(100, partOfHead)
		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring("connections of hosts cannot be accepted, so they wait"))
		for _, connection := range connections {
			Expect(connection.Close()).To(Succeed())
		}

		Expect(l.ask("GET", l.root+"/readyz", "").StatusCode).To(Equal(200))
		Expect(strings.Count(l.Stderr(), "cannot be accepted")).To(Equal(1))
	})
})
