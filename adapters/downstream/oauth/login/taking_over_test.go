package login_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// reach returns nil once a link is served.
func reach(link string) error {
	GinkgoHelper()
	address := spec.Must(url.Parse(link))
	connection, err := net.Dial("tcp", address.Host)
	if err == nil {
		err = connection.Close()
	}
	return err
}

// changePending changes the request of a login in the file that processes share.
func (p process) changePending(ctx context.Context, server domain.Server, change func(*logins.Pending)) {
	GinkgoHelper()
	key := spec.Must(oauth.ServerOf(server)).Key()
	Expect(p.client.Store.Update(ctx, key, func(record *logins.Record) error {
		change(record.Pending)
		return nil
	})).To(Succeed())
}

var _ = Describe("A login whose link another process serves", func() {
	It("is taken over from a process that has ended, with its link and the page that is open", func(ctx SpecContext) {
		m := newMachine()
		owner, other, third := m.process(), m.process(), m.process()
		first := owner.begins(ctx, m.server("files", ""))
		second := other.begins(ctx, m.server("files", ""))
		Expect(third.begins(ctx, m.server("files", "")).Link).To(Equal(first.Link))
		_, page := fetch(ctx, first.Link, "", false)

		owner.Close()

		Eventually(ctx, func() error { return reach(second.Link) }).Should(Succeed())
		_, again := fetch(ctx, second.Link, "", false)
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
		owner.begins(ctx, m.server("files", ""))
		taken := spec.Must(net.Listen("tcp", "127.0.0.1:0"))
		DeferCleanup(taken.Close)
		owner.changePending(ctx, m.server("files", ""), func(pending *logins.Pending) {
			pending.RedirectURI = "http://" + taken.Addr().String() + "/callback"
		})
		second := other.begins(ctx, m.server("files", ""))

		owner.Close()

		Eventually(ctx, func() error { return reach(second.Link) }).Should(Succeed())
		_, shown := browse(ctx, second.Link)
		Expect(shown).To(ContainSubstring("You are logged in to dev/files."))
		Eventually(ctx, second.Done).Should(BeClosed())
		Expect(second.Err()).NotTo(HaveOccurred())
	})
})

var _ = Describe("The link of another process", func() {
	It("is not shown when another program took its port", func(ctx SpecContext) {
		m := newMachine()
		p := m.process()
		p.begins(ctx, m.server("files", ""))
		foreign := httptest.NewServer(http.RedirectHandler("https://evil.example/login", http.StatusFound))
		DeferCleanup(foreign.Close)
		p.changePending(ctx, m.server("files", ""), func(pending *logins.Pending) { pending.Link = foreign.URL + "/link" })

		second := m.process().begins(ctx, m.server("files", ""))

		Expect(second.Link).NotTo(HavePrefix(foreign.URL))
	})

	It("is not shown when it leads to another machine", func(ctx SpecContext) {
		m := newMachine()
		p := m.process()
		first := p.begins(ctx, m.server("files", ""))
		link := strings.Replace(first.Link, "http://127.0.0.1:", "http://127.0.0.1:1@127.0.0.1:", 1)
		p.changePending(ctx, m.server("files", ""), func(pending *logins.Pending) { pending.Link = link })

		Expect(m.process().begins(ctx, m.server("files", "")).Link).NotTo(ContainSubstring("@"))
	})
})
