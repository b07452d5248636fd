package logins_test

import (
	"context"
	"io/fs"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// block makes the login's file one that cannot be replaced, until the returned function is called.
func (p place) block() (unblock func()) {
	GinkgoHelper()
	Expect(os.Remove(p.File(team))).To(Succeed())
	Expect(os.Mkdir(p.File(team), 0o700)).To(Succeed())
	return func() { Expect(os.Remove(p.File(team))).To(Succeed()) }
}

var _ = Describe("A login that cannot be written", func() {
	It("is not refreshed, since there is no room for the answer", func(ctx context.Context) {
		p, server := newPlace(), &endpoint{}
		p.write(ctx, team, loggedIn)
		aside := p.directory + ".aside"

		_, err := p.Refresh(ctx, team, func(logins.Record) bool { return os.Rename(p.directory, aside) == nil }, server.send)

		Expect(err).To(MatchError(fs.ErrNotExist))
		Expect(server.sent).To(BeEmpty())
		Expect(os.Rename(aside, p.directory)).To(Succeed())
		Expect(p.names()).To(HaveLen(2), "the login and its lock")
		Expect(p.Refresh(ctx, team, always, func(sending context.Context, record logins.Record) (logins.Tokens, error) {
			Expect(p.names()).To(HaveLen(3), "and the room")
			return server.send(sending, record)
		})).To(HaveField("AccessToken", "access-2"))
		Expect(p.names()).To(HaveLen(2))
	})

	It("is kept in memory if the answer cannot be written, where no other process uses the old one, and is written later", func(ctx context.Context) {
		p, server := newPlace(), &endpoint{}
		p.write(ctx, team, loggedIn)
		var unblock func()

		Expect(p.Refresh(ctx, team, always, func(sending context.Context, record logins.Record) (logins.Tokens, error) {
			unblock = p.block()
			return server.send(sending, record)
		})).To(HaveField("AccessToken", "access-2"))

		Expect(p.Read(team)).To(HaveField("AccessToken", "access-2"))
		Expect(p.Ready(ctx, team)).To(MatchError(ContainSubstring("only in memory")))
		impatient, giveUp := context.WithCancel(ctx)
		held := make(chan error, 1)
		go func() {
			_, err := p.another().Refresh(impatient, team, always, server.send)
			held <- err
		}()
		Consistently(held, "50ms").ShouldNot(Receive())
		giveUp()
		Eventually(ctx, held).Should(Receive(MatchError(context.Canceled)))
		p.write(ctx, team, func(record *logins.Record) { record.Requested = []string{"read"} })
		unblock()
		p.Wait(ctx)

		Expect(p.another().Read(team)).To(And(HaveField("RefreshToken", "refresh-2"), HaveField("Refreshing", BeNil()), HaveField("Requested", HaveLen(1))))
		Expect(p.another().Refresh(ctx, team, always, server.send)).To(HaveField("AccessToken", "access-3"))
		Expect(server.sent).To(Equal([]string{"refresh-1", "refresh-2"}))
		Expect(p.Ready(ctx, team)).To(Succeed())
	})

	It("is kept in memory when it was just made", func(ctx context.Context) {
		p := newPlace()
		p.write(ctx, team, func(record *logins.Record) { record.Issuer = "https://login.example" })
		var unblock func()
		p.write(ctx, team, func(record *logins.Record) {
			unblock = p.block()
			loggedIn(record)
		})
		Expect(p.Read(team)).To(HaveField("AccessToken", "access-1"))
		unblock()
		Expect(p.another().Read(team)).To(HaveField("AccessToken", ""))
		p.Wait(ctx)
		Expect(p.another().Read(team)).To(HaveField("AccessToken", "access-1"))
	})
})
