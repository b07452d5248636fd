package application_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Configurations that are reloaded at random moments", func() {
	It("lose no call and leak no server, whatever changes when", func() {
		for seed := range spec.Seeds() {
			spec.Bubble(func(t *testing.T) { reloadAtRandom(t, rand.New(rand.NewPCG(seed, 7))) })
		}
	})
})

// reloadAtRandom reads random configurations of three servers while slow calls are
// under way, and checks the promises of the workbench.
func reloadAtRandom(t *testing.T, chance *rand.Rand) {
	whole := toolbox("dev", "a", "b", "c")
	stays := toolbox("ops", "stays")
	w := startReloading(t, configurationOf(whole, stays))
	for _, server := range w.servers {
		server.startup = time.Duration(chance.IntN(30)) * time.Millisecond
		server.closing = time.Duration(chance.IntN(30)) * time.Millisecond
		server.calls = func(call ports.ToolCall, reply ports.Reply) {
			time.AfterFunc(time.Duration(len(call.Arguments))*time.Millisecond, func() { reply(ports.Answer{Result: call.Arguments}, nil) })
		}
	}
	w.opens("dev")
	w.opens("ops")
	var calls []*outcome
	inForce := whole
	for step := range 80 {
		switch chance.IntN(4) {
		case 0:
			inForce = whole
			inForce.Servers = slices.Clone(whole.Servers)
			for i := range inForce.Servers {
				inForce.Servers[i].Settings = fmt.Appendf(nil, `{"a":%d}`, chance.IntN(2))
			}
			inForce.Servers = slices.Delete(inForce.Servers, 0, chance.IntN(3))
			w.reads(configurationOf(inForce, stays))
		case 1:
			time.Sleep(time.Duration(chance.IntN(40)) * time.Millisecond)
		default:
			server := []domain.ServerName{"a", "b", "c", "stays"}[chance.IntN(4)]
			id := domain.ToolIdentifier{Toolbox: "dev", Server: server, Tool: "read"}
			if server == "stays" {
				id.Toolbox = "ops"
			}
			arguments := fmt.Sprintf(`{"step":%d,"more":%q}`, step, make([]byte, chance.IntN(20)))
			calls = append(calls, w.useWith(t.Context(), id, ports.ToolCall{Arguments: []byte(arguments)}))
		}
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	for _, call := range calls {
		times, _, err := call.received()
		Expect(times).To(Equal(1))
		if err != nil {
			Expect(err).To(MatchError(domain.ErrServerNotFound), "of a server that was removed")
		}
	}
	Expect(w.servers[domain.ServerID{Toolbox: "ops", Server: "stays"}].started()).To(Equal(1))
	for id, server := range w.servers {
		exists := id.Toolbox == "ops" || slices.ContainsFunc(inForce.Servers, func(s domain.Server) bool { return s.ID == id })
		Expect(server.living()).To(BeNumerically("<=", map[bool]int{true: 1}[exists]), "sessions of %v", id)
	}
	w.close(time.Minute)
	for id, server := range w.servers {
		Expect(server.living()).To(Equal(0), "sessions of %v", id)
	}
}
