package application_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server that needs a login", func() {
	failure := func(opened domain.OpenedToolbox, i int) error { return opened.Servers[i].Failure }

	Context("at a host that shows no URLs", func() {
		It("does not fail its toolbox, and says at once where to log in", spec.InBubble(func(t *testing.T) {
			w := withLogins(t, &fakeLogins{}, "files", "mail")
			w.server("mail").repair()
			begun := time.Now()

			opened := w.opens("dev")

			Expect(time.Since(begun)).To(BeZero())
			Expect(opened.Connected()).To(Equal(1))
			Expect(failure(opened, 0)).To(needsLogin())
			Expect(opened.Servers[0].Failure).To(MatchError(domain.ErrLoginRequired))
		}))

		It("leaves its toolbox open even if it is the only server, so that a use starts it after the login", spec.InBubble(func(t *testing.T) {
			w := withLogins(t, &fakeLogins{}, "files")
			Expect(w.opens("dev").Connected()).To(BeZero())
			w.server("files").repair()

			received := w.use("files", "read")
			synctest.Wait()
			Expect(received.result()).To(Equal(`"read"`))
		}))

		It("fails its toolbox if all servers fail for other reasons than a login", spec.InBubble(func(t *testing.T) {
			w := withLogins(t, &fakeLogins{}, "files")
			w.server("files").fail("it ended")

			_, err := w.open("dev")

			Expect(err).To(MatchError(domain.ErrAllServersFailed))
		}))

		It("is connected to as soon as the user has logged in", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{}
			w := withLogins(t, logins, "files")
			for range 10 { // enough to stop further attempts if they counted as failures
				Expect(w.opens("dev").Connected()).To(BeZero())
			}
			w.server("files").repair()

			Expect(w.opens("dev").Connected()).To(Equal(1))
			Expect(w.server("files").started()).To(Equal(11))
		}))

		It("fails a call with the same text", spec.InBubble(func(t *testing.T) {
			w := withLogins(t, &fakeLogins{}, "files", "mail")
			w.server("mail").repair()
			w.opens("dev")

			received := w.use("files", "read")
			synctest.Wait()

			Expect(received.failure()).To(needsLogin())
		}))

		It("says why when no login can be begun", spec.InBubble(func(t *testing.T) {
			w := withLogins(t, &fakeLogins{refusal: errors.New("its metadata names plain http")}, "files")

			opened, _ := w.open("dev")

			Expect(failure(opened, 0)).To(And(HaveField("Why", "it asks for a login; its metadata names plain http"), HaveField("Link", "")))
		}))

		It("does not wait long for its authorization server", spec.InBubble(func(t *testing.T) {
			w := withLogins(t, &fakeLogins{slow: time.Hour}, "files")
			begun := time.Now()

			opened, _ := w.open("dev")

			Expect(time.Since(begun)).To(Equal(15 * time.Second))
			Expect(failure(opened, 0)).To(MatchError(ContainSubstring("it asks for a login")))
		}))
	})

	Context("at a host that shows URLs", func() {
		It("is opened without further action after the login", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: accepts}
			w := withLogins(t, logins, "files")
			opened := opening(w)

			w.logIn(logins, "files")

			Expect((<-opened).Connected()).To(Equal(1))
			Expect(logins.prompts()).To(Equal([]string{"files https://as/files"}))
			Expect(logins.reports()).To(Equal([]string{"login-1"}))
		}))

		It("is reported to the host even if the login ends right after the prompt is accepted", spec.InBubble(func(t *testing.T) {
			for range 20 {
				logins := &fakeLogins{canPrompt: true}
				w := withLogins(t, logins, "files")
				logins.person = func(reply func(domain.PromptAnswer)) {
					w.server("files").repair()
					reply(domain.PromptAccepted)
					logins.finish("files", nil)
				}

				Expect((<-opening(w)).Connected()).To(Equal(1))

				Expect(logins.reports()).To(Equal([]string{"login-1"}))
			}
		}))

		It("lets the call continue without further action after the login", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: accepts}
			w := withLogins(t, logins, "files", "mail")
			w.server("mail").repair()
			opening(w)
			time.Sleep(time.Minute) // longer than the opening waits for the login
			received := w.use("files", "read")
			synctest.Wait()

			w.logIn(logins, "files")

			Expect(received.result()).To(Equal(`"read"`))
		}))

		It("prompts once however many calls wait", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: accepts}
			w := withLogins(t, logins, "files", "mail")
			w.server("mail").repair()
			opened := opening(w)
			synctest.Wait()
			var outcomes []*outcome
			w.opened.Add("dev")
			for range 20 {
				outcomes = append(outcomes, w.use("files", "read"))
			}
			synctest.Wait()

			w.logIn(logins, "files")

			Expect((<-opened).Connected()).To(Equal(2))
			for _, received := range outcomes {
				Expect(received.result()).To(Equal(`"read"`))
			}
			Expect(logins.prompts()).To(HaveLen(1))
		}))

		It("prompts once for servers that need the same login", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: accepts, same: map[domain.ServerName]string{"files": "l", "mail": "l"}}
			w := withLogins(t, logins, "files", "mail")
			opened := opening(w)

			w.logIn(logins, "files", "mail")

			Expect((<-opened).Connected()).To(Equal(2))
			Expect(logins.prompts()).To(HaveLen(1))
		}))

		It("is waited for until the reply is due, and the prompt stays", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true}
			w := withLogins(t, logins, "files")
			begun := time.Now()

			opened, _ := w.open("dev")
			Expect(time.Since(begun)).To(Equal(domain.DefaultLimits().OpenReply))
			Expect(failure(opened, 0)).To(needsLogin())
			time.Sleep(time.Second)
			begun = time.Now()
			Expect(w.opens("dev").Connected()).To(BeZero())
			Expect(time.Since(begun)).To(Equal(domain.DefaultLimits().OpenGrace), "another caller waited long enough already")

			Expect(logins.prompts()).To(HaveLen(1))
			Expect(logins.taken).To(BeZero())
		}))

		It("withdraws the prompt after a login elsewhere", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true}
			w := withLogins(t, logins, "files")
			opened := opening(w)

			w.logIn(logins, "files")

			Expect((<-opened).Connected()).To(Equal(1))
			Expect(logins.taken).To(Equal(1))
			Expect(logins.reports()).To(BeEmpty(), "the host's prompt was not what led to the login")
		}))

		It("is not prompted for again by openings after the user declined", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: func(reply func(domain.PromptAnswer)) { reply(domain.PromptDeclined) }}
			w := withLogins(t, logins, "files", "mail")
			w.server("mail").repair()
			begun := time.Now()

			Expect(failure(w.opens("dev"), 0)).To(needsLogin())
			Expect(failure(w.opens("dev"), 0)).To(needsLogin())
			Expect(time.Since(begun)).To(BeZero())
			Expect(logins.prompts()).To(HaveLen(1))

			logins.person = accepts
			received := w.use("files", "read")
			synctest.Wait()
			w.logIn(logins, "files")
			Expect(received.result()).To(Equal(`"read"`))
			Expect(logins.prompts()).To(HaveLen(2))
		}))

		DescribeTable("fails at once, and is prompted for again", func(answer domain.PromptAnswer) {
			spec.InBubble(func(t *testing.T) {
				logins := &fakeLogins{canPrompt: true, person: func(reply func(domain.PromptAnswer)) { reply(answer) }}
				w := withLogins(t, logins, "files")
				begun := time.Now()

				Expect(w.opens("dev").Connected()).To(BeZero())
				Expect(w.opens("dev").Connected()).To(BeZero())

				Expect(time.Since(begun)).To(BeZero())
				Expect(logins.prompts()).To(HaveLen(2))
			})()
		},
			Entry("when the user closed the prompt", domain.PromptDismissed),
			Entry("when the host could not show it", domain.PromptFailed),
		)

		It("is prompted for by another call when the call that prompted is over", spec.InBubble(func(t *testing.T) {
			var first func(domain.PromptAnswer)
			logins := &fakeLogins{canPrompt: true}
			w := withLogins(t, logins, "files", "mail")
			logins.person = func(reply func(domain.PromptAnswer)) { first, logins.person = reply, accepts }
			w.opened.Add("dev")
			ctx, cancel := context.WithCancel(t.Context())
			w.useWith(ctx, domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}, ports.ToolCall{})
			synctest.Wait()
			other := w.use("files", "write")
			synctest.Wait()

			cancel()
			first(domain.PromptWithdrawn)
			synctest.Wait()
			w.logIn(logins, "files")

			Expect(other.result()).To(Equal(`"write"`))
			Expect(logins.prompts()).To(HaveLen(2))
		}))

		It("fails when the login does", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: accepts}
			w := withLogins(t, logins, "files")
			opened := opening(w)
			synctest.Wait()

			logins.finish("files", errors.New("access_denied"))

			Expect(failure(<-opened, 0)).To(needsLogin())
			Expect(w.log.String()).To(ContainSubstring("access_denied"))
		}))

		It("is prompted for once more, but only once, when the server requires another login", spec.InBubble(func(t *testing.T) {
			logins := &fakeLogins{canPrompt: true, person: accepts}
			w := withLogins(t, logins, "files")
			opened := opening(w)

			for range 2 {
				logins.finish("files", nil)
				synctest.Wait()
			}

			Expect((<-opened).Servers[0].Failure).To(MatchError(domain.ErrLoginRequired))
			Expect(logins.prompts()).To(HaveLen(2))
		}))
	})
})

