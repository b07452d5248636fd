package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// review is a prompt of the server "files" under an odd name, which hosts call "p".
var review = domain.PromptIdentifier{Server: files, Prompt: `code "review"`}

// findsReview finds that prompt and no other.
func findsReview(name string) (domain.PromptIdentifier, error) {
	if name != "p" {
		return domain.PromptIdentifier{}, domain.ErrPromptNotFound
	}
	return review, nil
}

var _ = Describe("Listing prompts", func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	lists := func(definitions ...string) {
		w.listed = func() (list []domain.RegisteredPrompt, _ error) {
			for _, definition := range definitions {
				list = append(list, domain.RegisteredPrompt{Name: "dev__files_p", Prompt: review, Definition: json.RawMessage(definition)})
			}
			return list, nil
		}
	}

	DescribeTable("replaces the name and nothing else", func(definition, want string) {
		lists(definition)

		Expect(w.answer(request("1", "prompts/list", ""))).To(Equal(resultLine("1", `{"prompts":[`+want+`]}`)))
	},
		Entry("in its place",
			`{ "title":"T\u00e9","name":"p" , "description":"[x]","arguments":[ {"name":"p","required":true, "n":9007199254740993} ],"icons":[],"_meta":{"a":1.0},"x":1e2}`,
			`{ "title":"T\u00e9","name":"dev__files_p" , "description":"[x]","arguments":[ {"name":"p","required":true, "n":9007199254740993} ],"icons":[],"_meta":{"a":1.0},"x":1e2}`),
		Entry("written in another way", `{"n\u0061me":"p"}`, `{"n\u0061me":"dev__files_p"}`),
		Entry("even if there are two names", `{"name":"evil","x":1,"name":"p"}`, `{"name":"dev__files_p","x":1}`),
	)

	It("reads one list of a host after the other, and none for a request that was cancelled meanwhile", spec.InBubble(func(t *testing.T) {
		var reading, most, lists atomic.Int64
		w.listed = func() ([]domain.RegisteredPrompt, error) {
			most.Store(max(most.Load(), reading.Add(1)))
			defer reading.Add(-1)
			lists.Add(1)
			time.Sleep(time.Second)
			return nil, nil
		}
		c := w.begin(t)
		for i := range 5 {
			c.send(request(strconv.Itoa(i), "prompts/list", "{}"))
			synctest.Wait() // the first one is read, the others wait
		}
		c.send(cancellation("4"))
		time.Sleep(time.Minute)

		Expect(most.Load()).To(BeEquivalentTo(1))
		Expect(lists.Load()).To(BeEquivalentTo(4))
		Expect(c.lines()).To(HaveLen(4))
	}))

	It("has all prompts on one page, in both eras", func() {
		Expect(w.answer(request("1", "prompts/list", "{}"))).To(Equal(resultLine("1", `{"prompts":[]}`)))
		lists(`{"name":"p"}`, `{"name":"p"}`)
		Expect(w.answer(modern("1", "prompts/list", ""))).To(And(
			HavePrefix(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`), ContainSubstring(`"ttlMs":0,"cacheScope":"private",`),
			HaveSuffix(`"prompts":[{"name":"dev__files_p"},{"name":"dev__files_p"}]}}`)))
		Expect(w.answer(request("1", "prompts/list", `{"cursor":"x"}`))).To(Equal(errorLine("1", -32602, "the cursor does not belong to this list")))
	})

	It("fails when the workbench ends", func() {
		w.listed = func() ([]domain.RegisteredPrompt, error) { return nil, context.Canceled }

		Expect(w.answer(request("1", "prompts/list", ""))).To(Equal(errorLine("1", -32603, "the workbench is shutting down")))
	})
})

var _ = Describe("Getting a prompt", func() {
	var w *workbench
	var passed ports.Request
	var subject domain.PromptIdentifier
	BeforeEach(func() {
		w, passed = newWorkbench(), ports.Request{}
		w.find = findsReview
		w.get = func(_ context.Context, prompt domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
			subject, passed = prompt, request
			reply(ports.Answer{Result: json.RawMessage(`{ "messages":[ ],"n":9007199254740993}`)}, nil)
		}
	})

	DescribeTable("passes on everything but the name and the members for the workbench", func(params, want string) {
		Expect(w.answer(request("1", "prompts/get", params))).To(Equal(resultLine("1", `{ "messages":[ ],"n":9007199254740993}`)))

		Expect(subject).To(Equal(review))
		Expect(passed.Method).To(Equal("prompts/get"))
		Expect(string(passed.Params)).To(Equal(want))
	},
		Entry("in its bytes", `{ "arguments":{ "name":"p","a":1.0 },"name":"p" , "x":[1, 2]}`,
			`{ "arguments":{ "name":"p","a":1.0 },"name":"code \"review\"" , "x":[1, 2]}`),
		Entry("_meta of vendors", `{"name":"p","_meta":{"traceparent":"t","progressToken":7,"x":1.0}}`,
			`{"name":"code \"review\"","_meta":{"traceparent":"t","x":1.0}}`),
		Entry("no task that may be another host's", Label("TQ07"), `{"name":"p","_meta":{"io.modelcontextprotocol\/related-task":{"taskId":"t"},"x":1.0}}`,
			`{"name":"code \"review\"","_meta":{"x":1.0}}`),
		Entry("no _meta that would be empty", `{"_meta":{"progressToken":7},"name":"p"}`, `{"name":"code \"review\""}`),
		Entry("a repeated name", `{"name":"evil","x":1,"name":"p"}`, `{"name":"code \"review\"","x":1}`),
	)

	It("marks the result as complete for a host of 2026-07-28", func() {
		Expect(w.answer(modern("1", "prompts/get", `"name":"p","x":1`))).To(Equal(
			resultLine("1", `{"resultType":"complete", "messages":[ ],"n":9007199254740993}`)))
		Expect(string(passed.Params)).To(Equal(`{"name":"code \"review\"","x":1}`))
	})

	It("passes questions of a server of 2026-07-28 on to a host of 2026-07-28", func() {
		const asks = `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"roots/list"}}}`
		w.get = func(_ context.Context, _ domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
			Expect(request.Input).To(BeNil())
			reply(ports.Answer{Result: json.RawMessage(asks)}, nil)
		}

		Expect(w.answer(modern("1", "prompts/get", `"name":"p"`))).To(Equal(resultLine("1", asks)))
	})

	It("asks a host with a handshake the questions of a server of 2026-07-28", spec.InBubble(func(t *testing.T) {
		var input func(json.RawMessage, func(json.RawMessage, error))
		w.get = func(_ context.Context, _ domain.PromptIdentifier, request ports.Request, _ ports.Reply) {
			input = request.Input
		}
		c := w.begin(t)
		c.send(initialize(`{"roots":{}}`), request("1", "prompts/get", `{"name":"p"}`))
		var more string

		Expect(c.hears(func() {
			input(json.RawMessage(`{"requestState":"s","inputRequests":{"a":{"method":"roots/list"}}}`),
				func(members json.RawMessage, _ error) { more = string(members) })
		})).To(Equal([]string{`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`}))
		c.send(`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`)

		Expect(more).To(Equal(`"inputResponses":{"a":{"roots":[]}},"requestState":"s"`))
	}))

	It("asks a host of 2026-07-28 in the result, and resumes with the next request", spec.InBubble(func(t *testing.T) {
		const able = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}`
		var answer ports.Reply
		w.get = func(_ context.Context, _ domain.PromptIdentifier, _ ports.Request, reply ports.Reply) { answer = reply }
		c := w.begin(t)
		c.send(request("1", "prompts/get", `{"name":"p","_meta":{`+able+`}}`))
		var question *asked
		lines := c.hears(func() { question = w.ask(t.Context(), "elicitation/create", `{"message":"x"}`) })
		Expect(lines).To(HaveExactElements(ContainSubstring(`"resultType":"input_required","inputRequests":{"1":{"method":"elicitation/create"`)))
		state := fields(lines[0])["result"].(map[string]any)["requestState"].(string)
		continuation := `"name":"p","requestState":` + quote(state) + `,"inputResponses":{"1":{"action":"accept"}}`

		Expect(c.send(modern("2", "prompts/get", continuation))).To(BeEmpty())
		Expect(question.times).To(Equal(1))
		Expect(c.hears(func() { answer(ports.Answer{Result: json.RawMessage(`{"messages":[]}`)}, nil) })).To(Equal([]string{
			resultLine("2", `{"resultType":"complete","messages":[]}`),
		}))
		Expect(c.send(modern("3", "prompts/get", continuation))).To(Equal([]string{errorLine("3", -32602,
			"This request has ended: it was answered already, or the time for its input ran out. Get the prompt again.")}))
	}))

	It("does not continue a tool call that needs a confirmation", Label("K02"), spec.InBubble(func(t *testing.T) {
		person := &confirmed{}
		w.use = person.use
		c := w.begin(t)
		able := strings.Replace(modernMeta, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}`, 1)
		asked := c.send(request("1", "tools/call", `{"name":"use_tool","arguments":`+read+`,"_meta":{`+able+`}}`))
		state := fields(asked[0])["result"].(map[string]any)["requestState"].(string)

		Expect(c.send(modern("2", "prompts/get", `"name":"p","requestState":`+quote(state)+`,"inputResponses":{"1":`+yesOnce+`}`))).To(
			HaveExactElements(ContainSubstring("This request has ended")))

		Expect(person.got()).To(BeEmpty())
	}))

	It("has progress under the host's token, and ends when the host cancels it", spec.InBubble(func(t *testing.T) {
		var ended func() error
		w.get = func(ctx context.Context, _ domain.PromptIdentifier, request ports.Request, _ ports.Reply) {
			ended = ctx.Err
			request.Progress(ports.Progress{Before: json.RawMessage(`{"progressToken":`), After: json.RawMessage(`,"progress":1.0}`)})
		}
		for _, line := range []string{
			request("1", "prompts/get", `{"name":"p","_meta":{"progressToken":"t 1"}}`),
			request("2", "prompts/get", `{"name":"p","_meta":{"progressToken":"t 1",`+modernMeta+`}}`),
		} {
			c := w.begin(t)
			Expect(c.send(line)).To(Equal([]string{
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t 1","progress":1.0}}`,
			}))
			for _, id := range []string{"1", "2"} {
				c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
			}
			synctest.Wait()
			Expect(ended()).To(MatchError(context.Canceled))
		}
	}))

	It("asks for the log messages that a host of 2026-07-28 wants", func() {
		w.answer(request("1", "prompts/get", `{"name":"p","_meta":{"io.modelcontextprotocol/logLevel":"error",`+modernMeta+`}}`))

		Expect(passed.LogLevel).To(Equal("error"))
	})

	DescribeTable("fails in the server's own words, or in the workbench's", func(answer ports.Answer, err error, want string) {
		w.get = func(_ context.Context, _ domain.PromptIdentifier, _ ports.Request, reply ports.Reply) {
			reply(answer, err)
		}

		Expect(w.answer(request("1", "prompts/get", `{"name":"p"}`))).To(Equal(want))
	},
		Entry("an error", ports.Answer{Error: json.RawMessage(`{"code":-5, "message":"no","data":1.0}`)}, nil,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-5, "message":"no","data":1.0}}`),
		Entry("a server that is gone", ports.Answer{}, &domain.ServerUnavailableError{ID: files, Reason: errors.New("it exited")},
			errorLine("1", -32603, "could not ask for prompt 'p': it exited")),
	)

	DescribeTable("refuses requests without a known prompt", func(params, want string) {
		Expect(w.answer(request("1", "prompts/get", params))).To(Equal(errorLine("1", -32602, want)))
		Expect(passed).To(BeZero())
	},
		Entry("no name", `{}`, "name must be the name of a prompt"), Entry("an empty one", `{"name":""}`, "name must be the name of a prompt"),
		Entry("a number", `{"name":7}`, "name must be the name of a prompt"), Entry("null", `{"name":null}`, "name must be the name of a prompt"),
		Entry("params that are not an object", `[]`, "params must be an object"),
		Entry("an unknown name", `{"name":"dev__files_p"}`,
			"Prompt 'dev__files_p' not found: the prompts of a toolbox are here while it is open; list the prompts to see them"),
	)
})

var _ = Describe("Completing an argument", func() {
	var w *workbench
	var passed, subject string
	BeforeEach(func() {
		w, passed, subject = newWorkbench(), "", ""
		w.find = findsReview
		w.complete = func(about string, request ports.Message, reply ports.Reply) {
			subject, passed = about, request.Method+" "+string(request.Params)
			reply(ports.Answer{Result: json.RawMessage(`{"completion":{"values":["a"],"total":1.0 }}`)}, nil)
		}
	})

	DescribeTable("asks its server, and passes the answer on", func(params, about, want string) {
		Expect(w.answer(request("1", "completion/complete", params))).To(Equal(resultLine("1", `{"completion":{"values":["a"],"total":1.0 }}`)))
		Expect(subject).To(Equal(about))
		Expect(passed).To(Equal("completion/complete " + want))
	},
		Entry("of a prompt, under the server's name for it",
			`{"argument":{"name":"p","value":""}, "ref":{ "type":"ref/prompt","title":"T","name":"p" },"context":{"arguments":{"a":"b"}},"_meta":{"progressToken":1,"x":2}}`,
			`prompt code "review"`,
			`{"argument":{"name":"p","value":""}, "ref":{ "type":"ref/prompt","title":"T","name":"code \"review\"" },"context":{"arguments":{"a":"b"}},"_meta":{"x":2}}`),
		Entry("of a prompt that is named twice", `{"ref":{"name":"evil","type":"ref/prompt","name":"p"}}`, `prompt code "review"`,
			`{"ref":{"name":"code \"review\"","type":"ref/prompt"}}`),
		Entry("of a resource template", `{"ref":{"type":"ref/resource","uri":"a://{id}" },"argument":{"name":"id","value":"1"}}`, `template a://{id}`,
			`{"ref":{"type":"ref/resource","uri":"a://{id}" },"argument":{"name":"id","value":"1"}}`),
	)

	It("marks the result as complete for a host of 2026-07-28", func() {
		for _, ref := range []string{`{"type":"ref/prompt","name":"p"}`, `{"type":"ref/resource","uri":"a"}`} {
			Expect(w.answer(modern("1", "completion/complete", `"ref":`+ref))).To(Equal(
				resultLine("1", `{"resultType":"complete","completion":{"values":["a"],"total":1.0 }}`)))
		}
	})

	DescribeTable("refuses an unusable reference", Label("S18"), func(params string) {
		Expect(w.answer(request("1", "completion/complete", params))).To(Equal(errorLine("1", -32602,
			`ref must be {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}`)))
		Expect(passed).To(BeEmpty())
	},
		Entry("no reference", `{"argument":{"name":"a","value":""}}`), Entry("null", `{"ref":null}`), Entry("a list", `{"ref":[]}`),
		Entry("another kind", `{"ref":{"type":"ref/tool","name":"p"}}`), Entry("no kind", `{"ref":{"name":"p","uri":"a"}}`),
		Entry("a prompt without a name", `{"ref":{"type":"ref/prompt","uri":"a"}}`), Entry("a number", `{"ref":{"type":"ref/prompt","name":7}}`),
		Entry("a template without one", `{"ref":{"type":"ref/resource","name":"p"}}`),
	)

	It("reports an unknown prompt or resource", func() {
		Expect(w.answer(request("1", "completion/complete", `{"ref":{"type":"ref/prompt","name":"x"}}`))).To(HavePrefix(
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Prompt 'x' not found: `))
		w.complete = func(_ string, _ ports.Message, reply ports.Reply) { reply(ports.Answer{}, domain.ErrResourceNotFound) }
		Expect(w.answer(request("1", "completion/complete", `{"ref":{"type":"ref/resource","uri":"a"}}`))).To(Equal(
			errorLine("1", -32602, "Resource template 'a' not found")))
	})

	It("fails in the server's own words, or in the workbench's", func() {
		answer, failure := ports.Answer{Error: json.RawMessage(`{"code":-5, "message":"no"}`)}, error(nil)
		w.complete = func(_ string, _ ports.Message, reply ports.Reply) { reply(answer, failure) }
		for _, ref := range []string{`{"type":"ref/prompt","name":"p"}`, `{"type":"ref/resource","uri":"p"}`} {
			answer, failure = ports.Answer{Error: json.RawMessage(`{"code":-5, "message":"no"}`)}, nil
			Expect(w.answer(request("1", "completion/complete", `{"ref":`+ref+`}`))).To(Equal(`{"jsonrpc":"2.0","id":1,"error":{"code":-5, "message":"no"}}`))
			answer, failure = ports.Answer{}, &domain.ServerUnavailableError{ID: files, Reason: errors.New("it exited")}
			Expect(w.answer(request("1", "completion/complete", `{"ref":`+ref+`}`))).To(ContainSubstring(`: it exited"`))
		}
	})
})

