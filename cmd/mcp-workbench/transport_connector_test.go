package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/plugins"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// failing is a transport whose attempts fail.
type failing struct{ err error }

func (failing) Settings() any { return struct{}{} }

func (failing) Check(json.RawMessage) error { return nil }

func (failing) Traits(json.RawMessage) domain.Traits { return domain.Traits{} }

func (f failing) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return nil, f.err
}

var _ = Describe("The connector", func() {
	pipe, network := errors.New("over a pipe"), errors.New("over the network")
	connector := newTransportConnector(map[string]ports.Transport{"stdio": failing{pipe}, "http": failing{network}})
	connect := func(kind string) error {
		_, err := connector.Connect(context.Background(), domain.Server{Transport: kind}, nil, nil)
		return err
	}

	It("connects to a server by the transport of its kind", func() {
		Expect(connect("stdio")).To(BeIdenticalTo(pipe))
		Expect(connect("http")).To(BeIdenticalTo(network))
	})

	It("starts no server of a plugin whose bytes differ from those that the user saw", func() {
		path := filepath.Join(GinkgoT().TempDir(), "server")
		Expect(os.WriteFile(path, []byte("1"), 0o600)).To(Succeed())
		server := domain.Server{Transport: "stdio", Files: map[string]string{path: plugins.DigestOf(path), path + ".cmd": "none"}}
		_, err := connector.Connect(context.Background(), server, nil, nil)
		Expect(err).To(BeIdenticalTo(pipe))

		Expect(os.WriteFile(path, []byte("2"), 0o600)).To(Succeed())
		_, err = connector.Connect(context.Background(), server, nil, nil)
		Expect(domain.Reason(err)).To(Equal("its plugin changed since it was trusted (" + path + ")"))
	})

	It("names the kinds that it knows when it does not know a server's", func() {
		err := connect("tcp")

		Expect(err).To(MatchError(domain.ErrServerUnavailable))
		Expect(domain.Reason(err)).To(Equal("no transport of the kind 'tcp' (known: http, stdio)"))
	})
})

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
		connector := newTransportConnector(map[string]ports.Transport{"counting": transport})
		Expect(runtime.GOMAXPROCS(0)).To(Equal(1))

		_, err := connector.Connect(context.Background(), domain.Server{Transport: "counting"}, nil, nil)

		Expect(err).To(MatchError(domain.ErrShuttingDown))
		Expect(transport.processors).To(Equal(4))
	})
})
