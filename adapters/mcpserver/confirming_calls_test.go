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
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// confirmed is a use case that asks about every call, and answers with what came of it.
type confirmed struct {
	mu      sync.Mutex
	answers []domain.ConfirmationAnswer
	limit   time.Duration // of the question, 0 for none
}

func (c *confirmed) use(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	given := json.RawMessage(string(call.Arguments))
	question := domain.ConfirmationQuestion{Tool: tool, Called: tool.Tool, Given: given, Arguments: given}
	if !call.Confirmer.CanConfirm() {
		c.came(domain.ConfirmationImpossible, reply)
		return
	}
	if c.limit > 0 {
		bounded, cancel := context.WithTimeout(ctx, c.limit)
		context.AfterFunc(bounded, cancel)
		ctx = bounded
	}
	call.Confirmer.Confirm(ctx, question, func(answer domain.ConfirmationAnswer) {
		go c.came(answer, reply)
	})
}

func (c *confirmed) came(answer domain.ConfirmationAnswer, reply ports.Reply) {
	c.mu.Lock()
	c.answers = append(c.answers, answer)
	c.mu.Unlock()
	reply(ports.Answer{Result: json.RawMessage(`{"content":[]}`)}, nil)
}

func (c *confirmed) got() []domain.ConfirmationAnswer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]domain.ConfirmationAnswer(nil), c.answers...)
}

// confirmationParams are the parameters of the question about read.
const confirmationParams = `{"message":"MCP Workbench asks:\nA call needs your approval. The tool is called only if you allow it.\nTool: \"read\"\n` +
	`Server: \"files\" in the toolbox \"dev\"\nArguments:\n  \"n\": 1","requestedSchema":{"type":"object","properties":` +
	`{"decision":{"type":"string","title":"Allow this call?","enum":["yes, once","yes, for this session","no"]}},"required":["decision"]}}`

// yesOnce is the answer of a user who allows a call.
const yesOnce = `{"action":"accept","content":{"decision":"yes, once"}}`

var _ = Describe("Asking a host with a handshake about a call", Label("K02"), func() {
	const able = `{"elicitation":{}}`
	const asked = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":` + confirmationParams + `}`
	use := func(id string) string { return request(id, "tools/call", `{"name":"use_tool","arguments":`+read+`}`) }
	begin := func(t *testing.T, capabilities string, limit time.Duration) (*conversation, *confirmed) {
		w, person := newWorkbench(), &confirmed{limit: limit}
		w.use = person.use
		c := w.begin(t)
		c.send(initialize(capabilities))
		return c, person
	}

	It("shows a form with one choice, for which the call waits", spec.InBubble(func(t *testing.T) {
		c, person := begin(t, able, 0)

		Expect(c.send(use(`"a"`))).To(Equal([]string{asked}))
		Expect(c.send(`{"jsonrpc":"2.0","id":1,"result":` + yesOnce + `}`)).To(Equal([]string{resultLine(`"a"`, `{"content":[]}`)}))
		Expect(person.got()).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmedOnce}))
	}))

	It("is withdrawn after a timeout, and a late answer is ignored", spec.InBubble(func(t *testing.T) {
		c, person := begin(t, able, time.Minute)
		c.send(use("7"))

		lines := c.hears(func() { time.Sleep(time.Minute); synctest.Wait() })
		Expect(lines).To(ContainElement(ContainSubstring(`"method":"notifications/cancelled","params":{"requestId":1,`)))
		Expect(c.send(`{"jsonrpc":"2.0","id":1,"result":` + yesOnce + `}`)).To(BeEmpty())

		Expect(person.got()).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationWithdrawn}))
	}))
})

