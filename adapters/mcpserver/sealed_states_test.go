package mcpserver_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// remote is one of several hosts: its requests come one at a time.
type remote struct {
	*mcpserver.Receiver
}

func (w *workbench) remote(ctx context.Context) *remote {
	return &remote{w.server().Receiver(ctx, &oneAnswer{})}
}

// send sends a request and returns what it is answered with, "" for nothing yet.
func (r *remote) send(text string) string {
	in := spec.Must(mcpserver.ReadIncoming(rawjson.NewScanner(), []byte(text)))
	answer := &oneAnswer{}
	r.Receive(in, answer)
	return answer.await()
}

// oneAnswer keeps the answer to a request.
type oneAnswer struct {
	mu   sync.Mutex
	text string
}

func (*oneAnswer) Write(jsonrpc.Frame) {}

func (*oneAnswer) WriteProgress(jsonrpc.Frame) {}

func (*oneAnswer) TryWrite(jsonrpc.Frame) error { return nil }

func (*oneAnswer) Cancelled() {}

func (a *oneAnswer) Answer(frame jsonrpc.Frame, _ bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text = string(frame.Message())
}

// await returns the answer once nothing more happens.
func (a *oneAnswer) await() string {
	synctest.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.text
}

// continuable is a server that gives its state to each user of a tool, a prompt or a
// resource of it, and keeps the members that it was continued with.
type continuable struct {
	result    string
	continued []string
}

func (c *continuable) at(w *workbench) {
	answer := func(params json.RawMessage, reply ports.Reply) {
		if strings.Contains(strings.ToLower(string(params)), "requeststate") {
			c.continued = append(c.continued, string(params))
		}
		reply(ports.Answer{Result: json.RawMessage(c.result)}, nil)
	}
	w.use = func(_ context.Context, _ domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
		answer(call.ExtraParams, reply)
	}
	w.find = findsReview
	w.get = func(_ context.Context, _ domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
		answer(request.Params, reply)
	}
	w.resource = func(_ string, request ports.Message, reply ports.Reply) { answer(request.Params, reply) }
	w.task = func(_ string, request ports.Message, reply ports.Reply) { answer(request.Params, reply) }
	w.complete = func(_ string, request ports.Message, reply ports.Reply) { answer(request.Params, reply) }
}

// Requests with further raw members in front.
func continuedUse(members, arguments string) string {
	return modern("1", "tools/call", members+`"name":"use_tool","arguments":`+arguments)
}

func continuedPrompt(members, name string) string {
	return modern("1", "prompts/get", members+`"name":"`+name+`"`)
}

func continuedRead(members, uri string) string {
	return modern("1", "resources/read", members+`"uri":"`+uri+`"`)
}

// sealedIn returns the state in a line.
func sealedIn(line string) string {
	GinkgoHelper()
	Expect(line).To(ContainSubstring(`"resultType":"input_required"`))
	return fields(line)["result"].(map[string]any)["requestState"].(string)
}

