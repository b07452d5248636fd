package streamablehttp_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A server of 2026-07-28 over http", func() {
	// modern returns a server that refuses initialize as such servers do.
	modern := func(on map[string]handler) *raw {
		on["initialize"] = func(w http.ResponseWriter, _ *http.Request, id string) {
			refuse(w, 400, "application/json", `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]}}}`)
		}
		on["server/discover"] = func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}`)
		}
		return newRaw(on)
	}
	list := func(w http.ResponseWriter, _ *http.Request, id string) {
		answer(w, id, `{"resultType":"complete","tools":[{"name":"read","inputSchema":{"type":"object","properties":{
			"region":{"type":"string","x-mcp-header":"Region"},"a":{"type":"integer"}}}}]}`)
	}

	It("gets version, method and name in headers too, and no session", func() {
		server := modern(map[string]handler{})
		session := connect(server)
		use(session, "lire à voix")

		header := server.heard("tools/call")[0].header
		Expect(header.Get("Mcp-Protocol-Version")).To(Equal("2026-07-28"))
		Expect(header.Get("Mcp-Method")).To(Equal("tools/call"))
		Expect(header.Get("Mcp-Name")).To(Equal("=?base64?bGlyZSDDoCB2b2l4?="))
		Expect(header).NotTo(HaveKey("Mcp-Session-Id"))
		Expect(server.heard("server/discover")[0].header.Get("Mcp-Method")).To(Equal("server/discover"))
		Expect(server.heard("notifications/initialized")).To(BeEmpty())
		Expect(server.heard("GET")).To(BeEmpty())
		closeSession(session)
		Expect(server.heard("DELETE")).To(BeEmpty())
	})

	It("gets the arguments that it wants in headers", func() {
		server := modern(map[string]handler{"tools/list": list})
		session := connect(server)
		Expect(session.ListTools(context.Background())).Error().NotTo(HaveOccurred())
		wanted := ports.ToolCall{Name: "read", Arguments: []byte(`{"region":"eu","a":1}`)}

		Eventually(begin(context.Background(), session, wanted)).WithTimeout(patience).Should(Receive())

		Expect(server.heard("tools/call")[0].header.Get("Mcp-Param-Region")).To(Equal("eu"))
		Expect(server.heard("tools/call")[0].body).To(ContainSubstring(`"arguments":{"region":"eu","a":1}`))
	})

	DescribeTable("that rejects the headers is asked for its list, and called once more", Label("H07"),
		func(later string, result types.GomegaMatcher, calls int) {
			var lists atomic.Int64
			server := modern(map[string]handler{
				"tools/list": func(w http.ResponseWriter, _ *http.Request, id string) {
					switch lists.Add(1) {
					case 1:
						answer(w, id, `{"resultType":"complete","tools":[{"name":"read","inputSchema":{"type":"object"}}]}`)
					case 2:
						answer(w, id, `{"resultType":"complete","tools":[{"name":"other","inputSchema":{}}],"nextCursor":"2"}`)
					default:
						answer(w, id, `{"resultType":"complete","tools":[{"name":"read","inputSchema":{"type":"object","properties":{`+later+`}}}]}`)
					}
				},
				"tools/call": func(w http.ResponseWriter, r *http.Request, id string) {
					if r.Header.Get("Mcp-Param-Region") != "eu" {
						refuse(w, 400, "application/json", `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32020,"message":"Header mismatch"}}`)
						return
					}
					answer(w, id, `{"resultType":"complete","a":1}`)
				},
			})
			listener := &host{}
			session := spec.Must(connecting(server.URL, nil, listener))
			Expect(session.ListTools(context.Background())).Error().NotTo(HaveOccurred())
			wanted := ports.ToolCall{Name: "read", Arguments: []byte(`{"region":"eu"}`)}

			Eventually(begin(context.Background(), session, wanted)).WithTimeout(patience).Should(Receive(result))

			Expect(server.heard("tools/call")).To(HaveLen(calls))
			Expect(server.heard("tools/list")).To(HaveLen(3))
			Expect(server.heard("tools/list")[2].body).To(ContainSubstring(`"cursor":"2"`))
			Expect(server.heard("tools/list")[2].body).To(ContainSubstring(`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`))
			Expect(listener.heard()).To(ContainElement("notifications/tools/list_changed"))
		},
		Entry("with what the list says now", `"region":{"type":"string","x-mcp-header":"Region"}`,
			HaveField("Result", `{"resultType":"complete","a":1}`), 2),
		Entry("but not a third time", `"region":{"type":"string"}`, HaveField("Failure", ContainSubstring("-32020")), 2),
	)

	It("learns of a cancel only from the end of the connection", func() {
		ended := make(chan struct{})
		server := modern(map[string]handler{"tools/call": func(w http.ResponseWriter, r *http.Request, _ string) {
			stream(w, ": begun")
			<-r.Context().Done()
			close(ended)
		}})
		session := connect(server)
		ctx, cancel := context.WithCancel(context.Background())
		got := begin(ctx, session, call("read"))
		Eventually(func() int { return len(server.heard("tools/call")) }).WithTimeout(patience).Should(Equal(1))

		cancel()

		Eventually(got).WithTimeout(patience).Should(Receive(HaveField("Err", MatchError(context.Canceled))))
		Eventually(ended).WithTimeout(patience).Should(BeClosed())
		Expect(server.heard("notifications/cancelled")).To(BeEmpty())
	})

	It("has no stream resumed, which this version does not know", func() {
		server := modern(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, _ string) {
			stream(w, "id: a\nretry: 1\ndata:")
			cut()
		}})

		Expect(use(connect(server), "read").Err).To(MatchError(ContainSubstring("cut in the middle")))
		Expect(server.heard("GET")).To(BeEmpty())
		Expect(server.heard("tools/call")).To(HaveLen(1))
	})

	It("can send a JSON-RPC error with an HTTP error status", func() {
		server := modern(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, id string) {
			refuse(w, 404, "application/json", `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32601,"message":"Method not found"}}`)
		}})

		Expect(use(connect(server), "read").Failure).To(Equal(`{"code":-32601,"message":"Method not found"}`))
	})

	It("is subscribed to, and again after the connection is cut", func() {
		listener := &host{}
		server := modern(map[string]handler{"subscriptions/listen": func(w http.ResponseWriter, _ *http.Request, _ string) {
			stream(w, `data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
			cut()
		}})
		session := spec.Must(connecting(server.URL, nil, listener))

		Eventually(func() int { return len(server.heard("subscriptions/listen")) }).WithTimeout(patience).Should(BeNumerically(">", 1))
		Eventually(listener.heard).WithTimeout(patience).Should(ContainElements("notifications/message", "notifications/tools/list_changed"))
		Expect(session.Done()).NotTo(BeClosed())
	})

	It("is subscribed to for a resource until its stream is closed, and again after it is cut", func() {
		listener, ended := &host{}, make(chan struct{})
		var cuts atomic.Int64
		server := modern(map[string]handler{"subscriptions/listen": func(w http.ResponseWriter, r *http.Request, id string) {
			stream(w, `data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{`+
				`"notifications":{"resourceSubscriptions":["a://own"]},"_meta":{"io.modelcontextprotocol/subscriptionId":`+id+`}}}`)
			if cuts.Add(1) == 1 {
				cut()
			}
			<-r.Context().Done()
			close(ended)
		}})
		server.on["server/discover"] = func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{"subscribe":true}}}`)
		}
		session := spec.Must(connecting(server.URL, nil, listener))
		request := func(ask func(context.Context, ports.Request, ports.Reply)) {
			GinkgoHelper()
			replied := make(chan string, 1)
			ask(context.Background(), ports.Request{Message: ports.Message{Params: []byte(`{"uri":"a://own"}`)}},
				func(answer ports.Answer, _ error) { replied <- string(answer.Result) })
			Eventually(replied).WithTimeout(patience).Should(Receive(Equal("{}")))
		}

		request(session.Subscribe)
		Eventually(listener.heard).WithTimeout(patience).Should(Equal([]string{"notifications/resources/updated"}))
		Expect(server.heard("subscriptions/listen")).To(HaveLen(2))
		Expect(session.Done()).NotTo(BeClosed())
		request(session.Unsubscribe)
		Eventually(ended).WithTimeout(patience).Should(BeClosed())
	})
})

var _ = Describe("A tool over http that wants arguments in headers", func() {
	// listed returns what becomes of a tool with that schema, and of one beside it.
	listed := func(version, schema string) domain.ToolList {
		GinkgoHelper()
		on := map[string]handler{"tools/list": func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"resultType":"complete","tools":[{"name":"a","inputSchema":`+schema+`},{"name":"b","inputSchema":{"type":"object"}}]}`)
		}}
		if version == "2026-07-28" {
			on["server/discover"] = func(w http.ResponseWriter, _ *http.Request, id string) {
				answer(w, id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			}
		}
		return spec.Must(connect(newRaw(on)).ListTools(context.Background()))
	}

	DescribeTable("is left out, with a warning, when the schema marks", func(schema, why string) {
		list := listed("2026-07-28", schema)

		Expect(list.Names()).To(Equal([]string{"b"}))
		Expect(list.Warnings).To(ConsistOf(And(
			HaveField("Kind", domain.ToolLeftOut), HaveField("Tool", "a"), HaveField("Detail", ContainSubstring(why)),
		)))
	},
		Entry("one with a name that is not valid for a header", `{"properties":{"x":{"type":"string","x-mcp-header":"My Region"}}}`, "My Region"),
		Entry("one that is not a primitive", `{"properties":{"x":{"type":"number","x-mcp-header":"X"}}}`, "primitive types"),
		Entry("two with one name", `{"properties":{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"string","x-mcp-header":"x"}}}`, "duplicate"),
		Entry("all of them", `{"type":"object","x-mcp-header":"X"}`, "properties"),
		Entry("one inside an array", `{"properties":{"x":{"type":"array","items":{"type":"string","x-mcp-header":"X"}}}}`, "properties"),
		Entry("a property inside an array", `{"properties":{"x":{"items":{"properties":{"y":{"type":"string","x-mcp-header":"X"}}}}}}`, "properties"),
		Entry("one in a choice", `{"anyOf":[{"properties":{"x":{"type":"string","x-mcp-header":"X"}}}]}`, "properties"),
		Entry("one that is referred to", `{"$defs":{"x":{"type":"string","x-mcp-header":"X"}}}`, "properties"),
	)

	DescribeTable("is shown when", func(version, schema string) {
		list := listed(version, schema)

		Expect(list.Names()).To(Equal([]string{"a", "b"}))
		Expect(list.Warnings).To(BeEmpty())
	},
		Entry("they are in objects", "2026-07-28", `{"properties":{"x":{"type":"object","properties":{"y":{"type":"integer","x-mcp-header":"Y"}}}}}`),
		Entry("the word is only a name", "2026-07-28", `{"properties":{"x-mcp-header":{"type":"object"}},"$defs":{"x-mcp-header":{"type":"array"}}}`),
		Entry("the word is only data", "2026-07-28", `{"properties":{"x":{"type":"object","default":{"x-mcp-header":7},"enum":[{"x-mcp-header":1}]}}}`),
		Entry("the server speaks an older version, which does not know them", "2025-11-25", `{"properties":{"x":{"type":"number","x-mcp-header":""}}}`),
	)
})

