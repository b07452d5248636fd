package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
