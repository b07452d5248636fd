package login_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The list of logins", func() {
	key := logins.Key{Server: "https://files.example.com/mcp", ClientID: "desk", Account: "ann"}

	list := func(ctx context.Context, record logins.Record) (text, asJSON string) {
		GinkgoHelper()
		store := logins.New(GinkgoT().TempDir(), slog.New(slog.DiscardHandler), func(string) {})
		Expect(store.Update(ctx, key, func(changed *logins.Record) error {
			record.Version, record.Key = changed.Version, changed.Key
			*changed = record
			return nil
		})).To(Succeed())
		show := func(asJSON bool) string {
			path := filepath.Join(GinkgoT().TempDir(), "out")
			file := spec.Must(os.Create(path))
			usedBy := map[logins.Key][]string{key: {"dev/files", "home/files"}}
			Expect(login.Show(store, usedBy, terminal.NewConsole(os.Stdin, file, file).Out, asJSON)).To(Succeed())
			Expect(file.Close()).To(Succeed())
			return string(spec.Must(os.ReadFile(path)))
		}
		return show(false), show(true)
	}

	DescribeTable("says whether a login can be used, and what happens when it expires",
		func(ctx SpecContext, record logins.Record, state string, expires string) {
			record.AccessToken = "secret"
			text, asJSON := list(ctx, record)
			Expect(asJSON).To(ContainSubstring(`"state":"` + state + `"`))
			Expect(text).To(MatchRegexp(`expires +` + expires + `\n`))
		},
		Entry("for as long as the server accepts it", logins.Record{}, "valid", "unknown"),
		Entry("until it expires", logins.Record{Expiry: time.Now().Add(time.Hour)}, "valid", `\d{4}-\d\d-\d\d \d\d:\d\d`),
		Entry("with a refresh token", logins.Record{Expiry: time.Now().Add(time.Hour), RefreshToken: "r"}, "valid", ".* it is renewed automatically"),
		Entry("that is renewed at the next use", logins.Record{Expiry: time.Now().Add(-time.Hour), RefreshToken: "r"}, "expired", ".* it is renewed automatically"),
		Entry("that is over", logins.Record{Expiry: time.Now().Add(-time.Hour)}, "ended", ".*; log in again"),
		Entry("that the authorization server ended", logins.Record{RefreshToken: "r", Ended: "the user revoked it"}, "ended", "unknown; log in again: the user revoked it"),
	)

	It("has the server, what uses it, the account and the scopes, and no token", func(ctx SpecContext) {
		text, asJSON := list(ctx, logins.Record{TokenSource: logins.TokenSource{Issuer: "https://login.example.com"}, Granted: []string{"read", "write"}, AccessToken: "secret", RefreshToken: "secret"})

		Expect(text).To(HavePrefix("https://files.example.com/mcp\n"))
		Expect(text).To(And(ContainSubstring("dev/files, home/files\n"), ContainSubstring("https://login.example.com\n"), ContainSubstring("ann\n"), ContainSubstring("read write\n")))
		Expect(asJSON).To(And(ContainSubstring(`"clientId":"desk"`), ContainSubstring(`"renewable":true`)))
		Expect(text + asJSON).NotTo(ContainSubstring("secret"))
	})

	It("leaves out attempts that were not completed", func(ctx SpecContext) {
		text, asJSON := list(ctx, logins.Record{TokenSource: logins.TokenSource{Issuer: "https://login.example.com"}})

		Expect(asJSON).To(Equal(`{"logins":[]}` + "\n"))
		Expect(text).To(ContainSubstring("'mcp-workbench login TOOLBOX/SERVER' logs in"))
	})
})
