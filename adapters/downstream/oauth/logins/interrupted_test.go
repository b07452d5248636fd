package logins_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

var _ = Describe("An interrupted refresh", func() {
	var (
		p      place
		server *endpoint
	)
	BeforeEach(func(ctx context.Context) {
		p, server = newPlace(), &endpoint{}
		p.write(ctx, team, loggedIn)
	})

	Context("when the connection is cut", func() {
		It("sends the token once more, and keeps the login where the server allows that", func(ctx context.Context) {
			server.answers = []error{logins.ErrUnanswered}
			Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("AccessToken", "access-3"))
			Expect(server.sent).To(Equal([]string{"refresh-1", "refresh-1"}))
			Expect(p.another().Read(team)).To(HaveField("Refreshing", BeNil()))
		})

		It("ends the login where the server refuses the second use", func(ctx context.Context) {
			server.answers = []error{logins.ErrUnanswered, logins.ErrRefused}
			for range 2 {
				_, err := p.Refresh(ctx, team, always, server.send)
				Expect(err).To(MatchError("the login has ended: the authorization server refused the refresh token, which was sent before by a process that was interrupted"))
			}
			Expect(server.sent).To(HaveLen(2))
		})

		It("does not end the login while the server gives no verdict", func(ctx context.Context) {
			server.answers = []error{logins.ErrUnanswered, logins.ErrUnanswered, logins.ErrUnanswered, logins.ErrUnanswered}
			for range 3 {
				_, err := p.Refresh(ctx, team, always, server.send)
				Expect(err).To(MatchError(logins.ErrUnanswered))
			}
			Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("AccessToken", "access-6"))
			Expect(server.sent).To(HaveEach("refresh-1"))
		})

		It("waits for the next caller when the server hangs", func() {
			p := newPlace()
			spec.Bubble(func(*testing.T) {
				ctx := context.Background()
				p.write(ctx, team, loggedIn)
				began := time.Now()
				_, err := p.Refresh(ctx, team, always, func(sending context.Context, record logins.Record) (logins.Tokens, error) {
					server.sent = append(server.sent, record.RefreshToken)
					<-sending.Done()
					return logins.Tokens{}, fmt.Errorf("%w: %w", logins.ErrUnanswered, sending.Err())
				})
				Expect(err).To(MatchError(context.DeadlineExceeded))
				Expect(time.Since(began)).To(Equal(30 * time.Second))
				Expect(server.sent).To(HaveLen(1))
				Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("Refreshing", BeNil()))
				Expect(server.sent).To(HaveLen(2))
			})
		})

		It("does not count an attempt that did not reach the server", func(ctx context.Context) {
			away := errors.New("no such host")
			server.answers = []error{logins.ErrUnanswered, away, away}
			for range 2 {
				_, err := p.Refresh(ctx, team, always, server.send)
				Expect(err).To(MatchError(away))
			}
			Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("AccessToken", "access-5"))
		})
	})

	Context("after a process was killed between sending and writing", func() {
		// killedWhileSending leaves the files as a process does that is killed then.
		killedWhileSending := func(ctx context.Context) {
			GinkgoHelper()
			var noted []byte
			_, err := p.another().Refresh(ctx, team, always, func(_ context.Context, record logins.Record) (logins.Tokens, error) {
				server.sent = append(server.sent, record.RefreshToken)
				noted, _ = os.ReadFile(p.File(team)) // an empty text fails below
				return logins.Tokens{}, errors.New("whatever comes later did not happen")
			})
			Expect(err).To(HaveOccurred())
			Expect(noted).NotTo(BeEmpty())
			Expect(os.WriteFile(p.File(team), noted, 0o600)).To(Succeed())
		}

		It("sends the token once more", func(ctx context.Context) {
			killedWhileSending(ctx)
			Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("RefreshToken", "refresh-3"))
			Expect(server.sent).To(Equal([]string{"refresh-1", "refresh-1"}))
		})

		It("ends the login after the second time, and the token is never sent again", func(ctx context.Context) {
			killedWhileSending(ctx)
			killedWhileSending(ctx)
			for range 2 {
				_, err := p.Refresh(ctx, team, always, server.send)
				Expect(err).To(MatchError("the login has ended: a refresh was interrupted twice, and its token may be used up"))
			}
			Expect(server.sent).To(HaveLen(2))
		})

		It("has no effect after a new login", func(ctx context.Context) {
			killedWhileSending(ctx)
			killedWhileSending(ctx)
			p.write(ctx, team, func(record *logins.Record) {
				record.Accept(logins.Tokens{AccessToken: "access-8", RefreshToken: "refresh-8"})
			})
			Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("Ended", ""))
		})
	})
})
