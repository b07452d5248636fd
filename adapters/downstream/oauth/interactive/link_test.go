package interactive_test

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The link of another process", func() {
	It("is not shown when another program took its port", func(ctx SpecContext) {
		m := newMachine()
		server := spec.Must(oauth.ServerOf(m.server("files", "")))
		p := m.process()
		p.begins(ctx, m.server("files", ""))
		foreign := httptest.NewServer(http.RedirectHandler("https://evil.example/login", http.StatusFound))
		DeferCleanup(foreign.Close)
		Expect(p.client.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
			record.Pending.Link = foreign.URL + "/link"
			return nil
		})).To(Succeed())

		second := m.process().begins(ctx, m.server("files", ""))

		Expect(second.Link).NotTo(HavePrefix(foreign.URL))
	})

	It("is not shown when it leads to another machine", func(ctx SpecContext) {
		m := newMachine()
		server := spec.Must(oauth.ServerOf(m.server("files", "")))
		p := m.process()
		first := p.begins(ctx, m.server("files", ""))
		link := strings.Replace(first.Link, "http://127.0.0.1:", "http://127.0.0.1:1@127.0.0.1:", 1)
		Expect(p.client.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
			record.Pending.Link = link
			return nil
		})).To(Succeed())

		Expect(m.process().begins(ctx, m.server("files", "")).Link).NotTo(ContainSubstring("@"))
	})
})
