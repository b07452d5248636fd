package main

import (
	"context"
	"log/slog"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// seeing is a transport that notes how many processors there are when it is used.
type seeing struct {
	ports.Transport
	processors int
}

func (s *seeing) Connect(context.Context, domain.Server, ports.Host) (ports.Session, error) {
	s.processors = runtime.GOMAXPROCS(0)
	return nil, domain.ErrShuttingDown
}

var _ = Describe("Processors for blocked reads", func() {
	It("are there before the first server, whatever its kind, and no sooner", func() {
		DeferCleanup(runtime.GOMAXPROCS, runtime.GOMAXPROCS(1))
		transport := &seeing{}
		transports := newTransports("1", nil, nil, slog.New(slog.DiscardHandler))
		transports["seeing"] = transport
		connector := newPlainConnector(downstream.NewRegistry(transports))
		Expect(runtime.GOMAXPROCS(0)).To(Equal(1))

		_, err := connector.Connect(context.Background(), domain.Server{Transport: "seeing"}, nil)

		Expect(err).To(MatchError(domain.ErrShuttingDown))
		Expect(transport.processors).To(Equal(minProcs))
	})
})
