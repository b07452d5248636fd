package mcpserver_test

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// slowServer answers calls when it is told to, or when they are abandoned.
type slowServer struct {
	mu      sync.Mutex
	waiting []ports.Reply
	calls   []ports.ToolCall
	ended   int // contexts that ended before an answer
	given   int // answers before that
}

func (s *slowServer) use(ctx context.Context, _ domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var once sync.Once
	var stop func() bool
	first := func(answer ports.Answer, err error) {
		once.Do(func() {
			stop()
			s.mu.Lock()
			s.given++
			s.mu.Unlock()
			reply(answer, err)
		})
	}
	stop = context.AfterFunc(ctx, func() {
		once.Do(func() {
			s.mu.Lock()
			s.ended++
			s.mu.Unlock()
			reply(ports.Answer{}, ctx.Err())
		})
	})
	s.calls = append(s.calls, call)
	s.waiting = append(s.waiting, first)
}

// answer answers the nth call.
func (s *slowServer) answer(n int, result string) {
	s.mu.Lock()
	reply := s.waiting[n]
	s.mu.Unlock()
	reply(ports.Answer{Result: json.RawMessage(result)}, nil)
}

// progress reports the progress of the nth call.
func (s *slowServer) progress(n int, before, after string) {
	s.mu.Lock()
	report := s.calls[n].Progress
	s.mu.Unlock()
	report(ports.Progress{Before: json.RawMessage(before), After: json.RawMessage(after)})
}

// counts returns how many calls arrived, and how many of them were given up.
func (s *slowServer) counts() (arrived, ended int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting), s.ended
}

// open returns how many calls were neither answered nor given up.
func (s *slowServer) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting) - s.given - s.ended
}

