package logins_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

var _ = Describe("The secrets of a login", func() {
	It("are passed on, and never printed", func(ctx context.Context) {
		p := newPlace()
		p.write(ctx, team, func(record *logins.Record) {
			loggedIn(record)
			record.ClientSecret = "secret-1"
			record.Registrations = map[string]logins.Registration{"https://login.example": {ClientID: "me", ClientSecret: "secret-2"}}
			record.Pending = &logins.Pending{State: "state-1", Verifier: "verifier-1", ClientSecret: "secret-3"}
		})
		secrets := []string{"access-1", "refresh-1", "secret-1", "secret-2", "verifier-1", "secret-3"}
		Expect(p.hidden.values).To(ContainElements(secrets))
		Expect(p.hidden.values).NotTo(ContainElement("state-1"), "it is in an address that people read")
		secrets = append(secrets, "state-1")

		record, err := p.Read(team)
		Expect(err).NotTo(HaveOccurred())
		var printed bytes.Buffer
		log := slog.New(slog.NewTextHandler(&printed, nil))
		tokens := logins.Tokens{AccessToken: "access-1", RefreshToken: "refresh-1"}
		log.Info("login", "record", record, "pointer", &record, "registrations", record.Registrations, "pending", record.Pending, "tokens", tokens)
		fmt.Fprintf(&printed, "%v %+v %#v %s %q %v", record, &record, record, record, tokens, []any{tokens, record.Pending})
		for _, secret := range secrets {
			Expect(printed.String()).NotTo(ContainSubstring(secret))
		}
		Expect(strings.Count(printed.String(), "login at https://team.example/mcp")).To(BeNumerically(">=", 4))
	})
})
