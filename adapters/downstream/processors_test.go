package downstream_test

import (
	"context"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// countingProcessors is a transport that notes how many processors there are when it is used.
type countingProcessors struct {
	ports.Transport
	processors int
}

func (c *countingProcessors) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	c.processors = runtime.GOMAXPROCS(0)
	return nil, domain.ErrShuttingDown
}

var _ = Describe("Processors for blocked reads", func() {
	It("are there before the first server, whatever its kind, and no sooner", func() {
		DeferCleanup(runtime.GOMAXPROCS, runtime.GOMAXPROCS(1))
		transport := &countingProcessors{}
		registry := downstream.NewRegistry(map[string]ports.Transport{"counting": transport})
		Expect(runtime.GOMAXPROCS(0)).To(Equal(1))

		_, err := registry.Connect(context.Background(), domain.Server{Transport: "counting"}, nil, nil)

		Expect(err).To(MatchError(domain.ErrShuttingDown))
		Expect(transport.processors).To(Equal(4))
	})
})
