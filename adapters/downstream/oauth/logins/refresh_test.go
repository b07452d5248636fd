package logins_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/tests/spec"
)

// endpoint is a token endpoint: it answers each refresh as it is told.
type endpoint struct {
	sent    []string
	answers []error // the next ones; nil answers with tokens, as when there are none
}

func (e *endpoint) send(_ context.Context, record logins.Record) (logins.Tokens, error) {
	e.sent = append(e.sent, record.RefreshToken)
	if len(e.answers) > 0 {
		answer := e.answers[0]
		e.answers = e.answers[1:]
		if answer != nil {
			return logins.Tokens{}, answer
		}
	}
	n := len(e.sent) + 1
	return logins.Tokens{AccessToken: fmt.Sprintf("access-%d", n), RefreshToken: fmt.Sprintf("refresh-%d", n), Expiry: time.Now().Add(time.Hour)}, nil
}

// holds says that a refresh is needed while the login has this access token.
func holds(token string) func(logins.Record) bool {
	return func(record logins.Record) bool { return record.AccessToken == token }
}

func always(logins.Record) bool { return true }

var _ = Describe("Refreshing a login", func() {
	var (
		p      place
		server *endpoint
	)
	BeforeEach(func(ctx context.Context) {
		p, server = newPlace(), &endpoint{}
		p.write(ctx, team, func(record *logins.Record) {
			loggedIn(record)
			record.Granted = []string{"read"}
		})
	})

	It("stores the new tokens before they are used", func(ctx context.Context) {
		record := spec.Must(p.Refresh(ctx, team, holds("access-1"), server.send))
		Expect(record.AccessToken).To(Equal("access-2"))
		Expect(record.Granted).To(Equal([]string{"read"}), "the server named no scopes")
		Expect(record.LastRefresh).To(BeTemporally("~", time.Now(), time.Minute))

		Expect(p.another().Read(team)).To(And(HaveField("RefreshToken", "refresh-2"), HaveField("Refreshing", BeNil())))
		Expect(p.names()).To(HaveLen(2), "the login and its lock")
	})

	It("keeps the refresh token when the server sends no new one", func(ctx context.Context) {
		record := spec.Must(p.Refresh(ctx, team, always, func(context.Context, logins.Record) (logins.Tokens, error) {
			return logins.Tokens{AccessToken: "access-2", Granted: []string{"read", "write"}}, nil
		}))
		Expect(record.RefreshToken).To(Equal("refresh-1"))
		Expect(record.Expiry).To(BeZero())
		Expect(record.Granted).To(Equal([]string{"read", "write"}))
	})

	It("happens once for all requests that need it", func(ctx context.Context) {
		stores := []*logins.Store{p.Store, p.another(), p.another()}
		var wg sync.WaitGroup
		for i := range 30 {
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(stores[i%3].Refresh(ctx, team, holds("access-1"), server.send)).To(HaveField("AccessToken", "access-2"))
			})
		}
		wg.Wait()
		Expect(server.sent).To(Equal([]string{"refresh-1"}))
	})

	It("records the token before sending it", func(ctx context.Context) {
		Expect(p.Refresh(ctx, team, always, func(context.Context, logins.Record) (logins.Tokens, error) {
			noted := spec.Must(p.another().Read(team))
			Expect(noted.Refreshing.Digest).To(HaveLen(64))
			Expect(noted.Refreshing.Again).To(BeFalse())
			return logins.Tokens{AccessToken: "access-2"}, nil
		})).Error().NotTo(HaveOccurred())
	})

	It("needs a refresh token", func(ctx context.Context) {
		p.write(ctx, team, func(record *logins.Record) { record.RefreshToken = "" })
		_, err := p.Refresh(ctx, team, always, server.send)
		Expect(err).To(MatchError(logins.ErrNoRefreshToken))
		Expect(server.sent).To(BeEmpty())
	})

	It("ends the login when the token is refused, says so once, and never sends it again", func(ctx context.Context) {
		server.answers = []error{fmt.Errorf("%w: invalid_grant", logins.ErrRefused)}
		for range 3 {
			record, err := p.Refresh(ctx, team, always, server.send)
			Expect(err).To(MatchError("the login has ended: the authorization server refused the refresh token"))
			Expect(err).To(BeAssignableToTypeOf(&logins.EndedError{}))
			Expect(record.AccessToken).To(Equal("access-1"), "it may live for a while")
		}
		Expect(server.sent).To(HaveLen(1))
		Expect(p.log).To(gbytes.Say(`level=WARN msg="a login has ended" server=https://team.example/mcp why="the authorization server refused the refresh token"`))
		Expect(p.log).NotTo(gbytes.Say("has ended"))
	})

	It("works again after a new login", func(ctx context.Context) {
		server.answers = []error{logins.ErrRefused}
		_, err := p.Refresh(ctx, team, always, server.send)
		Expect(err).To(HaveOccurred())

		p.write(ctx, team, func(record *logins.Record) {
			record.Accept(logins.Tokens{AccessToken: "access-9", RefreshToken: "refresh-9"})
		})

		Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("Ended", ""))
		Expect(server.sent).To(Equal([]string{"refresh-1", "refresh-9"}))
	})

	It("does not end a login that has been replaced meanwhile", func(ctx context.Context) {
		text := spec.Must(os.ReadFile(p.File(team)))
		record, err := p.Refresh(ctx, team, always, func(context.Context, logins.Record) (logins.Tokens, error) {
			replaced := []byte(`{"version": 1, "accessToken": "access-7", "refreshToken": "refresh-7"}`)
			Expect(os.WriteFile(p.File(team), replaced, 0o600)).To(Succeed())
			return logins.Tokens{}, logins.ErrRefused
		})
		Expect(text).NotTo(BeEmpty())
		Expect(err).NotTo(HaveOccurred())
		Expect(record.AccessToken).To(Equal("access-7"))
		Expect(p.Read(team)).To(And(HaveField("RefreshToken", "refresh-7"), HaveField("Ended", "")))
	})

	It("keeps the login while the server cannot be reached", func(ctx context.Context) {
		away := errors.New("connection refused")
		server.answers = []error{away, away, away, nil}
		for range 3 {
			_, err := p.Refresh(ctx, team, always, server.send)
			Expect(err).To(MatchError(away))
			Expect(p.another().Read(team)).To(And(HaveField("Refreshing", BeNil()), HaveField("Ended", "")))
		}
		Expect(p.Refresh(ctx, team, always, server.send)).To(HaveField("RefreshToken", "refresh-5"))
		Expect(p.log).NotTo(gbytes.Say("WARN"))
	})

	It("goes on when its caller gives up, and the answer is written", func(ctx context.Context) {
		sent, answer := make(chan struct{}), make(chan struct{})
		calling, giveUp := context.WithCancel(ctx)
		failed := make(chan error)
		go func() {
			_, err := p.Refresh(calling, team, always, func(sending context.Context, record logins.Record) (logins.Tokens, error) {
				close(sent)
				<-answer
				if sending.Err() != nil {
					return logins.Tokens{}, sending.Err()
				}
				return server.send(sending, record)
			})
			failed <- err
		}()
		<-sent
		giveUp()
		Expect(<-failed).To(MatchError(context.Canceled))

		close(answer)
		p.Wait(ctx)
		Expect(p.another().Read(team)).To(HaveField("AccessToken", "access-2"))
	})

	It("does not begin for a caller that gave up while it waited for the lock", func(ctx context.Context) {
		held, release := make(chan struct{}), make(chan struct{})
		holder := make(chan error)
		go func() {
			holder <- p.another().Update(ctx, team, func(*logins.Record) error {
				close(held)
				<-release
				return nil
			})
		}()
		<-held
		calling, giveUp := context.WithCancel(ctx)
		giveUp()
		record, err := p.Refresh(calling, team, always, server.send)
		Expect(err).To(MatchError(context.Canceled))
		Expect(record.AccessToken).To(Equal("access-1"))
		close(release)
		Expect(<-holder).To(Succeed())
		p.Wait(ctx)
		Expect(server.sent).To(BeEmpty())
	})

	It("keeps the login while a refresh cannot be recorded", func(ctx context.Context) {
		var calls atomic.Int32
		Expect(os.Remove(p.File(team))).To(Succeed())
		Expect(os.Mkdir(p.File(team), 0o700)).To(Succeed())
		_, err := p.Refresh(ctx, team, always, func(context.Context, logins.Record) (logins.Tokens, error) {
			calls.Add(1)
			return logins.Tokens{}, nil
		})
		Expect(err).To(HaveOccurred())
		Expect(calls.Load()).To(BeZero())
	})
})

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
