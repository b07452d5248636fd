package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// prompted is the outcome of a prompt for a login.
type prompted struct {
	mu      sync.Mutex
	answers []domain.PromptAnswer
}

func (p *prompted) reply(answer domain.PromptAnswer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = append(p.answers, answer)
}

func (p *prompted) came() []domain.PromptAnswer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]domain.PromptAnswer(nil), p.answers...)
}

// loginMessage is the message of such a prompt, as JSON.
const loginMessage = `"MCP Workbench asks:\nThe server 'files' of the toolbox 'dev' needs you to log in: the page is at as, the server at mcp."`

// prompt has the workbench ask for a login at the server "files".
func (w *workbench) prompt(ctx context.Context) *prompted {
	came := &prompted{}
	w.host.PromptLogin(ctx, files, domain.LoginPrompt{ID: "l1", URL: "https://as/x?a=1&b", Hosts: domain.LoginHosts{Page: "as", Server: "mcp"}}, came.reply)
	return came
}

var _ = Describe("Prompting for a login at a host with a handshake", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	const able = `{"elicitation":{"form":{},"url":{}}}`
	const prompt = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":` + loginMessage + `,` +
		`"url":"https://as/x?a=1&b","elicitationId":"l1-`

	It("shows the URL in an elicitation", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize(able))
		var came *prompted

		asked := c.hears(func() { came = w.prompt(t.Context()) })
		Expect(asked).To(HaveExactElements(HavePrefix(prompt)))
		random := strings.TrimPrefix(asked[0], prompt)
		Expect(random).To(MatchRegexp(`^[A-Z2-7]{26}"}}$`), "which no server can guess")
		Expect(came.came()).To(BeEmpty())
		c.send(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)

		Expect(came.came()).To(Equal([]domain.PromptAnswer{domain.PromptAccepted}))
		Expect(c.hears(func() { w.host.ReportLogin("l1") })).To(Equal([]string{
			notification("notifications/elicitation/complete", `{"elicitationId":"l1-`+strings.TrimSuffix(random, "}")),
		}))
	}))

	DescribeTable("reports the user's answer", func(answer string, expected domain.PromptAnswer) {
		spec.InBubble(func(t *testing.T) {
			c := w.begin(t)
			c.send(initialize(able))
			var came *prompted
			c.hears(func() { came = w.prompt(t.Context()) })

			c.send(`{"jsonrpc":"2.0","id":1,` + answer + `}`)

			Expect(came.came()).To(Equal([]domain.PromptAnswer{expected}))
		})()
	},
		Entry("that was declined", `"result":{"action":"decline"}`, domain.PromptDeclined),
		Entry("that was closed", `"result":{"action":"cancel"}`, domain.PromptDismissed),
		Entry("when the host's answer is invalid", `"result":{"action":7}`, domain.PromptDismissed),
		Entry("when the host answers with no object", `"result":[]`, domain.PromptDismissed),
		Entry("when the host refuses", `"error":{"code":-32602,"message":"no"}`, domain.PromptFailed),
	)

	It("is withdrawn when it is no longer needed", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize(able))
		ctx, cancel := context.WithCancel(t.Context())
		var came *prompted
		c.hears(func() { came = w.prompt(ctx) })

		Expect(c.hears(cancel)).To(HaveExactElements(ContainSubstring(`"method":"notifications/cancelled","params":{"requestId":1,`)))

		Expect(came.came()).To(Equal([]domain.PromptAnswer{domain.PromptWithdrawn}))
	}))

	DescribeTable("does not ask a host that does not show URLs", func(capabilities string) {
		spec.InBubble(func(t *testing.T) {
			c := w.begin(t)
			c.send(initialize(capabilities))
			var came *prompted

			Expect(c.hears(func() { came = w.prompt(t.Context()) })).To(BeEmpty())

			Expect(w.host.CanPromptLogin()).To(BeFalse())
			Expect(came.came()).To(Equal([]domain.PromptAnswer{domain.PromptFailed}))
			Expect(c.hears(func() { w.host.ReportLogin("l1") })).To(BeEmpty())
		})()
	},
		Entry("without elicitation", `{}`),
		Entry("an empty elicitation, which means forms", `{"elicitation":{}}`),
		Entry("a host that shows only forms", `{"elicitation":{"form":{}}}`),
		Entry("a declaration of forms", `{"elicitation":{"form":{},"url":null}}`),
	)

	It("does not ask a host that is gone", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize(able))
		c.end()

		Expect(w.prompt(t.Context()).came()).To(Equal([]domain.PromptAnswer{domain.PromptFailed}))
		w.host.ReportLogin("l1")
	}))
})

