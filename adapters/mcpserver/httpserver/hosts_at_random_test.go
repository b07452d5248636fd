package httpserver_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// post sends a message of the host, and returns while it is handled. The headers of a
// host of 2026-07-28 follow from the message.
func (h *randomHost) post(call, method, name, body string) *sentRequest {
	headers := modernHeaders(method, name)
	if !h.modern {
		headers = h.older.headers()
	}
	return h.add(call, h.run.start(h.caller, "POST", headers, body))
}

func (h *randomHost) add(call string, r *response) *sentRequest {
	sent := &sentRequest{response: r, mark: h.mark, call: call, session: h.older}
	h.sent = append(h.sent, sent)
	return sent
}

// meta returns the members of _meta in the host's era, after others.
func (h *randomHost) meta() string {
	if !h.modern {
		return ""
	}
	return modernMeta(h.client, `{"elicitation":{}}`) + `,"io.modelcontextprotocol/logLevel":"debug"`
}

// connect begins a session, under a mark of its own.
func (h *randomHost) connect() {
	r := h.run.start(h.caller, "POST", nil, initialize("2025-11-25", `{"elicitation":{}}`))
	synctest.Wait()
	Expect(r.code()).To(Equal(200), r.text())
	h.mark = h.run.newOwner(h)
	h.older = &olderHost{handler: h.run.testHandler, caller: h.caller, session: r.sent.Get("Mcp-Session-Id")}
}

// use makes a call that carries the mark of the host, with further raw members of params.
func (h *randomHost) use(call, more string) *sentRequest {
	params := `{` + more + `"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"files","tool":"read"},` +
		`"arguments":{"of":"` + h.mark + call + `"}},"_meta":{"progressToken":"p"` + h.meta() + `}}`
	return h.post(call, "tools/call", "use_tool", request(strconv.Itoa(h.run.calls), "tools/call", params))
}

// accepts is an answer to a question of a server.
func (h *randomHost) accepts() string {
	return `{"action":"accept","content":{"by":"` + h.mark + `"}}`
}

// any returns one of the requests that the host made, nil for none.
func (h *randomHost) any() *sentRequest {
	if len(h.sent) == 0 {
		return nil
	}
	return h.sent[h.run.chance.IntN(len(h.sent))]
}

// step does something.
func (h *randomHost) step() {
	if !h.modern && h.older == nil {
		h.connect()
	}
	t := h.run
	switch does := t.chance.IntN(20); {
	case does < 8:
		t.calls++
		h.use(fmt.Sprintf("call-%d.", t.calls), "")
	case does < 10:
		uri := "file:///" + h.mark
		h.post("", "resources/read", uri, request(`"r"`, "resources/read", `{"uri":"`+uri+`","_meta":{"x":1`+h.meta()+`}}`))
	case does == 10:
		h.post("", "tasks/get", h.mark, request(`"t"`, "tasks/get", `{"taskId":"`+h.mark+`","_meta":{"x":1`+h.meta()+`}}`))
	case does < 13:
		h.answerSomething()
	case does < 15:
		if sent := h.any(); sent != nil {
			sent.given = true
			sent.drop()
		}
	case does == 15:
		h.listen()
	case h.modern:
		h.forgeModern()
	case does == 16:
		h.resume()
	case does == 17:
		h.cancel()
	case does == 18:
		h.forge()
	case t.chance.IntN(4) == 0:
		h.begin("DELETE", "")
		h.older = nil // which leaves what is under way to its end
	}
}

// begin makes a request of a host with a session that has no body.
func (h *randomHost) begin(method, lastEvent string) *sentRequest {
	headers := h.older.headers()
	if lastEvent != "" {
		headers["Last-Event-ID"] = lastEvent
	}
	return h.add("", h.run.start(h.caller, method, headers, ""))
}

// listen opens a stream for what belongs to no request.
func (h *randomHost) listen() {
	if !h.modern {
		h.begin("GET", "")
		return
	}
	params := `{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["file:///` + h.mark + `"]},"_meta":{"x":1` + h.meta() + `}}`
	h.post("", "subscriptions/listen", "", request(`"l"`, "subscriptions/listen", params))
}

// resume asks for the rest of a stream, by an event that it saw or that another host may
// have seen.
func (h *randomHost) resume() {
	event, mark := fmt.Sprintf("%d-%d", h.run.chance.IntN(4), h.run.chance.IntN(4)), ""
	if sent := h.any(); sent != nil && sent.session == h.older {
		if events := sent.events(); len(events) > 0 && h.run.chance.IntN(2) == 0 {
			event, _, _ = strings.Cut(events[h.run.chance.IntN(len(events))], " ")
			mark = sent.call + sent.resumed
		}
	}
	h.run.resumed[h.older] = true
	h.begin("GET", event).resumed = mark
}

// cancel gives a call up.
func (h *randomHost) cancel() {
	sent := h.any()
	if sent == nil || sent.call == "" || sent.session != h.older {
		return
	}
	sent.given = true
	h.post("", "notifications/cancelled", "", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+
		strings.Trim(sent.call, "cal-.")+`}}`)
}

