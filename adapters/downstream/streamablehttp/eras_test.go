package streamablehttp_test

import (
	"context"
	"net/http"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/contract"
)

var _ = Describe("A server of an unknown era over http", func() {
	// methods returns the first messages that the server got.
	methods := func(s *raw, count int) []string {
		s.mu.Lock()
		defer s.mu.Unlock()
		var methods []string
		for _, request := range s.requests[:count] {
			methods = append(methods, request.method)
		}
		return methods
	}
	discovers := func(w http.ResponseWriter, _ *http.Request, id string) {
		answer(w, id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
	}

	It("is first asked in 2026-07-28, with its headers, and nothing more if it supports that", func() {
		server := newRaw(map[string]handler{"server/discover": discovers})

		use(connect(server), "read")

		Expect(methods(server, 2)).To(Equal([]string{"server/discover", "tools/call"}))
		for _, request := range server.requests {
			Expect(request.header.Get("Mcp-Protocol-Version")).To(Equal("2026-07-28"))
			Expect(request.header.Get("Mcp-Method")).To(Equal(request.method))
		}
	})

	DescribeTable("gets a handshake without 2026-07-28 headers if it answers", func(refused handler) {
		server := newRaw(map[string]handler{"server/discover": refused})

		use(connect(server), "read")

		hello := server.heard("initialize")[0].header
		Expect(hello).NotTo(HaveKey("Mcp-Protocol-Version"))
		Expect(hello).NotTo(HaveKey("Mcp-Method"))
		Expect(server.heard("tools/call")[0].header.Get("Mcp-Protocol-Version")).To(Equal("2025-11-25"))
		Expect(server.heard("tools/call")[0].header).NotTo(HaveKey("Mcp-Method"))
		Expect(server.heard("notifications/cancelled")).To(BeEmpty())
	},
		Entry("that a session is missing", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 400, "application/json", `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`)
		})),
		Entry("that it does not know the version", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 400, "text/plain", "Unsupported MCP-Protocol-Version")
		})),
		Entry("that it failed", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 500, "text/html", "<html>")
		})),
		Entry("that it accepted a message", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.WriteHeader(http.StatusAccepted)
		})),
		Entry("by cutting the connection", handler(func(http.ResponseWriter, *http.Request, string) { cut() })),
		Entry("by a silent stream", handler(func(w http.ResponseWriter, r *http.Request, _ string) {
			stream(w, ": wait")
			<-r.Context().Done()
		})),
	)

	It("is asked again with the newest version that its refusal names", Label("S28"), func() {
		var asked atomic.Int64
		server := newRaw(map[string]handler{"initialize": func(w http.ResponseWriter, _ *http.Request, id string) {
			if asked.Add(1) == 1 {
				refuse(w, 400, "text/plain", "Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26)")
				return
			}
			answer(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`)
		}})

		use(connect(server), "read")

		Expect(server.heard("initialize")).To(HaveLen(2))
		Expect(server.heard("tools/call")).To(HaveLen(1))
	})

	It("is not asked again on the next connection", func() {
		server := newRaw(nil)
		transport := newTransport()
		settings := []byte(`{"url":"` + server.URL + `"}`)
		for range 2 {
			session, err := transport.Connect(context.Background(), domain.Server{
				ID: domain.ServerID{Toolbox: "dev", Server: "far"}, Settings: settings, Limits: domain.DefaultLimits(),
			}, &host{}, contract.OpenPolicy{})
			Expect(err).NotTo(HaveOccurred())
			closeSession(session)
		}

		Expect(server.heard("server/discover")).To(HaveLen(1))
		Expect(server.heard("initialize")).To(HaveLen(2))
	})
})
