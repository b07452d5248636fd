package login_test

import (
	"bytes"
	"context"
	"log/slog"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

var _ = Describe("The list of logins", func() {
	key := logins.Key{Server: "https://files.example.com/mcp", ClientID: "desk", Account: "ann"}

	list := func(ctx context.Context, record logins.Record) (shown []login.Shown, text string) {
		GinkgoHelper()
		store := logins.New(GinkgoT().TempDir(), slog.New(slog.DiscardHandler), func(string) {})
		Expect(store.Update(ctx, key, func(changed *logins.Record) error {
			record.Version, record.Key = changed.Version, changed.Key
			*changed = record
			return nil
		})).To(Succeed())
		shown, err := login.List(store, map[logins.Key][]string{key: {"dev/files", "home/files"}})
		Expect(err).NotTo(HaveOccurred())
		var out bytes.Buffer
		Expect(login.Print(&out, shown)).To(Succeed())
		return shown, out.String()
	}

	DescribeTable("says whether a login can be used, and what happens when it expires",
		func(ctx SpecContext, record logins.Record, state string, expires string) {
			record.AccessToken = "secret"
			shown, text := list(ctx, record)
			Expect(shown).To(HaveLen(1))
			Expect(shown[0].State).To(BeEquivalentTo(state))
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
		shown, text := list(ctx, logins.Record{Issuer: "https://login.example.com", Granted: []string{"read", "write"}, AccessToken: "secret", RefreshToken: "secret"})

		Expect(text).To(HavePrefix("https://files.example.com/mcp\n"))
		Expect(text).To(And(ContainSubstring("dev/files, home/files\n"), ContainSubstring("https://login.example.com\n"), ContainSubstring("ann\n"), ContainSubstring("read write\n")))
		var asJSON bytes.Buffer
		Expect(login.PrintJSON(&asJSON, shown)).To(Succeed())
		Expect(asJSON.String()).To(And(ContainSubstring(`"clientId":"desk"`), ContainSubstring(`"renewable":true`)))
		Expect(text + asJSON.String()).NotTo(ContainSubstring("secret"))
	})

	It("leaves out attempts that were not completed", func(ctx SpecContext) {
		shown, text := list(ctx, logins.Record{Issuer: "https://login.example.com"})

		Expect(shown).To(BeEmpty())
		Expect(text).To(ContainSubstring("'mcp-workbench login TOOLBOX/SERVER' logs in"))
	})
})
