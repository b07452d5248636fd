package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A call of a host of 2026-07-28 during which the server asks", func() {
	const able = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}`
	var (
		w      *workbench
		server *slowServer
	)
	BeforeEach(func() {
		w, server = newWorkbench(), &slowServer{}
		w.use = server.use
	})
	// call calls the tool, or continues a call with these members.
	call := func(id, members string) string {
		return request(id, "tools/call", `{"name":"use_tool","arguments":`+read+members+`,"_meta":{`+able+`}}`)
	}
	// stateOf returns the state that a host is to continue with.
	stateOf := func(line string) string {
		Expect(line).To(ContainSubstring(`"resultType":"input_required"`))
		return fields(line)["result"].(map[string]any)["requestState"].(string)
	}
	// begun begins a call in which the server asks, and returns what the host got.
	begun := func(t *testing.T, c *conversation) (*asked, string) {
		Expect(c.send(call("1", ""))).To(BeEmpty())
		var question *asked
		lines := c.hears(func() { question = w.ask(t.Context(), "elicitation/create", `{"message":"which?"}`) })
		Expect(lines).To(HaveLen(1))
		return question, lines[0]
	}
	continued := func(id, state, responses string) string {
		return call(id, `,"requestState":`+quote(state)+`,"inputResponses":`+responses)
	}
	ended := func(id string) string {
		return errorLine(id, -32602, "This call has ended: it was answered already, or the time for its input ran out. Call the tool again.")
	}

	It("is answered with the question, and continued with the answer", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		question, line := begun(t, c)
		Expect(line).To(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` +
			`"1":{"method":"elicitation/create","params":{"message":"Server 'files' (toolbox 'dev') asks:\nwhich?"}}},"requestState":"mcp-workbench:`))

		Expect(c.send(continued("2", stateOf(line), `{"1":{ "action":"accept"}}`))).To(BeEmpty())
		Expect(*question).To(Equal(asked{times: 1, result: `{ "action":"accept"}`}))
		Expect(c.hears(func() { server.answer(0, `{"content":[]}`) })).To(Equal([]string{
			resultLine("2", `{"resultType":"complete","content":[]}`),
		}))
		arrived, _ := server.counts()
		Expect(arrived).To(Equal(1), "the call is made once")
	}))

	It("can be asked again, under another state", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		_, line := begun(t, c)
		first := stateOf(line)
		c.send(continued("2", first, `{"1":{}}`))

		lines := c.hears(func() { w.ask(t.Context(), "elicitation/create", `{"message":"sure?"}`) })

		Expect(lines).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"2":`)))
		Expect(stateOf(lines[0])).NotTo(Equal(first))
		Expect(c.send(continued("3", first, `{}`))).To(Equal([]string{ended("3")}))
	}))

	It("keeps its outcome while the host is asked for input", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		_, line := begun(t, c)
		server.answer(0, `{"content":["kept"]}`)

		Expect(c.send(continued("2", stateOf(line), `{}`))).To(Equal([]string{
			resultLine("2", `{"resultType":"complete","content":["kept"]}`),
		}))
		Expect(c.send(continued("3", stateOf(line), `{}`))).To(Equal([]string{ended("3")}))
	}))

	It("ends when the host does not continue it in time", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		_, line := begun(t, c)

		time.Sleep(w.limits.InputReply)
		synctest.Wait()

		_, givenUp := server.counts()
		Expect(givenUp).To(Equal(1))
		Expect(c.send(continued("2", stateOf(line), `{}`))).To(Equal([]string{ended("2")}))
	}))

	It("ends when the request that continues it is cancelled", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		_, line := begun(t, c)
		c.send(continued("2", stateOf(line), `{"1":{}}`))

		Expect(c.send(cancellation("2"))).To(BeEmpty())

		_, givenUp := server.counts()
		Expect(givenUp).To(Equal(1))
	}))

	It("repeats a question that a continuation leaves open", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		question, line := begun(t, c)

		Expect(c.send(continued("2", stateOf(line), `{"7":{}}`))).To(HaveExactElements(ContainSubstring(`"inputRequests":{"1":{`)))
		Expect(question.times).To(BeZero())
	}))

	It("ends with a host that is gone for good, and leaves nothing behind", Label("B02"), spec.InBubble(func(t *testing.T) {
		r := w.remote(t.Context())
		for id := range 3 {
			Expect(r.send(call(strconv.Itoa(id), ""))).To(BeEmpty())
		}
		questions := []*asked{w.ask(t.Context(), "elicitation/create", `{}`), w.ask(t.Context(), "elicitation/create", `{}`)}
		server.answer(2, `{"content":["kept"]}`)

		r.Close(t.Context())
		synctest.Wait()

		_, givenUp := server.counts()
		Expect(givenUp).To(Equal(2))
		for _, question := range questions {
			Expect(question.object).To(ContainSubstring("the call that this request belongs to has ended"))
		}
		time.Sleep(w.limits.InputReply)
		synctest.Wait()
		Expect(w.log.lines()).NotTo(ContainElement(ContainSubstring("did not continue in time")))
		Expect(w.ask(t.Context(), "elicitation/create", `{}`).object).To(ContainSubstring("the host is gone"))
	}))

	It("is known only by its state and its tool", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		_, line := begun(t, c)
		other := `{"tool":{"toolbox":"dev","server":"db","tool":"read"}}`

		Expect(c.send(modern("2", "tools/call", `"name":"use_tool","requestState":`+quote(stateOf(line))+`,"arguments":`+other))).To(Equal([]string{ended("2")}))
		Expect(c.send(continued("3", "mcp-workbench:guess", `{}`))).To(Equal([]string{ended("3")}))
		arrived, _ := server.counts()
		Expect(arrived).To(Equal(1))
	}))

	It("withdraws a question that the server cancels", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		ctx, cancel := context.WithCancel(t.Context())
		c.send(call("1", ""))
		var question *asked
		lines := c.hears(func() { question = w.ask(ctx, "elicitation/create", `{}`) })

		cancel()
		synctest.Wait()

		Expect(*question).To(Equal(asked{times: 1, err: context.Canceled}))
		Expect(c.send(continued("2", stateOf(lines[0]), `{"1":{}}`))).To(BeEmpty())
		Expect(question.times).To(Equal(1))
	}))

	It("passes the server's own state, and the answers to it, on to the server", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)

		c.send(continued("1", "of the server", `{"a":{"x":1.0}}`))

		Expect(w.calls()).To(HaveLen(1))
		Expect(w.calls()[0].more).To(Equal(`"inputResponses":{"a":{"x":1.0}},"requestState":"of the server"`))
	}))

	It("is the only time at which such a host can be asked", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(request("1", "tools/list", `{"_meta":{`+able+`}}`))

		Expect(w.ask(t.Context(), "elicitation/create", "{}").object).To(Equal(`{"code":-32601,"message":"the host can only be asked during a call"}`))
		Expect(w.ask(t.Context(), "x", "{}").object).To(Equal(`{"code":-32601,"message":"the host cannot be asked for x"}`))
	}))
})

var _ = Describe("Resources and tasks of servers", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })

	It("are listed with their server, in its bytes", func() {
		w.list = func(kind domain.ResourceKind) ([]domain.Resource, error) {
			if kind == domain.ResourceTemplates {
				return []domain.Resource{{Server: files, Definition: json.RawMessage(`{"uriTemplate":"{+path}"}`)}}, nil
			}
			return []domain.Resource{
				{Server: files, Definition: json.RawMessage(`{"uri":"f:a","size":1.0,"name":"a"}`)},
				{Server: files, Definition: json.RawMessage(`{"uri":"f:b","name":"b","_meta":{"x":1}}`)},
				{Server: files, Definition: json.RawMessage(`{"uri":"f:c","name":null,"_meta":null,"description":null}`)},
				{Server: files, Definition: json.RawMessage(`{"uri":"d","name":"d"}`)},
				{Server: files, Definition: json.RawMessage(`null`)},
			}, nil
		}

		Expect(w.answer(request("1", "resources/list", ""))).To(Equal(resultLine("1", `{"resources":[`+
			`{"_meta":{"mcp-workbench/server":"dev/files"},"uri":"f:a","size":1.0,"name":"a"},`+
			`{"uri":"f:b","name":"b","_meta":{"mcp-workbench/server":"dev/files","x":1}},`+
			`{"_meta":{"mcp-workbench/server":"dev/files"},"uri":"f:c","name":"f:c"}]}`)))
		for _, reason := range []string{"they have no address", "their addresses do not begin with a scheme"} {
			Expect(w.log.lines()).To(ContainElement(And(ContainSubstring("left entries out of a list, since "+reason), ContainSubstring("server=files entries=1"))))
		}
		Expect(w.answer(request("1", "resources/templates/list", ""))).To(Equal(resultLine("1",
			`{"resourceTemplates":[{"_meta":{"mcp-workbench/server":"dev/files"},"uriTemplate":"{+path}","name":"{+path}"}]}`)))
		Expect(w.answer(request("1", "resources/list", `{"cursor":"x"}`))).To(Equal(errorLine("1", -32602, "the cursor does not belong to this list")))
	})

	DescribeTable("are requested, and the answer is passed on",
		func(method, params string, purpose ports.ResourcePurpose, ends bool) {
			var passed string
			answer := func(_ string, request ports.Message, reply ports.Reply) {
				passed = request.Method + " " + string(request.Params)
				reply(ports.Answer{Result: json.RawMessage(`{"n":1.0 }`)}, nil)
			}
			w.resource, w.task = answer, answer

			Expect(w.answer(request("1", method, params))).To(Equal(resultLine("1", `{"n":1.0 }`)))
			Expect(passed).To(Equal(method + " " + params))
			Expect(w.lastPurpose()).To(Equal(purpose))
			Expect(w.lastEnds()).To(Equal(ends))
		},
		Entry("to read one", "resources/read", `{"uri":"file:///a"}`, ports.ReadResource, false),
		Entry("to subscribe to one", "resources/subscribe", `{"uri":"file:///a","_meta":{"x":1}}`, ports.SubscribeResource, false),
		Entry("to unsubscribe", "resources/unsubscribe", `{"uri":"file:///a"}`, ports.UnsubscribeResource, false),
		Entry("the state of a task", "tasks/get", `{"taskId":"t"}`, ports.ReadResource, false),
		Entry("the result of a task", "tasks/result", `{"taskId":"t"}`, ports.ReadResource, true),
		Entry("to end a task", "tasks/cancel", `{"taskId":"t"}`, ports.ReadResource, true),
	)

	DescribeTable("are requested as the one task that was looked for, whatever else a request names", Label("M10"),
		func(params, task, passed string) {
			w.task = func(id string, request ports.Message, reply ports.Reply) {
				Expect([]string{id, string(request.Params)}).To(Equal([]string{task, passed}))
				reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
			}
			Expect(w.answer(request("1", "tasks/get", params))).To(Equal(resultLine("1", "{}")))
		},
		Entry("twice", `{"taskId":"other","taskId":"own"}`, "own", `{"taskId":"own"}`),
		Entry("in another case", `{"TaskId":"other","taskId":"own","taskid":"other"}`, "own", `{"taskId":"own"}`),
		Entry("as an escape", `{"taskId":"own","task\u0049d":"other"}`, "other", `{"taskId":"other"}`),
		Entry("beside it, in what continues a request",
			`{"taskId":"own","task":{"taskId":"other"},"inputResponses":{"taskId":"other"},"requestId":1}`,
			"own", `{"taskId":"own","task":{"taskId":"other"},"inputResponses":{"taskId":"other"}}`),
		Entry("as an object", `{"taskId":{"taskId":"other"}}`, "", `{"taskId":{"taskId":"other"}}`),
	)

	It("fail in their servers' own words, or in the workbench's", func() {
		w.resource = func(_ string, _ ports.Message, reply ports.Reply) {
			reply(ports.Answer{Error: json.RawMessage(`{"code":-5, "message":"no"}`)}, nil)
		}
		Expect(w.answer(request("1", "resources/read", `{"uri":"a"}`))).To(Equal(`{"jsonrpc":"2.0","id":1,"error":{"code":-5, "message":"no"}}`))

		gone := func(_ string, _ ports.Message, reply ports.Reply) {
			reply(ports.Answer{}, &domain.ServerUnavailableError{ID: files, Reason: errors.New("it exited")})
		}
		w.resource, w.task = gone, gone
		Expect(w.answer(request("1", "resources/read", `{"uri":"a"}`))).To(Equal(errorLine("1", -32603, "could not ask for resource 'a': it exited")))
		Expect(w.answer(request("1", "tasks/get", `{"taskId":"t"}`))).To(Equal(errorLine("1", -32603, "could not ask for task 't': it exited")))
	})

	It("are reported as not found, in the form of each protocol version, when no server has them", func() {
		Expect(w.answer(request("1", "resources/read", `{"uri":"a"}`))).To(Equal(
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found","data":{"uri":"a"}}}`))
		Expect(w.answer(modern("1", "resources/read", `"uri":"a"`))).To(Equal(
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"a"}}}`))
		Expect(w.answer(request("1", "resources/read", `{"uri":7}`))).To(Equal(errorLine("1", -32602, "uri must be the URI of a resource")))
		Expect(w.answer(request("1", "tasks/get", `{"taskId":"t"}`))).To(Equal(
			errorLine("1", -32602, "Task 't' not found: no running server created it")))
	})

	It("are reported to their subscriptions until the conversation ends", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		const meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}`
		Expect(c.send(modern(`"s"`, "subscriptions/listen", `"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["a"],"toolsListChanged":true}`))).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + meta + `,"notifications":{` +
				`"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a"]}}}`,
		}))

		Expect(c.hears(func() {
			w.host.Notify(files, ports.Notification{Method: "notifications/resources/list_changed"})
			w.host.Notify(files, ports.Notification{Method: "notifications/resources/updated", Params: json.RawMessage(`{"uri":"a"}`)})
			w.host.Notify(files, ports.Notification{Method: "notifications/resources/updated", Params: json.RawMessage(`{"uri":"b"}`)})
		})).To(HaveExactElements(
			And(ContainSubstring("notifications/resources/list_changed"), ContainSubstring(meta)),
			And(ContainSubstring(`"uri":"a"`), ContainSubstring(meta)),
		))
		Expect(c.hears(c.end)).To(Equal([]string{resultLine(`"s"`, `{"resultType":"complete",`+meta+`}`)}))
	}))

	It("are reported for resources below the one that is subscribed to", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(modern(`"s"`, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["file:///d"]}`))

		Expect(c.hears(func() {
			w.host.Notify(files, ports.Notification{Method: "notifications/resources/updated", Params: json.RawMessage(`{"uri":"file:///d/x"}`)})
			w.host.Notify(files, ports.Notification{Method: "notifications/resources/updated", Params: json.RawMessage(`{"uri":"file:///dx"}`)})
		})).To(HaveExactElements(ContainSubstring(`"uri":"file:///d/x"`)))
	}))

	It("end a subscription to none of them immediately", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)

		Expect(c.send(modern("1", "subscriptions/listen", `"notifications":{"weatherChanged":true}`))).To(HaveExactElements(
			ContainSubstring("notifications/subscriptions/acknowledged"), HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`)))
	}))
})