var _ = Describe("Prompting for a login at a host of 2026-07-28", func() {
	const able = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}`
	const wanted = `"result":{"resultType":"input_required","inputRequests":{"1":{"method":"elicitation/create",` +
		`"params":{"mode":"url","message":` + loginMessage + `,"url":"https://as/x?a=1&b"}}},"requestState":"mcp-workbench:`
	var (
		w       *workbench
		server  *slowServer
		opening chan error // what ends an opening
	)
	BeforeEach(func() { w, server = newWorkbench(), &slowServer{} })
	prepare := func() {
		w.use = server.use
		opening = make(chan error)
		w.open = func(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
			select {
			case err := <-opening:
				return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: name}}, err
			case <-ctx.Done():
				return domain.OpenedToolbox{}, ctx.Err()
			}
		}
	}
	use := func(id, members string) string {
		return request(id, "tools/call", `{"name":"use_tool","arguments":`+read+members+`,"_meta":{`+able+`}}`)
	}
	open := func(id, members string) string {
		return request(id, "tools/call", `{"name":"open_toolbox","arguments":{"toolbox":"dev"}`+members+`,"_meta":{`+able+`}}`)
	}
	continued := func(line, responses string) string {
		state := fields(line)["result"].(map[string]any)["requestState"].(string)
		return `,"requestState":` + quote(state) + `,"inputResponses":` + responses
	}

	It("asks in the result of the call, and resumes with the request that continues it", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		Expect(c.send(use("1", ""))).To(BeEmpty())
		var came *prompted

		lines := c.hears(func() { came = w.prompt(t.Context()) })
		Expect(lines).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":1,` + wanted)))
		Expect(c.send(use("2", continued(lines[0], `{"1":{"action":"accept"}}`)))).To(BeEmpty())

		Expect(came.came()).To(Equal([]domain.PromptAnswer{domain.PromptAccepted}))
		Expect(c.hears(func() { w.host.ReportLogin("l1") })).To(BeEmpty(), "this version has no such notification")
		Expect(c.hears(func() { server.answer(0, `{"content":[]}`) })).To(Equal([]string{
			resultLine("2", `{"resultType":"complete","content":[]}`),
		}))
	}))

	It("asks in the result of the opening of the server's toolbox", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		Expect(c.send(open("1", ""))).To(BeEmpty())
		var came *prompted

		lines := c.hears(func() { came = w.prompt(t.Context()) })
		Expect(lines).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":1,` + wanted)))
		Expect(c.send(open("2", continued(lines[0], `{"1":{"action":"accept"}}`)))).To(BeEmpty())

		Expect(came.came()).To(Equal([]domain.PromptAnswer{domain.PromptAccepted}))
		Expect(c.hears(func() { opening <- nil })).To(HaveExactElements(
			HavePrefix(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":`)))
	}))

	It("asks again when the host continues without an answer", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		c.send(open("1", ""))
		lines := c.hears(func() { w.prompt(t.Context()) })

		again := c.send(open("2", continued(lines[0], `{}`)))

		Expect(again).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":2,` + wanted)))
		opening <- nil
	}))

	It("opens the toolbox again when the continued opening is unknown", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		c.send(open("1", ""))
		lines := c.hears(func() { w.prompt(t.Context()) })
		time.Sleep(w.limits.InputReply)
		synctest.Wait()

		Expect(c.send(open("2", continued(lines[0], `{"1":{"action":"accept"}}`)))).To(BeEmpty())

		Expect(c.hears(func() { opening <- nil })).To(HaveExactElements(
			HavePrefix(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":`)))
	}))

	It("ends with the request that asked", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		c.send(open("1", ""))
		var came *prompted
		lines := c.hears(func() { came = w.prompt(t.Context()) })
		c.send(open("2", continued(lines[0], `{}`))) // which is asked again
		time.Sleep(w.limits.InputReply)
		synctest.Wait()

		Expect(came.came()).To(Equal([]domain.PromptAnswer{domain.PromptWithdrawn}))
	}))

	It("asks nothing outside calls", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		c.send(open("1", ""))
		c.hears(func() { opening <- nil })

		Expect(c.hears(func() {
			Expect(w.prompt(t.Context()).came()).To(Equal([]domain.PromptAnswer{domain.PromptFailed}))
		})).To(BeEmpty())
	}))

	It("still does not let servers ask the user during the opening of their toolbox", spec.InBubble(func(t *testing.T) {
		prepare()
		c := w.begin(t)
		c.send(open("1", ""))

		got := w.ask(t.Context(), string(mcp.MethodElicitationCreate), `{"message":"which?"}`)

		Expect(json.Valid([]byte(got.object))).To(BeTrue())
		Expect(got.object).To(ContainSubstring("the host can only be asked during a call"))
		c.hears(func() { opening <- nil })
	}))
})