var _ = Describe("Headers that repeat arguments", func() {
	// Schemas that mcp-go reads as a whole: it gives up one that has a boolean as a schema.
	annotations := []string{`"A"`, `"a"`, `"B-1"`, `"C C"`, `""`, `7`, `null`}
	types := []string{`"string"`, `"integer"`, `"boolean"`, `"number"`, `"object"`, `["string","integer"]`, `["string","null"]`, `[]`}
	var schema func(chance *rand.Rand, depth int) string
	schema = func(chance *rand.Rand, depth int) string {
		text := `{"type":` + types[chance.IntN(len(types))]
		if depth > 0 && chance.IntN(2) == 0 {
			text += `,"x-mcp-header":` + annotations[chance.IntN(len(annotations))]
		}
		if depth < 3 && chance.IntN(3) > 0 {
			text += `,"properties":{"p":` + schema(chance, depth+1) + `,"q":` + schema(chance, depth+1) + `}`
		}
		return text + "}"
	}
	values := []string{`"x"`, `" x"`, `"é"`, `true`, `1`, `-1.0`, `1e3`, `1.5`, `9007199254740992`, `null`, `[1]`, `{"p":"in","q":2}`, `{"p":{"p":"deep"}}`}

	It("are those of mcp-go, and so are the schemas that are refused", func() {
		chance := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 2))
		accepted := 0
		for range 3_000 {
			raw := json.RawMessage(schema(chance, 0))
			arguments := `{"p":` + values[chance.IntN(len(values))] + `,"q":` + values[chance.IntN(len(values))] + `}`
			tool := &mcp.Tool{Name: "a", RawInputSchema: raw}

			headers, err := streamablehttp.ArgumentHeaders(raw, json.RawMessage(arguments))

			Expect(err != nil).To(Equal(mcp.ValidateParamHeaderAnnotations(tool) != nil), "%s: %v", raw, err)
			if err != nil {
				continue
			}
			accepted++
			theirs := mcp.GenerateParamHeaders(tool, json.RawMessage(`{"name":"a","arguments":`+arguments+`}`))
			if len(theirs) == 0 {
				Expect(headers).To(BeEmpty(), "%s", raw)
			} else {
				Expect(headers).To(Equal(theirs), "%s of %s", raw, arguments)
			}
		}
		Expect(accepted).To(BeNumerically(">", 100))
	})
})