var _ = Describe("The requestState of a server with several hosts", Label("B01"), func() {
	// The bytes of what a server says are kept, however it writes them.
	const state = `"st\u00e4te\/ of \"a\""`
	const before, after = `{ "a":1.0,"requestState": `, ` ,"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}}`
	const refused = "The requestState was not given to you for this request"
	var (
		w      *workbench
		server *continuable
	)
	BeforeEach(func() {
		w, server = newWorkbench(), &continuable{result: before + state + after}
		server.at(w)
	})
	returned := func(text string) string {
		return `"inputResponses":{"q":{ }},"requestState":` + quote(text) + `,`
	}
	inBubble := func(body func(r *remote)) func() {
		return spec.InBubble(func(t *testing.T) {
			r := w.remote(t.Context())
			defer r.Close(t.Context())
			body(r)
		})
	}

	for _, way := range []struct {
		what string
		ask  func(members string) string
	}{
		{"a tool", func(members string) string { return continuedUse(members, read) }},
		{"a prompt", func(members string) string { return continuedPrompt(members, "p") }},
		{"a resource", func(members string) string { return continuedRead(members, "file:///x") }},
	} {
		what, ask := way.what, way.ask
		It("is sealed for "+what+", alone of all bytes, and comes back as it was", inBubble(func(r *remote) {
			line := r.send(ask(""))
			sealed := sealedIn(line)
			Expect(line).To(Equal(resultLine("1", before+quote(sealed)+after)))

			Expect(r.send(ask(returned(sealed)))).To(Equal(line))

			Expect(server.continued).To(HaveExactElements(ContainSubstring(`"requestState":` + state)))
			Expect(server.continued[0]).To(ContainSubstring(`"inputResponses":{"q":{ }}`))
			Expect(server.continued[0]).NotTo(ContainSubstring("sealed"))
		}))

		It("is refused for "+what+" where anything of it was altered, and nothing is done", inBubble(func(r *remote) {
			sealed := sealedIn(r.send(ask("")))
			altered := []string{"", "x", "mcp-workbench-sealed:", sealed + "A", sealed + "\n", sealed + "=", sealed[1:], strings.ToUpper(sealed)}
			for i := range sealed {
				altered = append(altered, sealed[:i]+string(sealed[i]^1)+sealed[i+1:], sealed[:i]+"\n"+sealed[i:], sealed[:i])
			}
			for _, text := range altered {
				Expect(r.send(ask(returned(text)))).To(ContainSubstring(refused), text)
			}
			Expect(server.continued).To(BeEmpty())
		}))

		It("is refused for "+what+" from another host and after the end of the session", inBubble(func(r *remote) {
			sealed := sealedIn(r.send(ask("")))
			for _, other := range []*remote{w.remote(context.Background()), w.remote(context.Background())} {
				Expect(other.send(ask(returned(sealed)))).To(ContainSubstring(refused))
				other.Close(context.Background())
			}
			Expect(server.continued).To(BeEmpty())
		}))
	}

	It("is refused for any other request than its own", inBubble(func(r *remote) {
		tool := returned(sealedIn(r.send(continuedUse("", read))))
		prompt := returned(sealedIn(r.send(continuedPrompt("", "p"))))
		resource := returned(sealedIn(r.send(continuedRead("", "file:///x"))))
		for _, line := range []string{
			continuedUse(tool, strings.Replace(read, `"read"`, `"write"`, 1)), continuedUse(tool, strings.Replace(read, "files", "other", 1)),
			continuedUse(tool, strings.Replace(read, "dev", "ops", 1)), continuedUse(prompt, read), continuedUse(resource, read),
			continuedPrompt(tool, "p"), continuedPrompt(resource, "p"),
			continuedRead(tool, "file:///x"), continuedRead(prompt, "file:///x"), continuedRead(resource, "file:///y"),
			modern("1", "tasks/get", resource+`"taskId":"file:///x"`), modern("1", "tasks/update", tool+`"taskId":"x"`),
			modern("1", "completion/complete", prompt+`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`),
		} {
			Expect(r.send(line)).To(ContainSubstring(refused), line)
		}
		Expect(server.continued).To(BeEmpty())
	}))

	It("is accepted with other arguments, which the server sees beside it", inBubble(func(r *remote) {
		sealed := sealedIn(r.send(continuedUse("", read)))

		r.send(continuedUse(returned(sealed), strings.Replace(read, `"n":1`, `"n":2`, 1)))

		Expect(server.continued).To(HaveLen(1))
	}))

	It("is refused without its seal, in either era and however it is spelled", inBubble(func(r *remote) {
		sealed := sealedIn(r.send(continuedUse("", read)))
		raw := spec.Must(base64.RawURLEncoding.DecodeString(strings.TrimPrefix(sealed, "mcp-workbench-sealed:")))
		inner := string(raw[32:])
		Expect(inner).To(Equal(state), "which is no secret")
		for _, line := range []string{
			continuedUse(`"requestState":`+inner+`,`, read), continuedUse(`"request\u0053tate":`+inner+`,`, read),
			continuedUse(`"requestState":{"a":1},`, read), continuedUse(`"requestState":`+inner+`,"requestState":`+inner+`,`, read),
			request("1", "tools/call", `{"requestState":`+inner+`,"name":"use_tool","arguments":`+read+`}`),
			request("1", "tools/call", `{"requestState":"mcp-workbench:x","name":"use_tool","arguments":`+read+`}`),
			continuedPrompt(`"requestState":`+inner+`,`, "p"), continuedRead(`"requestState":"mcp-workbench:x",`, "file:///x"),
		} {
			Expect(r.send(line)).To(ContainSubstring(refused), line)
		}
		spelled := `"RequestState":` + inner + `,"requeſtstate":` + inner + `,`
		r.send(continuedPrompt(spelled, "p"))
		r.send(modern("1", "completion/complete", spelled+`"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}`))
		r.send(continuedUse(spelled, read))
		r.send(continuedRead(spelled, "file:///x"))

		Expect(server.continued).To(BeEmpty())
	}))

	It("is the only one when a server sends two", inBubble(func(r *remote) {
		server.result = `{"requestState":"one","resultType":"input_required","requestState":"two"}`

		line := r.send(continuedUse("", read))

		Expect(line).NotTo(Or(ContainSubstring("one"), ContainSubstring("two")))
		r.send(continuedUse(returned(sealedIn(line)), read))
		Expect(server.continued).To(HaveExactElements(ContainSubstring(`"requestState":"two"`)))
	}))

	DescribeTable("leaves other results unchanged", func(result string) {
		server.result = result
		inBubble(func(r *remote) { Expect(r.send(continuedUse("", read))).To(Equal(resultLine("1", result))) })()
	},
		Entry("a whole result", `{"resultType":"complete","requestState":"x","a":"input_required"}`),
		Entry("a question without a state", `{"resultType":"input_required","inputRequests":{}}`),
		Entry("a state that is null", `{"resultType":"input_required","requestState": null}`),
		Entry("a text that mentions one", `{"resultType":"complete","content":[{"resultType":"input_required","requestState":"x"}]}`),
	)

	It("is the server's own with one host", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)

		Expect(c.send(continuedUse("", read))).To(Equal([]string{resultLine("1", before+state+after)}))
		c.send(continuedUse(`"requestState":`+state+`,`, read))

		Expect(server.continued).To(Equal([]string{`"requestState":` + state}))
	}))

	It("is sealed there too if it is that of a workbench, which is another one", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		for _, state := range []string{`"mcp-workbench:x"`, `"mcp-workbench-sealed:x"`} {
			server.result, server.continued = before+state+after, nil
			lines := c.send(continuedUse("", read))
			Expect(lines).To(HaveLen(1))

			c.send(continuedUse(returned(sealedIn(lines[0])), read))

			Expect(server.continued).To(HaveExactElements(ContainSubstring(`"requestState":` + state)))
		}
		Expect(c.send(continuedUse(returned("mcp-workbench-sealed:x"), read))).To(HaveExactElements(ContainSubstring(refused)))
	}))
})
