package streamablehttp_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

func call(tool string) ports.ToolCall {
	return ports.ToolCall{Name: tool, Arguments: json.RawMessage(`{"a":1}`)}
}

// gzipped compresses a text with gzip.
func gzipped(text string) string {
	var packed strings.Builder
	zip := gzip.NewWriter(&packed)
	_, _ = io.WriteString(zip, text) // a builder takes everything
	_ = zip.Close()
	return packed.String()
}

var _ = Describe("An answer over http", func() {
	DescribeTable("that cannot be read fails its call at once, with what came", Label("S27"), func(handle handler, why string) {
		server := newRaw(map[string]handler{"tools/call": handle})

		got := use(connect(server), "read")

		Expect(got.Err).To(MatchError(ContainSubstring(why)))
	},
		Entry("JSON of Python", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"mean":NaN}`)
		}), `its answer is not valid JSON: unexpected 'N' at byte 42: "`),
		Entry("a text", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 200, "application/json", "ok then")
		}), `did not answer with MCP (content type "application/json"): its answer is not valid JSON: unexpected 'o' at byte 1: "ok then"`),
		Entry("a coding that was not asked for", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Encoding", "br")
			refuse(w, 200, "application/json", "xx")
		}), `compresses its answers in a way that was not asked for (Content-Encoding "br")`),
	)

	It("that becomes too large when it is unpacked is dropped at the limit", Label("S31"), func() {
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Encoding", "gzip")
			refuse(w, 200, "application/json", gzipped(`{"jsonrpc":"2.0","id":`+id+`,"result":{"a":"`+strings.Repeat("x", 1<<20)+`"}}`))
		}})

		got := use(connect(server), "read")

		Expect(got.Err).To(MatchError(ContainSubstring("limits.messageSize")))
	})

	// calling returns what a call comes to that is handled in that way, and how often
	// it was made.
	calling := func(handle handler) (outcome, int) {
		GinkgoHelper()
		server := newRaw(map[string]handler{"tools/call": handle})
		got := use(connect(server), "read")
		return got, len(server.heard("tools/call"))
	}

	DescribeTable("keeps its bytes", Label("H03"), func(handle handler, result string) {
		got, _ := calling(handle)

		Expect(got.Result).To(Equal(result))
	},
		Entry("as one object", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, `{"n":9007199254740993, "u":"\u003c"}`)
		}), `{"n":9007199254740993, "u":"\u003c"}`),
		Entry("as an event", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			stream(w, event(id, `{"n":1.0}`))
		}), `{"n":1.0}`),
		Entry("as bare JSON in the place of events", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			refuse(w, 200, "text/event-stream", "{\n\"jsonrpc\":\"2.0\",\n\"id\":"+id+",\"result\":{\"a\":1}\n}\n")
		}), `{"a":1}`),
		Entry("compressed without being asked", Label("S31"), handler(func(w http.ResponseWriter, r *http.Request, id string) {
			w.Header().Set("Content-Encoding", "gzip")
			refuse(w, 200, "application/json", gzipped(`{"jsonrpc":"2.0","id":`+id+`,"result":{"asked":"`+r.Header.Get("Accept-Encoding")+`"}}`))
		}), `{"asked":"identity"}`),
		Entry("compressed as events", Label("S31"), handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			w.Header().Set("Content-Encoding", "gzip")
			refuse(w, 200, "text/event-stream", gzipped(event(id, `{"a":1}`)+"\n\n"))
		}), `{"a":1}`),
		Entry("under the id 0", handler(func(w http.ResponseWriter, _ *http.Request, _ string) { answer(w, "0", `{"a":1}`) }), `{"a":1}`),
		Entry("on several lines", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			answer(w, id, "{\r\n\"a\":\n1}")
		}), "{\r\n\"a\":\n1}"),
		Entry("on the lines of an event", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			stream(w, "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":"+id+",\"result\":{\ndata: }}")
		}), "{\n}"),
		Entry("between comments, ids and other events", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			stream(w, ": hello", "id: 1\ndata:", "event: ping\ndata: x", event(id, `{}`))
		}), `{}`),
		Entry("behind a byte order mark", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			refuse(w, 200, "application/json", "\ufeff{\"jsonrpc\":\"2.0\",\"id\":"+id+`,"result":{"a":1}}`)
		}), `{"a":1}`),
		Entry("in lines that end in a carriage return", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			refuse(w, 200, "text/event-stream", event(id, `{"a":1}`)+"\r\r")
		}), `{"a":1}`),
		Entry("with the id in another form", handler(func(w http.ResponseWriter, _ *http.Request, id string) {
			stream(w, event(`"`+id+`"`, `{}`))
		}), `{}`),
		Entry("without the id, where it can be no other's", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			answer(w, "null", `{"a":1}`)
		}), `{"a":1}`),
	)

	It("fails only its own call when it is over the limit", func() {
		long := strings.Repeat("x", 100<<10)
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, r *http.Request, id string) {
			if strings.HasSuffix(r.URL.Path, "stream") {
				stream(w, event(id, `"`+long+`"`), event("77", "{}"))
				return
			}
			answer(w, id, `"`+long+`"`)
		}})
		for _, path := range []string{"/object", "/stream"} {
			session, err := connecting(server.URL+path, nil, &host{})
			Expect(err).NotTo(HaveOccurred())

			Expect(use(session, "read").Err).To(MatchError(ContainSubstring("over the limit of 65536 bytes")), path)
			Expect(session.Done()).NotTo(BeClosed())
		}
	})

	DescribeTable("fails the call with one clear line, and without a second attempt, when it is", func(handle handler, why string) {
		got, times := calling(handle)

		Expect(got.Err).To(MatchError(domain.ErrServerUnavailable))
		Expect(got.Err).To(MatchError(ContainSubstring(why)))
		Expect(times).To(Equal(1))
	},
		Entry("a connection that is cut before the answer", handler(func(http.ResponseWriter, *http.Request, string) {
			cut()
		}), "cut in the middle of the request; whether it was carried out is not known"),
		Entry("a connection that is cut within an object", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Type", "application/json")
			write(w, `{"jsonrpc":"2.0",`)
			_ = http.NewResponseController(w).Flush()
			cut()
		}), "cut in the middle of the request"),
		Entry("a stream that is cut", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			stream(w, ": begun")
			cut()
		}), "cut in the middle of the request"),
		Entry("a stream that ends", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			stream(w, ": begun")
		}), "ended its answer without a result"),
		Entry("an answer to another request", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 200, "application/json", `{"jsonrpc":"2.0","id":"other","result":{}}`)
		}), `ended its answer without a result: "an answer under the id \"other\", which no request had`),
		Entry("nothing", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.WriteHeader(http.StatusAccepted)
		}), "did not answer with MCP (202 Accepted"),
		Entry("a web page", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 200, "text/html; charset=utf-8", "<html>log in</html>")
		}), `a web page instead of MCP; is the "url" right?`),
		Entry("text that is not JSON", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 200, "application/json", "oops")
		}), `did not answer with MCP (content type "application/json")`),
		Entry("a refusal for want of authentication", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 401, "application/json", `{"error":"invalid_token","error_description":"No token"}`)
		}), `(401 Unauthorized): add "Authorization" to its "headers" in the configuration, such as "Bearer ${TOKEN}": No token`),
		Entry("a refusal as forbidden", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 403, "text/plain", "not you\n")
		}), "forbids the request (403 Forbidden): not you"),
		Entry("a refusal for too many requests", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Retry-After", "90")
			refuse(w, 429, "text/plain", "")
		}), "too many requests (429 Too Many Requests); it asks to wait for 1m30s"),
		Entry("a server error with a web page", handler(func(w http.ResponseWriter, _ *http.Request, _ string) {
			refuse(w, 502, "text/html", "<html>Bad gateway</html>")
		}), "failed (502 Bad Gateway)"),
	)

	It("is resumed after the last whole event when its stream is cut, and nothing runs twice", func() {
		var called atomic.Pointer[string] // its id
		server := newRaw(map[string]handler{
			"tools/call": func(w http.ResponseWriter, _ *http.Request, id string) {
				called.Store(&id)
				stream(w, "id: a\nretry: 10\ndata:", "id: b\n"+`data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
				write(w, "id: c\ndata: {\"jsonr")
				cut()
			},
			"GET": func(w http.ResponseWriter, r *http.Request, _ string) {
				if r.Header.Get("Last-Event-Id") != "b" {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				stream(w, event(*called.Load(), `{"content":[]}`))
			},
		})

		Expect(use(connect(server), "read").Result).To(Equal(`{"content":[]}`))
		Expect(server.heard("tools/call")).To(HaveLen(1))
	})

	It("fails the call with both reasons when it cannot be resumed", func() {
		server := newRaw(map[string]handler{"tools/call": func(w http.ResponseWriter, _ *http.Request, _ string) {
			stream(w, "id: a\nretry: 10\ndata:")
		}})

		got := use(connect(server), "read")

		Expect(got.Err).To(MatchError(And(ContainSubstring("cut in the middle"), ContainSubstring("405 Method Not Allowed"))))
		Expect(server.heard("tools/call")).To(HaveLen(1))
	})
})