var _ = Describe("Requests in flight", func() {
	var (
		w      *workbench
		server *slowServer
	)
	BeforeEach(func() {
		w, server = newWorkbench(), &slowServer{}
		w.use = server.use
	})
	withToken := func(id, token string) string {
		return request(id, "tools/call", `{"_meta":{"progressToken":`+token+`},"name":"use_tool","arguments":`+read+`}`)
	}

	It("do not wait for each other", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)

		Expect(c.send(useTool("1", read), useTool("2", read), request("3", "ping", ""))).To(Equal([]string{resultLine("3", "{}")}))
		Expect(c.hears(func() { server.answer(1, `"second"`) })).To(Equal([]string{resultLine("2", `"second"`)}))
		Expect(c.hears(func() { server.answer(0, `"first"`) })).To(Equal([]string{resultLine("1", `"first"`)}))
	}))

	It("can be cancelled, and then get no answer", Label("S13"), spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(withToken("1", "5"), useTool(`"1"`, read))

		Expect(c.send(cancellation("1"))).To(BeEmpty())

		_, ended := server.counts()
		Expect(ended).To(Equal(1))
		Expect(c.hears(func() { server.progress(0, `{"progressToken":`, `,"progress":1}`) })).To(BeEmpty())
		Expect(c.hears(func() { server.answer(1, `"other"`) })).To(Equal([]string{resultLine(`"1"`, `"other"`)}))
	}))

	It("are cancelled by their id in any spelling", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(useTool(`"a\/b"`, read), useTool(`"\u00e9"`, read))

		c.send(cancellation(`"a/b"`), cancellation(`"é"`))

		_, ended := server.counts()
		Expect(ended).To(Equal(2))
		Expect(c.lines()).To(BeEmpty())
	}))

	It("leave nothing behind when two hundred are cancelled", spec.InBubble(func(t *testing.T) {
		w.limits.InFlight = 200
		c := w.begin(t)
		forEach := func(line func(id string) string) (lines []string) {
			for i := range 200 {
				lines = append(lines, line(strconv.Itoa(i)))
			}
			return lines
		}
		call := func(id string) string { return useTool(id, read) }

		for round := 1; round <= 3; round++ {
			Expect(c.send(forEach(call)...)).To(BeEmpty())
			Expect(c.send(forEach(cancellation)...)).To(BeEmpty())
			arrived, ended := server.counts()
			Expect(arrived).To(Equal(200 * round))
			Expect(ended).To(Equal(200 * round))
		}
		c.send(useTool("0", read))
		Expect(c.hears(func() { server.answer(600, `"last"`) })).To(Equal([]string{resultLine("0", `"last"`)}))
	}))

	It("keep their ids reserved until they are answered", Label("U02"), spec.InBubble(func(t *testing.T) {
		c := w.begin(t)

		Expect(c.send(useTool("1", read), useTool("1", read), useTool(`"1"`, read))).To(Equal([]string{
			errorLine("1", -32600, "a request with this id is under way"),
		}))
		Expect(c.hears(func() { server.answer(0, `"first"`) })).To(Equal([]string{resultLine("1", `"first"`)}))
		c.send(useTool("1", read))
		Expect(c.hears(func() { server.answer(2, `"again"`) })).To(Equal([]string{resultLine("1", `"again"`)}))
	}))

	It("are limited in number, and further ones are refused immediately", spec.InBubble(func(t *testing.T) {
		w.limits.InFlight = 2
		c := w.begin(t)

		Expect(c.send(useTool("1", read), useTool("2", read), request("3", "ping", ""))).To(Equal([]string{
			errorLine("3", -32600, "too many requests are under way"),
		}))
		c.hears(func() { server.answer(0, `{}`) })
		Expect(c.send(request("4", "ping", ""))).To(Equal([]string{resultLine("4", "{}")}))
	}))

	It("report starts of servers as progress to hosts that ask for it and wait longer then", spec.InBubble(func(t *testing.T) {
		for _, named := range []struct{ name, told string }{{"claude-code", "servers 'a', 'b' are starting"}, {"codex-mcp-client", ""}} {
			for _, isModern := range []bool{false, true} {
				w, reports := newWorkbench(), make(chan func(ports.Starting), 2)
				w.open = func(ctx context.Context, _ domain.ToolboxName) (domain.OpenedToolbox, error) {
					reports <- ports.StartReportsOf(ctx)
					<-ctx.Done()
					return domain.OpenedToolbox{}, ctx.Err()
				}
				w.use = func(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
					reports <- ports.StartReportsOf(ctx)
					(&slowServer{}).use(ctx, tool, call, reply)
				}
				c := w.begin(t)
				meta := `"_meta":{"progressToken":"t"}`
				if isModern {
					meta = `"_meta":{"progressToken":"t","io.modelcontextprotocol/clientInfo":{"name":"` + named.name + `","version":"1"},` + modernMeta + `}`
				} else {
					c.send(request("0", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+named.name+`","version":"1"}}`))
				}
				for _, call := range []string{`"name":"open_toolbox","arguments":{"toolbox":"dev"}`, `"name":"use_tool","arguments":` + read} {
					c.send(request("1", "tools/call", `{`+call+`,`+meta+`}`))
					report := <-reports
					if named.told == "" {
						Expect(report).To(BeNil())
						c.send(cancellation("1"))
						continue
					}
					Expect(c.hears(func() {
						report(ports.Starting{
							Servers: []domain.ServerID{{Toolbox: "dev", Server: "a"}, {Toolbox: "dev", Server: "b"}}, Waited: 5 * time.Second, Limit: time.Minute,
						})
					})).To(Equal([]string{
						`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":-55,"message":"` + named.told + `"}}`,
					}))
					c.send(cancellation("1"))
					Expect(c.hears(func() { report(ports.Starting{}) })).To(BeEmpty())
				}
				c.end()
			}
		}
	}))

	It("report their progress under the host's token, before the result", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(withToken("1", `"t\u006f"`), withToken("2", `9007199254740993`), useTool("3", read))

		Expect(c.hears(func() {
			server.progress(0, `{"progressToken":`, `,"progress":0.10,"new":[1, 2]}`)
			server.progress(1, `{ "progress":1, "progressToken": `, `}`)
			server.answer(0, `{}`)
			server.progress(0, `{"progressToken":`, `}`)
		})).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t\u006f","progress":0.10,"new":[1, 2]}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{ "progress":1, "progressToken": 9007199254740993}}`,
			resultLine("1", "{}"),
		}))
		Expect(server.calls[2].Progress).To(BeNil(), "the host did not ask for the progress of that one")
	}))

	It("stay intact after the line they arrived in is reused", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(withToken(`"the id"`, `"the token"`))
		c.send(request("2", "ping", `{"something":"else","that":"is longer than the other line, and overwrites it in the buffer"}`))

		Expect(c.hears(func() {
			server.progress(0, `{"progressToken":`, `}`)
			server.answer(0, `{}`)
		})).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"the token"}}`,
			resultLine(`"the id"`, "{}"),
		}))
	}))
})
