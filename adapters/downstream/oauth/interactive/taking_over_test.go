package interactive_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

// reachable returns nil once a link is served.
func reachable(link string) error {
	GinkgoHelper()
	address := spec.Must(url.Parse(link))
	connection, err := net.Dial("tcp", address.Host)
	if err == nil {
		err = connection.Close()
	}
	return err
}

var _ = Describe("A login whose link another process serves", func() {
	It("is taken over from a process that has ended, with its link and the page that is open", func(ctx SpecContext) {
		m := newMachine()
		owner, other, third := m.process(), m.process(), m.process()
		first := owner.begins(ctx, m.server("files", ""))
		second := other.begins(ctx, m.server("files", ""))
		Expect(third.begins(ctx, m.server("files", "")).Link).To(Equal(first.Link))
		_, page := fetch(ctx, http.MethodGet, first.Link, "", false)

		owner.Close()

		Eventually(ctx, func() error { return reachable(second.Link) }).Should(Succeed())
		_, again := fetch(ctx, http.MethodGet, second.Link, "", false)
		Expect(again).To(Equal(page))
		Expect(other.begins(ctx, m.server("files", ""))).To(And(HaveField("Link", first.Link), HaveField("URL", page)))
		_, shown := browse(ctx, page)
		Expect(shown).To(ContainSubstring("You are logged in to dev/files."))
		Eventually(ctx, second.Done).Should(BeClosed())
		Expect(second.Err()).NotTo(HaveOccurred())
		Expect(m.authority.Asked("token")).To(HaveLen(1))
	})

	It("is begun again behind its link when the port of the answer is in use", func(ctx SpecContext) {
		m := newMachine()
		owner, other := m.process(), m.process()
		first := owner.begins(ctx, m.server("files", ""))
		second := other.begins(ctx, m.server("files", ""))
		address := spec.Must(url.Parse(first.URL))
		redirect := spec.Must(url.Parse(address.Query().Get("redirect_uri")))

		owner.Close()
		taken, err := net.Listen("tcp", redirect.Host)
		if err != nil {
			Skip("the login was taken over before the port could be")
		}
		DeferCleanup(taken.Close)

		Eventually(ctx, func() error { return reachable(second.Link) }).Should(Succeed())
		_, shown := browse(ctx, second.Link)
		Expect(shown).To(ContainSubstring("You are logged in to dev/files."))
		Eventually(ctx, second.Done).Should(BeClosed())
		Expect(second.Err()).NotTo(HaveOccurred())
	})
})

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
