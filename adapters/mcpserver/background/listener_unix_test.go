//go:build unix

package background_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A background workbench", func() {
	// begin starts one that serves hosts with a function. Ended is closed after stop.
	begin := func(ctx context.Context, serve func(ctx context.Context, host *background.Host)) (socket *net.UnixListener, stop func(), ended chan struct{}) {
		folder := spec.Must(os.MkdirTemp("", "bg")) // the path of a socket is short
		DeferCleanup(os.RemoveAll, folder)
		socket = spec.Must(net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(folder, "s")}))
		listener := &background.Listener{Key: "key", Log: slog.New(slog.DiscardHandler), Serve: serve}
		running, stop := context.WithCancel(ctx)
		ended = make(chan struct{})
		go func() {
			defer close(ended)
			listener.Run(running, socket)
		}()
		return socket, stop, ended
	}
	// greet connects a host, and returns the first line for it.
	greet := func(socket *net.UnixListener, variable string) string {
		GinkgoHelper()
		host := spec.Must(net.Dial("unix", socket.Addr().String()))
		DeferCleanup(host.Close)
		_, _ = io.WriteString(host, `{"key":"key","do":"serve","environ":["`+variable+"\"]}\n") // one that is refused takes no more
		line := spec.Must(bufio.NewReader(host).ReadString('\n'))
		_, _ = io.WriteString(host, "\x00") // with which a bridge sends its standard error
		return line
	}

	It("ends when it is told to, also with a host that does not read", func(ctx SpecContext) {
		full := make(chan struct{})
		socket, stop, ended := begin(ctx, func(ctx context.Context, host *background.Host) {
			fill(host.Output)
			close(full)
			<-ctx.Done()
		})
		Expect(greet(socket, "")).To(ContainSubstring(`"pid"`))
		Eventually(ctx, full).Should(BeClosed())

		stop()

		Eventually(ctx, ended).Should(BeClosed())
	})

	It("serves 512 hosts at most, and tells the next one", func(ctx SpecContext) {
		socket, stop, ended := begin(ctx, func(ctx context.Context, _ *background.Host) { <-ctx.Done() })
		for range 512 {
			Expect(greet(socket, "")).To(ContainSubstring(`"pid"`))
		}

		Expect(greet(socket, "")).To(ContainSubstring("it serves too many hosts"))

		stop()
		Eventually(ctx, ended).Should(BeClosed())
	})

	It("serves hosts with 256 MiB of variables, and tells the next one", Label("large"), func(ctx SpecContext) {
		socket, stop, ended := begin(ctx, func(ctx context.Context, _ *background.Host) { <-ctx.Done() })
		variable := strings.Repeat("x", 1<<20)
		for range 255 {
			Expect(greet(socket, variable)).To(ContainSubstring(`"pid"`))
		}

		Expect(greet(socket, variable)).To(ContainSubstring("it serves too many hosts"))

		Expect(greet(socket, "")).To(ContainSubstring(`"pid"`))
		stop()
		Eventually(ctx, ended).Should(BeClosed())
	})
})

// fill writes until the other end would have to read.
func fill(output *os.File) {
	connection := spec.Must(output.SyscallConn())
	Expect(connection.Write(func(fd uintptr) bool {
		for {
			if _, err := syscall.Write(int(fd), make([]byte, 4096)); err != nil {
				return true
			}
		}
	})).To(Succeed())
}