var _ = Describe("Asking a host of 2026-07-28 about a call", Label("K02"), func() {
	meta := func(capabilities string) string {
		return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	}
	const able = `{"elicitation":{"form":{}}}`
	use := func(id, arguments, members string) string {
		return request(id, "tools/call", `{"name":"use_tool","arguments":`+arguments+members+`,`+meta(able)+`}`)
	}
	begin := func(t *testing.T, limit time.Duration) (*conversation, *confirmed) {
		w, person := newWorkbench(), &confirmed{limit: limit}
		w.use = person.use
		return w.begin(t), person
	}
	stateOf := func(line string) string { return fields(line)["result"].(map[string]any)["requestState"].(string) }
	continued := func(state, responses string) string {
		return `,"requestState":` + quote(state) + `,"inputResponses":` + responses
	}
	done := func(id string) string { return resultLine(id, `{"resultType":"complete","content":[]}`) }

	It("is the result of that call, and the request that continues it has the answer", spec.InBubble(func(t *testing.T) {
		c, person := begin(t, 0)

		lines := c.send(use("1", read, ""))
		Expect(lines).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` +
			`"1":{"method":"elicitation/create","params":` + confirmationParams + `}},"requestState":"mcp-workbench:`)))
		Expect(c.send(use("2", read, continued(stateOf(lines[0]), `{"1":`+yesOnce+`}`)))).To(Equal([]string{done("2")}))

		Expect(person.got()).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmedOnce}))
	}))

	It("keeps the questions of concurrent calls apart", spec.InBubble(func(t *testing.T) {
		c, person := begin(t, 0)
		first, other := c.send(use("1", read, ""))[0], c.send(use("2", read, ""))[0]

		c.send(use("3", read, continued(stateOf(other), `{"1":{"action":"decline"}}`)))
		Expect(person.got()).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationDeclined}))
		c.send(use("4", read, continued(stateOf(first), `{"1":`+yesOnce+`}`)))

		Expect(person.got()[1:]).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmedOnce}))
	}))

	DescribeTable("accepts nothing else as an answer", func(arguments, members, says string) {
		spec.InBubble(func(t *testing.T) {
			c, person := begin(t, 0)
			state := stateOf(c.send(use("1", read, ""))[0])
			members = strings.ReplaceAll(members, "STATE", state)

			Expect(c.send(use("2", arguments, members))).To(HaveExactElements(ContainSubstring(says)))
			Expect(person.got()).To(BeEmpty())

			again := c.send(use("3", read, continued(state, `{}`)))
			if !strings.Contains(says, "input_required") {
				state = stateOf(again[0])
				Expect(c.send(use("4", read, continued(state, `{"1":{"action":"decline"}}`)))).To(Equal([]string{done("4")}))
				Expect(person.got()).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationDeclined}))
			}
		})()
	},
		Entry("other arguments", strings.Replace(read, `"n":1`, `"n":2`, 1), continued("STATE", `{"1":`+yesOnce+`}`), "with other arguments"),
		Entry("the same arguments in other bytes", strings.Replace(read, `"n":1`, `"n": 1`, 1), continued("STATE", `{"1":`+yesOnce+`}`), "with other arguments"),
		Entry("another tool", strings.Replace(read, `"tool":"read"`, `"tool":"erase"`, 1), continued("STATE", `{"1":`+yesOnce+`}`), "with other arguments"),
		Entry("another server", strings.Replace(read, `"server":"files"`, `"server":"mail"`, 1), continued("STATE", `{"1":`+yesOnce+`}`), "This call has ended"),
		Entry("a forged state", read, continued("mcp-workbench:AAAA", `{"1":`+yesOnce+`}`), "This call has ended"),
		Entry("a state that is cut", read, continued("mcp-workbench:", `{"1":`+yesOnce+`}`), "This call has ended"),
		Entry("another key", read, continued("STATE", `{"2":`+yesOnce+`}`), "input_required"),
		Entry("responses that are a list", read, continued("STATE", `[`+yesOnce+`]`), "input_required"),
		Entry("no state", read, `,"inputResponses":{"1":`+yesOnce+`}`, "input_required"),
		Entry("the state of a server", read, continued("own", `{"1":`+yesOnce+`}`), "input_required"),
	)

	It("accepts no second and no late answer", spec.InBubble(func(t *testing.T) {
		c, person := begin(t, 30*time.Second)
		state := stateOf(c.send(use("1", read, ""))[0])
		c.send(use("2", read, continued(state, `{"1":{"action":"decline"}}`)))
		Expect(c.send(use("3", read, continued(state, `{"1":`+yesOnce+`}`)))).To(HaveExactElements(ContainSubstring("This call has ended")))
		late := stateOf(c.send(use("4", read, ""))[0])
		time.Sleep(30 * time.Second)
		synctest.Wait()

		Expect(c.send(use("5", read, continued(late, `{"1":`+yesOnce+`}`)))).To(Equal([]string{done("5")}), "which is the outcome of a call that was not made")

		Expect(person.got()).To(Equal([]domain.ConfirmationAnswer{domain.ConfirmationDeclined, domain.ConfirmationWithdrawn}))
	}))
})

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
