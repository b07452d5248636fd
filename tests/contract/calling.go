package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/fixtures/script"
)

// echoServer returns a server whose tools answer with their arguments.
func echoServer() script.Script {
	return script.Script{Rules: []script.Rule{script.Answer("", `{"content":[],"got":${arguments}}`)}}
}

// odd is JSON that decoding and encoding would change.
const odd = `{ "n":12345678901234567890.10, "e":1E+2,"n":1, "s":"\u0041\/é<", "z":{ } }`

func describeCalling(on *trial) {
	Context("calling a tool", func() {
		It("carries arguments and result in their own bytes", func() {
			session := on.play(echoServer())

			call := on.beginCall(session, ports.ToolCall{Name: "read", Arguments: json.RawMessage(odd)})

			Expect(call.result()).To(Equal(`{"content":[],"got":` + odd + `}`))
		})

		It("carries a failure in the server's bytes", func() {
			failure := `{"code":-32050, "message":"no","data":` + odd + `,"more":[]}`
			session := on.play(script.Script{Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{{Error: failure}}}}})

			outcome := on.begin(session, "read").end()

			Expect(outcome).To(Equal(outcomeOf("", failure)))
		})

		It("carries any name of a tool", func() {
			name := "a\"b\\\n\u001b é/../${x}"
			session := on.play(answeringServer())

			on.use(session, name)

			var got string
			Expect(json.Unmarshal([]byte(member(on.hears("tools/call"), "params", "name")), &got)).To(Succeed())
			Expect(got).To(Equal(name))
		})

		It("carries further parameters and metadata", func() {
			session := on.play(answeringServer())

			on.beginCall(session, ports.ToolCall{
				Name: "read", Arguments: json.RawMessage("{}"),
				ExtraParams: json.RawMessage(`"task":{"ttl":1.0}`), Meta: json.RawMessage(`"x":[1, 2],"y":{}`),
			}).result()

			called := on.hears("tools/call")
			Expect(member(called, "params", "task")).To(Equal(`{"ttl":1.0}`))
			Expect(member(called, "params", "_meta", "x")).To(Equal(`[1, 2]`))
			Expect(member(called, "params", "_meta", "y")).To(Equal(`{}`))
		})

		It("carries megabytes both ways", func() {
			session := on.play(echoServer())
			arguments := `{"text":"` + strings.Repeat("0123456789", 300_000) + `"}`

			call := on.beginCall(session, ports.ToolCall{Name: "read", Arguments: json.RawMessage(arguments)})

			Expect(call.result() == `{"content":[],"got":`+arguments+`}`).To(BeTrue())
		})

		It("needs the arguments only until it returns", func() {
			session := on.play(echoServer())
			arguments := json.RawMessage(`{"text":"` + strings.Repeat("x", 500_000) + `"}`)
			sent := string(arguments)

			call := on.beginCall(session, ports.ToolCall{Name: "read", Arguments: arguments})
			clear(arguments)

			Expect(call.result() == `{"content":[],"got":`+sent+`}`).To(BeTrue())
		})

		It("gives each of several concurrent callers its own answer", func() {
			session := on.play(echoServer())
			var wg sync.WaitGroup
			for caller := range 8 {
				wg.Go(func() {
					defer GinkgoRecover()
					for i := range 25 {
						arguments := fmt.Sprintf(`{"caller":%d,"call":%d}`, caller, i)
						call := on.beginCall(session, ports.ToolCall{Name: "read", Arguments: json.RawMessage(arguments)})
						Expect(call.result()).To(Equal(`{"content":[],"got":` + arguments + `}`))
					}
				})
			}
			wg.Wait()
		})

		It("does not wait for other calls", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "tools/call", Tool: "slow", Background: true, Do: []script.Step{on.await("slow"), {Result: script.Text("at last")}}},
				script.Answer("fast", script.Text("at once")),
			}})
			slow := on.begin(session, "slow")

			Expect(on.use(session, "fast")).To(Equal(script.Text("at once")))

			Expect(slow.outcomes).To(BeEmpty())
			on.release("slow")
			Expect(slow.result()).To(Equal(script.Text("at last")))
		})

		It("fails alone when its answer is over the limit on messages", Label("W05"), func() {
			server := on.serve(script.Script{Rules: []script.Rule{
				script.Answer("large", script.Text(strings.Repeat("x", 200_000))),
				script.Answer("small", script.Text("done")),
			}})
			server.Limits.MessageSize = 100_000
			session := on.connect(server)

			large := on.begin(session, "large").end()

			Expect(unavailable(large.err)).To(ContainSubstring("100000"))
			Expect(on.use(session, "small")).To(Equal(script.Text("done")))
			Expect(session.Done()).NotTo(BeClosed())
		})
	})

	Context("calling a tool that reports progress", func() {
		progress := func(session script.Script) (progress func() []string, call *call) {
			var mu sync.Mutex
			var heard []string
			call = on.beginCall(on.play(session), ports.ToolCall{
				Name: "read", Arguments: json.RawMessage("{}"),
				Progress: func(p ports.Progress) {
					mu.Lock()
					defer mu.Unlock()
					heard = append(heard, string(p.Before)+"TOKEN"+string(p.After))
				},
			})
			return func() []string {
				mu.Lock()
				defer mu.Unlock()
				return heard
			}, call
		}
		tell := func(params string) script.Step {
			return script.Step{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":` + params + `}`}
		}

		It("passes it on before the result, in order and in the server's bytes", func() {
			progress, call := progress(script.Script{Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{
				tell(`{"progressToken":${token},"progress":1.0}`),
				tell(`{ "x":[1, 2], "progressToken" : ${token} ,"progress":2,"message":"\u0041" }`),
				{Result: script.Text("done")},
			}}}})

			Expect(call.result()).To(Equal(script.Text("done")))

			Expect(progress()).To(Equal([]string{
				`{"progressToken":TOKEN,"progress":1.0}`, `{ "x":[1, 2], "progressToken" : TOKEN ,"progress":2,"message":"\u0041" }`,
			}))
		})

		It("passes nothing on for other calls, or after the result", func() {
			progress, call := progress(script.Script{Rules: []script.Rule{{Method: "tools/call", Do: []script.Step{
				tell(`{"progressToken":424242,"progress":1}`), tell(`{"progress":1}`), tell(`[]`),
				{Result: script.Text("done")},
				tell(`{"progressToken":${token},"progress":1}`),
			}}}})

			Expect(call.result()).To(Equal(script.Text("done")))

			Expect(on.use(on.sessions[0], "read")).To(Equal(script.Text("done")))
			Expect(progress()).To(BeEmpty())
		})

		It("requests no progress without a receiver for it", func() {
			on.use(on.play(answeringServer()), "read")

			Expect(on.hears("tools/call")).NotTo(ContainSubstring("progressToken"))
		})
	})

	Context("sending other requests", func() {
		It("carries them, and answers, in their own bytes", func() {
			session := on.play(script.Script{Rules: []script.Rule{
				{Method: "resources/read", Do: []script.Step{{Result: `{"got":${uri}}`}}},
				{Method: "tasks/get", Do: []script.Step{{Error: `{"code":-32602, "message":"no"}`}}},
			}})
			read := ports.Request{Message: ports.Message{Method: "resources/read", Params: json.RawMessage(`{ "uri": "\u0061\/é" }`)}}
			get := ports.Request{Message: ports.Message{Method: "tasks/get", Params: json.RawMessage("{}")}}

			Expect(on.beginRequest(session, read).result()).To(Equal(`{"got":"\u0061\/é"}`))
			Expect(on.beginRequest(session, get).end()).To(Equal(outcomeOf("", `{"code":-32602, "message":"no"}`)))
		})
	})
}

func outcomeOf(result, failure string) outcome { return outcome{result: result, failure: failure} }
