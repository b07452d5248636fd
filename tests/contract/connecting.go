package contract

import (
	"context"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/fixtures/script"
)

// modern returns a server that speaks 2026-07-28 only. Its other rules come after
// those.
func modern(discovered string, rules ...script.Rule) script.Script {
	return script.Script{Rules: append([]script.Rule{
		{Method: "initialize", Do: []script.Step{{Error: `{"code":-32601,"message":"Method not found"}`}}},
		{Method: "server/discover", Do: []script.Step{{Result: discovered}}},
	}, rules...)}
}

// unavailable returns the reason of an error, which must be a *domain.ServerUnavailableError.
func unavailable(err error) string {
	GinkgoHelper()
	failure, ok := errors.AsType[*domain.ServerUnavailableError](err)
	Expect(ok).To(BeTrue(), "another kind of error: %v", err)
	Expect(failure.ID).To(Equal(id))
	Expect(failure.Reason).To(HaveOccurred())
	return failure.Reason.Error()
}

func describeConnecting(on *trial) {
	ctx := context.Background()

	Context("connecting", func() {
		It("tells the server the capabilities of the host in each request, if its version has them there", func() {
			on.host.capabilities = `{"roots":{ "listChanged":true },"x":1.0}`
			session := on.play(modern(`{"capabilities":{"tools":{}},"supportedVersions":["2026-07-28"]}`,
				script.Answer("read", script.Text("done"))))

			on.use(session, "read")

			for _, method := range []string{"server/discover", "tools/call"} {
				Expect(member(on.hears(method), "params", "_meta", "io.modelcontextprotocol/clientCapabilities")).To(Equal(on.host.capabilities))
			}
		})

		It("reaches a server of 2026-07-28, and says so in every request", func() {
			session := on.play(modern(`{"capabilities":{"tools":{}},"supportedVersions":["2026-07-28"]}`,
				script.Answer("read", script.Text("done"))))

			Expect(on.use(session, "read")).To(Equal(script.Text("done")))

			called := on.hears("tools/call")
			Expect(member(called, "params", "_meta", "io.modelcontextprotocol/protocolVersion")).To(Equal(`"2026-07-28"`))
			Expect(on.heard("notifications/initialized")).To(BeEmpty())
		})

		It("returns what the server declared", func() {
			session := on.play(script.Script{Capabilities: `{"tools":{},"resources":{"subscribe":true},"logging":null}`})

			Expect(session.Declares("tools")).To(BeTrue())
			Expect(session.Declares("resources", "subscribe")).To(BeTrue())
			Expect(session.Declares("resources", "listChanged")).To(BeFalse())
			Expect(session.Declares("logging")).To(BeFalse())
			Expect(session.Declares("prompts")).To(BeFalse())
		})

		It("bounds the attempt by the context, not the session", func() {
			attempt, end := context.WithCancel(ctx)
			session, err := on.harness.Transport().Connect(attempt, on.serve(answeringServer()), on.host, OpenPolicy{})
			Expect(err).NotTo(HaveOccurred())
			on.sessions = append(on.sessions, session)

			end()

			Expect(on.use(session, "read")).To(Equal(script.Text("done")))
			Expect(session.Done()).NotTo(BeClosed())
		})

		It("creates a new session each time", func() {
			server := on.serve(answeringServer())
			first, second := on.connect(server), on.connect(server)

			on.close(first)

			Expect(first.Done()).To(BeClosed())
			Expect(second.Done()).NotTo(BeClosed())
			Expect(on.use(second, "read")).To(Equal(script.Text("done")))
		})
	})

	Context("failing to connect", func() {
		It("says why if there is no server", func() {
			unavailable(on.refused(ctx, on.server(on.harness.Unreachable())))
		})

		It("says why if the server refuses", func() {
			err := on.refused(ctx, on.serve(script.Script{Rules: []script.Rule{
				{Method: "*", Do: []script.Step{{Error: `{"code":-32000,"message":"no licence"}`}}},
			}}))

			Expect(unavailable(err)).To(ContainSubstring("no licence"))
		})

		It("says why if the connection breaks during the handshake", func() {
			server := on.serve(script.Script{Rules: []script.Rule{{Method: "*", Do: []script.Step{on.hang()}}}})
			on.once("initialize", on.harness.Break)

			unavailable(on.refused(ctx, server))
		})

		It("shows no secret in the reason", func() {
			server := on.serve(script.Script{Rules: []script.Rule{
				{Method: "*", Do: []script.Step{{Error: `{"code":-32000,"message":"bad token hunter2hunter2"}`}}},
			}})
			server.Secrets = domain.Secrets{{Value: "hunter2hunter2", Shown: "${TOKEN}"}}

			reason := unavailable(on.refused(ctx, server))

			Expect(reason).To(ContainSubstring("bad token ${TOKEN}"))
		})

		It("gives up when the context ends", func() {
			server := on.serve(script.Script{Rules: []script.Rule{{Method: "*", Do: []script.Step{on.hang()}}}})
			attempt, end := context.WithCancel(ctx)
			on.once("initialize", end)

			Expect(on.refused(attempt, server)).To(MatchError(context.Canceled))
		})
	})
}

// describeOlderHandshake is about the handshake of versions before 2026-07-28.
func describeOlderHandshake(on *trial) {
	Context("making the handshake", func() {
		It("tells the server the capabilities of the host", func() {
			on.host.capabilities = `{"roots":{ "listChanged":true },"x":1.0}`

			session := on.play(script.Script{})

			Expect(session.Done()).NotTo(BeClosed())
			hello := on.hears("initialize")
			Expect(member(hello, "params", "capabilities")).To(Equal(on.host.capabilities))
			Expect(member(hello, "params", "protocolVersion")).To(Equal(`"2025-11-25"`))
			Expect(on.hears("notifications/initialized")).NotTo(BeEmpty())
		})

		It("says why if the server speaks only unknown versions", func() {
			err := on.refused(context.Background(), on.serve(script.Script{Version: "1999-12-31"}))

			Expect(unavailable(err)).To(ContainSubstring("1999-12-31"))
		})
	})
}

// answeringServer returns a server that answers every call with "done".
func answeringServer() script.Script {
	return script.Script{
		Tools: []string{script.Tool("read")},
		Rules: []script.Rule{script.Answer("", script.Text("done"))},
	}
}