// answerSomething answers a question, or sends an answer without a question.
func (h *randomHost) answerSomething() {
	if !h.modern {
		h.post("", "", "", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, 1+h.run.chance.IntN(5), h.accepts()))
		return
	}
	for _, sent := range h.sent {
		if sent.call != "" && sent.isOver() && !sent.given && strings.Contains(sent.text(), `"requestState"`) {
			h.use(sent.call, h.continuing(sent))
			sent.given = true
			return
		}
	}
}

// continuing returns the params that continue a call which asked.
func (h *randomHost) continuing(sent *sentRequest) string {
	text := sent.text()
	if events := sent.events(); len(events) > 0 {
		text = events[len(events)-1]
	}
	state := strings.SplitN(strings.SplitN(text, `"requestState":"`, 2)[1], `"`, 2)[0]
	var responses []string
	for id := range 6 {
		responses = append(responses, fmt.Sprintf(`"%d":%s`, id, h.accepts()))
	}
	return `"requestState":"` + state + `","inputResponses":{` + strings.Join(responses, ",") + `},`
}

// forge uses the session of another caller.
func (h *randomHost) forge() {
	other := h.run.hosts[h.run.chance.IntN(len(h.run.hosts))]
	if other.older == nil || other.caller.Identity == h.caller.Identity {
		return
	}
	stolen := &olderHost{handler: h.run.testHandler, caller: h.caller, session: other.older.session}
	headers := stolen.headers()
	headers["Last-Event-ID"] = "1-0"
	got := []*response{
		h.run.start(h.caller, "GET", headers, ""), h.run.start(h.caller, "DELETE", stolen.headers(), ""),
		h.run.start(h.caller, "POST", stolen.headers(), `{"jsonrpc":"2.0","id":1,"result":`+h.accepts()+`}`),
		h.run.start(h.caller, "POST", stolen.headers(), request("1", "tools/list", "{}")),
	}
	synctest.Wait()
	for _, r := range got {
		if r.code() != 404 {
			h.run.fail("%s got %d for the session of %s: %s", h.mark, r.code(), other.mark, r.text())
		}
	}
}

// forgeModern continues the call of another caller.
func (h *randomHost) forgeModern() {
	other := h.run.hosts[h.run.chance.IntN(len(h.run.hosts))]
	if !other.modern || other.mark == h.mark {
		return
	}
	for _, sent := range other.sent {
		if sent.isOver() && strings.Contains(sent.text(), `"requestState"`) {
			h.use("call-0.", h.continuing(sent))
			return
		}
	}
}

// finish lets every call be answered.
func (t *randomRun) finish() {
	for _, w := range t.serves {
		for _, c := range w.calls.list() {
			go w.serve(c, 3)
		}
	}
	synctest.Wait()
	time.Sleep(2 * time.Minute) // after which no call waits for an answer of a user
	t.Close()
	synctest.Wait()
}

// runRandomly lets random hosts use handlers until goesOn returns false. It
// fails if a host got anything of another.
func runRandomly(chance *rand.Rand, steps int, goesOn func(runs int) bool) {
	GinkgoHelper()
	runs, answered, questions, notifications := 0, 0, 0, 0
	for ; goesOn(runs); runs++ {
		spec.Bubble(func(*testing.T) {
			t := newRandomRun(chance, 2+chance.IntN(49))
			for range steps {
				for range 1 + chance.IntN(8) {
					t.hosts[chance.IntN(len(t.hosts))].step()
					t.serveSomething()
				}
				synctest.Wait()
			}
			t.finish()
			for _, h := range t.hosts {
				for _, sent := range h.sent {
					sent.check(t)
					notifications += len(sent.events())
					if sent.call == "" {
						continue
					}
					Expect(sent.isOver()).To(BeTrue(), sent.call)
					whole := !sent.given && sent.call != "call-0." && sent.session == h.older && !t.resumed[h.older]
					if got := strings.Contains(sent.text(), sent.call); got {
						answered++
					} else if whole && !strings.Contains(sent.text(), `"requestState"`) {
						t.fail("%s of %s has no answer: %d %s", sent.call, sent.mark, sent.code(), sent.text())
					}
				}
			}
			Expect(t.wrong).To(BeEmpty())
			questions += t.questions
		})
	}
	GinkgoWriter.Printf("%d handlers: %d calls were answered, %d questions, %d events\n", runs, answered, questions, notifications)
	Expect(answered).To(BeNumerically(">", 10*runs), "or the property would hold for nothing")
	Expect(questions).To(BeNumerically(">", 0))
	Expect(notifications).To(BeNumerically(">", 10*runs))
}

var _ = Describe("With many hosts at once, at random", Label("M06"), func() {
	const holds = "no host gets an answer, a question, a resource, a task or a log line of another, and each gets its own"

	It(holds, func() {
		runRandomly(rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 18)), 60, func(runs int) bool { return runs < int(spec.Seeds()) })
	})

	It(holds+", for long", Label("soak"), func() {
		length := 2 * time.Second
		if given := os.Getenv("WORKBENCH_SOAK"); given != "" {
			var err error
			length, err = time.ParseDuration(given)
			Expect(err).NotTo(HaveOccurred())
		}
		end := time.Now().Add(length)
		runRandomly(rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 19)), 200, func(runs int) bool { return runs < 3 || time.Now().Before(end) })
	})
})
