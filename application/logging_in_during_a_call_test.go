package application_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

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
		starts, _ := w.server("files").counts()
		Expect(starts).To(Equal(1), "the session goes on")
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