var _ = Describe("A call of a tool that needs a login", func() {
	// needing returns a workbench whose server refuses calls until the user has logged in.
	needing := func(t *testing.T, logins *fakeLogins) (*workbench, *bool) {
		w := withLogins(t, logins, "files")
		w.server("files").repair()
		w.opens("dev")
		let := new(bool)
		w.server("files").calls = func(call ports.ToolCall, reply ports.Reply) {
			if !*let {
				reply(ports.Answer{}, w.server("files").loginRequired())
				return
			}
			reply(ports.Answer{Result: append([]byte(nil), call.Arguments...)}, nil)
		}
		return w, let
	}
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

	It("is made again, once, with its arguments", spec.InBubble(func(t *testing.T) {
		logins := &fakeLogins{canPrompt: true, person: accepts}
		w, let := needing(t, logins)
		arguments := []byte(`{"a":1}`)
		received := w.useWith(t.Context(), read, ports.ToolCall{Arguments: arguments})
		copy(arguments, `#######`) // the bytes are the caller's again
		synctest.Wait()

		*let = true
		logins.finish("files", nil)
		synctest.Wait()

		Expect(received.result()).To(Equal(`{"a":1}`))
		Expect(w.server("files").called()).To(Equal([]string{"read", "read"}))
		Expect(w.server("files").started()).To(Equal(1), "the session goes on")
	}))

	It("is made again without a second question for a yes", spec.InBubble(func(t *testing.T) {
		logins := &fakeLogins{canPrompt: true, person: accepts}
		w := withLogins(t, logins, "files")
		w.catalog.(fakeCatalog)[0].Servers[0].Approvals.ConfirmDestructive = true
		w.server("files").repair()
		w.opens("dev")
		let := false
		w.server("files").calls = func(_ ports.ToolCall, reply ports.Reply) {
			if !let {
				reply(ports.Answer{}, w.server("files").loginRequired())
				return
			}
			reply(ports.Answer{Result: []byte(`"done"`)}, nil)
		}
		person := decidedUser(domain.ConfirmedOnce)
		received := w.useWith(t.Context(), read, ports.ToolCall{Arguments: []byte(`{}`), Confirmer: person})
		synctest.Wait()

		let = true
		logins.finish("files", nil)
		synctest.Wait()

		Expect(received.result()).To(Equal(`"done"`))
		Expect(w.server("files").called()).To(HaveLen(2))
		Expect(person.questions()).To(HaveLen(1))
	}))

	It("fails when the server still requires a login", spec.InBubble(func(t *testing.T) {
		logins := &fakeLogins{canPrompt: true, person: accepts}
		w, _ := needing(t, logins)
		received := w.useWith(t.Context(), read, ports.ToolCall{})
		synctest.Wait()

		logins.finish("files", nil)
		synctest.Wait()

		Expect(received.failure()).To(MatchError(domain.ErrLoginRequired))
		Expect(w.server("files").called()).To(HaveLen(2))
		Expect(logins.prompts()).To(HaveLen(1))
	}))

	It("fails with the address of the login at a host that shows no URLs", spec.InBubble(func(t *testing.T) {
		w, _ := needing(t, &fakeLogins{})

		received := w.useWith(t.Context(), read, ports.ToolCall{})
		synctest.Wait()

		Expect(received.failure()).To(needsLogin())
		Expect(w.server("files").called()).To(HaveLen(1))
	}))

	It("ends with the limit on the whole call", spec.InBubble(func(t *testing.T) {
		w, _ := needing(t, &fakeLogins{canPrompt: true, person: accepts})
		received := w.useWith(t.Context(), read, ports.ToolCall{})

		time.Sleep(domain.DefaultLimits().CallTotal)
		synctest.Wait()

		Expect(received.failure()).To(needsLogin())
	}))
})
