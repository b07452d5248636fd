package downstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

func TestDownstream(t *testing.T) { spec.Run(t, "The registry of transports") }

// failing is a transport whose attempts fail.
type failing struct{ err error }

func (failing) Keys() []string { return nil }

func (failing) Check(json.RawMessage) error { return nil }

func (failing) Traits(json.RawMessage) domain.Traits { return domain.Traits{} }

func (f failing) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return nil, f.err
}

var _ = Describe("The registry of transports", func() {
	pipe, network := errors.New("over a pipe"), errors.New("over the network")
	registry := downstream.NewRegistry(map[string]ports.Transport{"stdio": failing{pipe}, "http": failing{network}})
	connect := func(kind string) error {
		_, err := registry.Connect(context.Background(), domain.Server{Transport: kind}, nil, nil)
		return err
	}

	It("connects to a server by the transport of its kind", func() {
		Expect(connect("stdio")).To(BeIdenticalTo(pipe))
		Expect(connect("http")).To(BeIdenticalTo(network))
	})

	It("names the kinds that it knows when it does not know a server's", func() {
		err := connect("tcp")

		Expect(err).To(MatchError(domain.ErrServerUnavailable))
		Expect(domain.Reason(err)).To(Equal("no transport of the kind 'tcp' (known: http, stdio)"))
	})
})
