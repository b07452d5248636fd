package sessions_test

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// losable is a session that can only be lost.
type losable struct {
	ports.Session
	done chan struct{}
}

func (s *losable) Done() <-chan struct{} { return s.done }

func (*losable) Err() error { return &domain.ServerUnavailableError{Reason: errors.New("it is gone")} }

var _ = Describe("The lifetime of a session", func() {
	var session *losable
	var life sessions.Lifetime
	BeforeEach(func() {
		session = &losable{done: make(chan struct{})}
		life = sessions.NewLifetime(session)
	})

	It("is over, with a failure of its server, when the session is lost", func() {
		Expect(life.IsOver()).To(BeFalse())

		close(session.done)

		Expect(life.IsOver()).To(BeTrue())
		why, failed := life.Failure()
		Expect(why).To(HaveField("Reason", MatchError("it is gone")))
		Expect(failed).To(BeTrue())
	})

	It("is over without a failure when the server was idle", func() {
		Expect(life.EndIdle()).To(BeTrue())

		Expect(life.IsOver()).To(BeTrue())
		_, failed := life.Failure()
		Expect(failed).To(BeFalse())
	})

	It("keeps its first cause, whatever comes after it", func() {
		Expect(life.EndHung(&domain.HungError{Calls: 3})).To(BeTrue())

		Expect(life.EndIdle()).To(BeFalse())
		close(session.done)

		why, failed := life.Failure()
		Expect(why).To(Equal(&domain.HungError{Calls: 3}))
		Expect(failed).To(BeTrue())
	})
})

var _ = Describe("Subscriptions to resources", func() {
	files, db := domain.ServerID{Toolbox: "dev", Server: "files"}, domain.ServerID{Toolbox: "dev", Server: "db"}

	It("are known by their resource and by their server, until they end", func() {
		subscriptions := sessions.NewOwnership(sessions.Share{})
		subscriptions.Subscribe("b", files)
		subscriptions.Subscribe("a", files)
		subscriptions.Subscribe("c", db)

		Expect(subscriptions.SubscriptionsAt(files)).To(Equal([]string{"a", "b"}))
		id, ok := subscriptions.Subscribed("c")
		Expect(id).To(Equal(db))
		Expect(ok).To(BeTrue())

		subscriptions.Unsubscribe("a")
		subscriptions.RemoveServer(db)

		Expect(subscriptions.SubscriptionsAt(files)).To(Equal([]string{"b"}))
		_, ok = subscriptions.Subscribed("c")
		Expect(ok).To(BeFalse())
	})
})