var _ = Describe("A change of prompts", func() {
	const changed = `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	change := func(server domain.ServerID) {
		w.host.Notify(server, ports.Notification{Method: "notifications/prompts/list_changed", Params: []byte(`{"_meta":{"x":1}}`)})
	}
	// during calls f while a toolbox is being opened.
	during := func(f func()) {
		w.open = func(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) {
			f()
			return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev"}}, nil
		}
	}
	open := request("1", "tools/call", `{"name":"open_toolbox","arguments":{"toolbox":"dev"}}`)

	It("is reported to a host with a handshake immediately", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.hears(func() { change(files) })).To(Equal([]string{changed}))
	}))

	It("is reported once, after the answer that opens their toolbox", spec.InBubble(func(t *testing.T) {
		during(func() { change(files); change(files) })
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.send(open)).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`), Equal(changed)))
		during(func() {})
		Expect(c.send(open)).To(HaveLen(1))
	}))

	It("does not wait for the answer about another toolbox", spec.InBubble(func(t *testing.T) {
		during(func() { change(domain.ServerID{Toolbox: "ops", Server: "files"}) })
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.send(open)).To(HaveExactElements(Equal(changed), HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`)))
	}))

	It("is reported beside the change of tools, after the answer that closes their toolbox", spec.InBubble(func(t *testing.T) {
		w.registered = mcpserver.NewRegistered(closing(func() { change(files); w.host.ToolsChanged("dev") }), &fakeRegistry{})
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.send(request("1", "tools/call", `{"name":"close_toolbox","arguments":{"toolbox":"dev"}}`))).To(HaveExactElements(
			HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`), ContainSubstring("notifications/tools/list_changed"), Equal(changed)))
	}))

	It("is reported only to a host of 2026-07-28 that listens for it", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		const meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":1}`
		Expect(c.hears(func() { change(files) })).To(BeEmpty())
		Expect(c.send(modern("1", "subscriptions/listen", `"notifications":{"promptsListChanged":true}`))).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + meta + `,"notifications":{"promptsListChanged":true}}}`,
		}))
		c.send(modern("2", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`))

		Expect(c.hears(func() { change(files) })).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{` + meta + `}}`,
		}))
	}))
})

// closing closes toolboxes and does something meanwhile.
type closing func()

func (f closing) CloseToolbox(_ context.Context, toolbox domain.ToolboxName) (domain.ClosedToolbox, error) {
	f()
	return domain.ClosedToolbox{Toolbox: toolbox}, nil
}
