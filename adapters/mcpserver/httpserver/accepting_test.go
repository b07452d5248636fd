package httpserver_test

import (
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/mcpserver/httpserver"
	"mcp-workbench/tests/spec"
)

// failingListener accepts nothing.
type failingListener struct {
	net.Listener
	err error
}

func (l failingListener) Accept() (net.Conn, error) { return nil, l.err }

var _ = Describe("Connections that cannot be accepted", func() {
	It("are logged once a minute", spec.InBubble(func(*testing.T) {
		log := gbytes.NewBuffer()
		listener := httpserver.WarnRefused(failingListener{err: syscall.EMFILE}, slog.New(slog.NewTextHandler(log, nil)))
		lines := func() int {
			return strings.Count(string(log.Contents()), "level=WARN msg=\"connections of hosts cannot be accepted")
		}

		for range 100 {
			_, err := listener.Accept()
			Expect(err).To(MatchError(syscall.EMFILE))
		}
		Expect(lines()).To(Equal(1))
		time.Sleep(time.Minute)
		_, _ = listener.Accept() // it fails as before
		Expect(lines()).To(Equal(2))
	}))

	It("are not logged at the end", func() {
		log := gbytes.NewBuffer()
		listener := httpserver.WarnRefused(failingListener{err: net.ErrClosed}, slog.New(slog.NewTextHandler(log, nil)))

		_, err := listener.Accept()
		Expect(err).To(MatchError(net.ErrClosed))
		Expect(log.Contents()).To(BeEmpty())
	})
})
