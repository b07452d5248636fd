package application_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// confirmingToolbox returns the toolbox "dev" with the server "files", where calls of these
// tools need a yes.
func confirmingToolbox(patterns ...string) domain.Toolbox {
	dev := toolbox("dev", "files")
	for _, pattern := range patterns {
		dev.Servers[0].Approvals.Confirm = append(dev.Servers[0].Approvals.Confirm, domain.ToolPattern{Text: pattern})
	}
	return dev
}

// useAs uses a tool of the server "files" for a user, with arguments.
func (w *workbench) useAs(person ports.Confirmer, tool, arguments string) *outcome {
	return w.useWith(w.t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: tool},
		ports.ToolCall{Arguments: json.RawMessage(arguments), Confirmer: person})
}

// refusedWith returns the failure of a call of "write" that was not confirmed.
func refusedWith(answer domain.ConfirmationAnswer) error {
	return &domain.NotConfirmedError{Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "write"}, Answer: answer}
}

var _ = Describe("A call that needs approval", Label("K01"), func() {
	begin := func(t *testing.T) *workbench {
		w := start(t, confirmingToolbox("wr*"))
		w.opens("dev")
		return w
	}

	It("comes with the _meta of the call, by which the host knows it", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), &fakeUser{}

		w.useWith(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "write"}, ports.ToolCall{
			Arguments: []byte(`{"a":1}`), Meta: []byte(`"x":1`), Confirmer: person,
		})
		synctest.Wait()

		asked := person.question(1, 1)
		Expect(string(asked.Meta)).To(Equal(`"x":1`))
		asked.answer(domain.ConfirmedOnce)
		synctest.Wait()
	}))

	It("is made once the user agreed", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), &fakeUser{}
		received := w.useAs(person, "write", `{"a":1}`)
		synctest.Wait()
		Expect(w.server("files").called()).To(BeEmpty())
		asked := person.question(1, 1)
		Expect(asked.Tool).To(Equal(domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "write"}))
		Expect(string(asked.Arguments)).To(Equal(`{"a":1}`))

		asked.answer(domain.ConfirmedOnce)
		synctest.Wait()

		Expect(received.result()).To(Equal(`"write"`))
		Expect(string(w.server("files").session().seen().calls[0].Arguments)).To(Equal(`{"a":1}`))
	}))

	It("leaves the other tools alone", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), &fakeUser{}

		Expect(w.useAs(person, "read", `{}`).result()).To(Equal(`"read"`))

		Expect(person.questions()).To(BeEmpty())
	}))

	It("is asked about each time, even with the same arguments", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), decidedUser(domain.ConfirmedOnce)
		for i := range 3 {
			w.useAs(person, "write", `{}`)
			synctest.Wait()
			Expect(person.questions()).To(HaveLen(i + 1))
		}
		Expect(w.server("files").called()).To(HaveLen(3))
	}))

	DescribeTable("is not made", func(answer domain.ConfirmationAnswer) {
		spec.InBubble(func(t *testing.T) {
			w := begin(t)

			received := w.useAs(decidedUser(answer), "write", `{}`)
			synctest.Wait()

			Expect(received.failure()).To(MatchError(refusedWith(answer)))
			Expect(w.server("files").called()).To(BeEmpty())
		})()
	},
		Entry("when the user says no", domain.ConfirmationDeclined),
		Entry("when the answer is unclear", domain.ConfirmationUnclear),
		Entry("when the host cannot show the question", domain.ConfirmationFailed),
		Entry("when the host withdraws the question", domain.ConfirmationWithdrawn),
	)

	It("is not made when there is no way to ask", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		for _, person := range []ports.Confirmer{nil, &fakeUser{cannot: true}} {
			received := w.useAs(person, "write", `{}`)
			synctest.Wait()
			Expect(received.failure()).To(MatchError(refusedWith(domain.ConfirmationImpossible)))
		}
		Expect(w.server("files").called()).To(BeEmpty())
	}))

	It("is not made without an answer within five minutes, even if one comes later", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), &fakeUser{}
		received := w.useAs(person, "write", `{}`)
		time.Sleep(5*time.Minute - time.Nanosecond)
		synctest.Wait()
		times, _, _ := received.received()
		Expect(times).To(BeZero())

		time.Sleep(time.Nanosecond)
		synctest.Wait()

		Expect(received.failure()).To(MatchError(refusedWith(domain.ConfirmationTimedOut)))
		asked := person.question(1, 1)
		Expect(asked.ctx.Err()).To(HaveOccurred(), "the question is withdrawn")
		asked.reply(domain.ConfirmedForSession)
		synctest.Wait()
		Expect(w.server("files").called()).To(BeEmpty())
		w.useAs(person, "write", `{}`)
		synctest.Wait()
		Expect(person.questions()).To(HaveLen(2))
	}))

	It("withdraws its question when it is cancelled", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), &fakeUser{}
		ctx, cancel := context.WithCancel(t.Context())
		received := w.useWith(ctx, domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "write"}, ports.ToolCall{Confirmer: person})
		synctest.Wait()

		cancel()
		synctest.Wait()

		Expect(received.failure()).To(MatchError(context.Canceled))
		Expect(person.question(1, 1).ctx.Err()).To(HaveOccurred())
		Expect(w.server("files").called()).To(BeEmpty())
	}))

	It("is not asked about when its arguments or its tool are wrong", spec.InBubble(func(t *testing.T) {
		w, person := begin(t), &fakeUser{}
		received := w.useAs(person, "wrong", `{}`)
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrToolNotFound))
		Expect(person.questions()).To(BeEmpty())
	}))

	It("has its decision logged, but not its arguments", spec.InBubble(func(t *testing.T) {
		w := begin(t)
		w.useAs(decidedUser(domain.ConfirmationDeclined), "write", `{"password":"hunter22"}`)
		synctest.Wait()

		Expect(w.log.String()).To(ContainSubstring("toolbox=dev server=files tool=write decision=no"))
		Expect(w.log.String()).NotTo(ContainSubstring("hunter22"))
	}))
})