var _ = Describe("The input of a host for a question of a server", Label("TQ01"), func() {
	const asks = `{"resultType":"input_required","requestState":"\u0073","inputRequests":{"a":{"method":"roots/list"}}}`
	var w *workbench
	var passed ports.Request
	BeforeEach(func() {
		w, passed = newWorkbench(), ports.Request{}
		w.find = findsReview
		w.get = func(_ context.Context, _ domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
			passed = request
			reply(ports.Answer{Result: json.RawMessage(asks)}, nil)
		}
	})
	const continuation = `"inputResponses":{"a":{ }},"requestState":"s"`

	It("is passed on in its bytes, and refused without a question", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		continued := modern("1", "prompts/get", `"name":"p",`+continuation)
		Expect(c.send(continued)).To(HaveExactElements(ContainSubstring(`"code":-32602`)))
		Expect(passed.Params).To(BeNil())
		c.send(modern("1", "prompts/get", `"name":"p"`))

		c.send(continued)

		Expect(string(passed.Params)).To(Equal(`{"name":"code \"review\"",` + continuation + `}`))
	}))

	It("is refused after two thousand later questions, and not after eight hundred", Label("large"), spec.InBubble(func(t *testing.T) {
		w.resource = func(uri string, _ ports.Message, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{"resultType":"input_required","requestState":` + quote(uri) + `}`)}, nil)
		}
		c := w.begin(t)
		ask := func(i int, more string) string {
			lines := c.send(modern("1", "resources/read", fmt.Sprintf(`"uri":"file:///%d"%s`, i, more)))
			Expect(lines).To(HaveLen(1))
			return lines[0]
		}
		for i := range 2_800 {
			ask(i, "")
		}

		Expect(ask(2_001, `,"requestState":"file:///2001"`)).To(ContainSubstring("input_required"))
		Expect(ask(799, `,"requestState":"file:///799"`)).To(ContainSubstring(`"code":-32602`))
	}))
})
