//go:build unix

package background_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A background workbench", func() {
	It("ends when it is told to, also with a host that does not read", func(ctx SpecContext) {
		folder := spec.Must(os.MkdirTemp("", "bg")) // the path of a socket is short
		DeferCleanup(os.RemoveAll, folder)
		socket := spec.Must(net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(folder, "s")}))
		full := make(chan struct{})
		listener := &background.Listener{Key: "key", Log: slog.New(slog.DiscardHandler), Serve: func(ctx context.Context, host *background.Host) {
			fill(host.Output)
			close(full)
			<-ctx.Done()
		}}
		running, stop := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			listener.Run(running, socket)
		}()
		host := spec.Must(net.Dial("unix", socket.Addr().String()))
		DeferCleanup(host.Close)
		_, err := fmt.Fprintln(host, `{"key":"key","do":"serve"}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(bufio.NewReader(host).ReadString('\n')).To(ContainSubstring(`"pid"`))
		Expect(io.WriteString(host, "\x00")).Error().NotTo(HaveOccurred()) // with which a bridge sends its standard error
		Eventually(ctx, full).Should(BeClosed())

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