var _ = Describe("A yes for the session", Label("K01"), func() {
	begin := func(t *testing.T) (*workbench, *fakeUser) {
		w, person := start(t, confirmingToolbox("write", "read")), decidedUser(domain.ConfirmedForSession)
		w.opens("dev")
		Expect(w.usedAs(person, "write")).To(Equal(`"write"`))
		return w, person
	}

	It("covers all calls of the tool, but no other tool", spec.InBubble(func(t *testing.T) {
		w, person := begin(t)
		absent := &fakeUser{cannot: true}

		Expect(w.useAs(absent, "write", `{"other":1}`).result()).To(Equal(`"write"`), "without a goroutine")
		Expect(w.useFails(absent, "read")).To(MatchError(domain.ErrNotConfirmed))

		Expect(person.questions()).To(HaveLen(1))
	}))

	It("outlives a restart of the server, as long as the definition stays the same", spec.InBubble(func(t *testing.T) {
		w, person := begin(t)
		w.server("files").die()
		time.Sleep(time.Hour) // longer than the pause after a failure
		Expect(w.usedAs(person, "write")).To(Equal(`"write"`))
		Expect(person.questions()).To(HaveLen(1))

		w.server("files").die()
		time.Sleep(time.Hour)
		w.server("files").lists("write: other", "read")
		Expect(w.usedAs(person, "write")).To(Equal(`"write"`))
		Expect(person.questions()).To(HaveLen(2))
	}))

	It("ends when the definition changes, even if it changes back", spec.InBubble(func(t *testing.T) {
		w, person := begin(t)
		for i, tools := range [][]string{{"write: other", "read"}, {"write", "read"}} {
			w.server("files").lists(tools...)
			w.server("files").sayToolsChanged()
			Expect(w.useFails(&fakeUser{cannot: true}, "write")).To(MatchError(domain.ErrNotConfirmed), "change %d", i)
		}
		Expect(w.usedAs(person, "write")).To(Equal(`"write"`))
		Expect(person.questions()).To(HaveLen(2))
	}))

	It("ends when the tools changed and cannot be listed", spec.InBubble(func(t *testing.T) {
		w, person := begin(t)
		w.server("files").setListing(0, context.DeadlineExceeded)
		w.server("files").sayToolsChanged()

		Expect(w.usedAs(person, "write")).To(Equal(`"write"`))

		Expect(person.questions()).To(HaveLen(2))
	}))

	It("covers calls that wait for an answer", spec.InBubble(func(t *testing.T) {
		w, person := start(t, confirmingToolbox("write", "read")), &fakeUser{}
		w.opens("dev")
		first, other, read := w.useAs(person, "write", `{"n":1}`), w.useAs(person, "write", `{"n":2}`), w.useAs(person, "read", `{}`)
		synctest.Wait()
		for _, asked := range person.questions() {
			if asked.Tool.Tool == "write" {
				asked.answer(domain.ConfirmedForSession)
				break
			}
		}
		synctest.Wait()

		Expect(first.result()).To(Equal(`"write"`))
		Expect(other.result()).To(Equal(`"write"`))
		times, _, _ := read.received()
		Expect(times).To(BeZero())
		for _, asked := range person.questions() {
			Expect(asked.isOpen()).To(Equal(asked.Tool.Tool == "read"), "the question is withdrawn")
		}
	}))
})

// usedAs returns the result of a call for a user who answers at once.
func (w *workbench) usedAs(person ports.Confirmer, tool string) string {
	received := w.useAs(person, tool, `{}`)
	synctest.Wait()
	return received.result()
}

// useFails returns the failure of such a call.
func (w *workbench) useFails(person ports.Confirmer, tool string) error {
	received := w.useAs(person, tool, `{}`)
	synctest.Wait()
	return received.failure()
}
