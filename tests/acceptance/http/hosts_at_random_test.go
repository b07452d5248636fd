package http_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// crowdHost is a host with random actions. It is for one goroutine.
type crowdHost struct {
	Host
	crowd    *crowd
	chance   *rand.Rand
	identity string
	mark     string
	calls    map[string]string // their marks, by the raw id of the request
}

// join adds a host of an era.
func (c *crowd) join(chance *rand.Rand, modern bool) *crowdHost {
	GinkgoHelper()
	c.mu.Lock()
	c.hosts++
	number := c.hosts
	c.mu.Unlock()
	identity := identities[chance.IntN(len(identities))]
	// What a host of 2026-07-28 declares tells it apart from others of its identity.
	able := fmt.Sprintf(`{"elicitation":{},"experimental":{"n":{"n":%d}}}`, number)
	h := &crowdHost{
		Host: Connect(c.AnotherHostWith(tokenOf(identity)), modern, able), crowd: c, chance: chance, identity: identity,
		mark: fmt.Sprintf("owner-%d-of-%s.", number, identity), calls: map[string]string{},
	}
	if !modern {
		h.Open("dev")
		h.Open("box-of-" + identity)
		h.Request("logging/setLevel", `{"level":"debug"}`)
		h.Request("resources/subscribe", `{"uri":"x:y"}`)
	}
	return h
}

// begin begins a call that carries the marks, with further raw members of the params.
func (h *crowdHost) begin(toolbox, server, tool, more string) string {
	GinkgoHelper()
	call := fmt.Sprintf("call-%d.", 1+h.chance.IntN(1<<30))
	meta := []string{`"progressToken":` + Quote(h.mark)}
	if h.Modern {
		meta = append(meta, `"io.modelcontextprotocol/logLevel":"debug"`)
	}
	id := h.Begin("tools/call", h.Params(`"name":"use_tool","arguments":`+
		UseArguments(toolbox, server, tool, `{"of":"`+h.mark+call+`"}`)+more, meta...))
	h.calls[id] = call
	return id
}

// place returns a server of an older version that the host sees.
func (h *crowdHost) place() (toolbox, server string) {
	if h.chance.IntN(3) == 0 {
		return "box-of-" + h.identity, "vault-of-" + h.identity
	}
	return "dev", "files"
}

// step takes one random action.
func (h *crowdHost) step() {
	GinkgoHelper()
	toolbox, server := h.place()
	use := func(tool string) string { return h.begin(toolbox, server, tool, "") }
	switch h.chance.IntN(12) {
	case 0, 1:
		var ids []string
		for range 4 {
			ids = append(ids, use("echo"), use("report"))
		}
		for _, id := range ids {
			h.answered("answer", h.Await(id))
		}
	case 2, 3:
		h.ask(toolbox, server)
	case 4:
		h.cancel(use("wait"))
	case 5:
		h.Await(use("die"))
		h.crowd.count("crash")
	case 6, 7:
		h.continueRequest()
	case 8:
		h.task(toolbox, server)
	case 9:
		h.answered("resource", h.Request("resources/read", h.Params(`"uri":"x:y"`)))
		h.Request("resources/list", h.Params(""))
	case 10:
		other := identities[h.chance.IntN(len(identities))]
		if other != h.identity {
			answer := h.Request("tools/call", h.Params(`"name":"open_toolbox","arguments":{"toolbox":"box-of-`+other+`"}`))
			Expect(answer.Failure()).To(ContainSubstring("not found"))
			Expect(h.Use("box-of-"+other, "files", "echo", "{}").Failure()).NotTo(BeEmpty())
			h.crowd.count("foreign toolbox")
		}
	case 11:
		if !h.Modern && h.chance.IntN(3) == 0 {
			h.leave()
			*h = *h.crowd.join(h.chance, false)
		}
	}
}

// cancel cancels a call that its server is working on. Otherwise a question of the server during the
// next call would go to this one, if this one was the latest.
func (h *crowdHost) cancel(id string) {
	GinkgoHelper()
	underWay := func() bool {
		return slices.ContainsFunc(h.Sent("notifications/progress"), func(m Message) bool { return strings.Contains(m.Line, h.calls[id]) })
	}
	Eventually(func() bool { return underWay() || len(h.Answers(id)) > 0 }).WithTimeout(Patience).WithPolling(time.Millisecond).Should(BeTrue())
	h.Cancel(id)
	h.crowd.count("cancel")
}

// answered records an answer that is a result.
func (h *crowdHost) answered(what string, m Message) {
	if m.Error == nil && !strings.Contains(m.Line, `"isError":true`) {
		h.crowd.count(what)
	}
}

// accepts is the answer of a host to a question.
func (h *crowdHost) accepts() string { return `{"action":"accept","content":{"by":"` + h.mark + `"}}` }

// ask has an older server ask the host, and answers.
func (h *crowdHost) ask(toolbox, server string) {
	GinkgoHelper()
	asked := len(h.Sent("elicitation/create"))
	id := h.begin(toolbox, server, "ask", "")
	if !h.Modern {
		isAsked := func() bool { return len(h.Sent("elicitation/create")) > asked }
		Eventually(func() bool { return isAsked() || len(h.Answers(id)) > 0 }).WithTimeout(Patience).WithPolling(time.Millisecond).Should(BeTrue())
		if isAsked() { // otherwise the server is down
			h.Reply(h.Sent("elicitation/create")[asked], h.accepts())
		}
		h.answered("question", h.Await(id))
		return
	}
	answer := h.Await(id)
	var wanted RequiredInput
	answer.Decode(&wanted)
	for wanted.Type == "input_required" {
		id = h.begin(toolbox, server, "ask", `,"requestState":`+Quote(wanted.State)+`,"inputResponses":{"`+wanted.Key()+`":`+h.accepts()+`}`)
		h.calls[id] = "" // the answer belongs to the first call
		answer, wanted = h.Await(id), RequiredInput{}
		answer.Decode(&wanted)
	}
	h.answered("question", answer)
}

// continueRequest gets a state from the remote server, and continues with it and with one of another host.
func (h *crowdHost) continueRequest() {
	GinkgoHelper()
	if stolen := h.crowd.another(h.mark, h.chance); stolen != "" {
		answer := h.Await(h.begin("dev", "far", "ask", `,"requestState":`+Quote(stolen)))
		Expect(answer.Failure()).To(ContainSubstring("was not given to you"))
		h.crowd.count("stolen state")
	}
	if !h.Modern {
		return
	}
	wanted := RequiredInputOf(h.Await(h.begin("dev", "far", "ask", "")))
	h.crowd.mu.Lock()
	h.crowd.states = append(h.crowd.states, marked{h.mark, wanted.State})
	h.crowd.mu.Unlock()
	id := h.begin("dev", "far", "ask", `,"requestState":`+Quote(wanted.State))
	h.calls[id] = "" // the state has the mark of the previous call
	h.answered("state", h.Await(id))
}

// task makes a call a task, and asks for it and for the task of another host.
func (h *crowdHost) task(toolbox, server string) {
	GinkgoHelper()
	get := func(task string) Message { return h.Request("tasks/get", h.Params(`"taskId":`+Quote(task))) }
	if stolen := h.crowd.task(h.mark); stolen != "" {
		Expect(get(stolen).Code()).To(Equal(-32602), stolen)
		h.crowd.count("stolen task")
	}
	answer := h.Await(h.begin(toolbox, server, "build", `,"task":{"ttl":60000}`))
	var created struct{ Task struct{ TaskID string } }
	if answer.Error != nil || answer.Result == nil {
		return
	}
	answer.Decode(&created)
	if created.Task.TaskID == "" {
		return // its server is down
	}
	h.crowd.mu.Lock()
	h.crowd.tasks[created.Task.TaskID] = h.mark
	h.crowd.mu.Unlock()
	h.answered("task", get(created.Task.TaskID))
}

// leave ends the host, and checks everything that it got.
func (h *crowdHost) leave() {
	GinkgoHelper()
	h.CloseInput()
	var wrong []string
	for _, m := range h.Received() {
		text := WithoutSeals(m.Line)
		wrong = append(wrong, h.crowd.check(h, text)...)
		call := h.calls[string(m.ID)]
		for _, mark := range markOfCall.FindAllString(text, -1) {
			if m.Method == "" && call != "" && mark != call {
				wrong = append(wrong, fmt.Sprintf("%s of %s was answered with: %s", call, h.mark, text))
			}
		}
	}
	Expect(wrong).To(BeEmpty())
}

var _ = Describe("With random actions of many hosts over HTTP,", Label("M06"), func() {
	meet := func(hosts, steps int, until time.Time) *crowd {
		GinkgoHelper()
		c := newCrowd()
		var running sync.WaitGroup
		for i := range hosts {
			running.Go(func() {
				defer GinkgoRecover()
				h := c.join(rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), uint64(i))), i%2 == 0)
				for step := 0; step < steps || time.Now().Before(until); step++ {
					h.step()
				}
				h.leave()
			})
		}
		running.Wait()
		GinkgoWriter.Println(hosts, "hosts:", c.did)
		return c
	}

	It("no host gets anything that belongs to another, with real transports", func() {
		c := meet(6, 8, time.Time{})
		Expect(c.did["answer"]).To(BeNumerically(">", 0))
	})

	It("no host gets anything that belongs to another, for a long time", Label("soak"), func() {
		c := meet(20, 20, time.Now().Add(SoakTime(2*time.Second)))
		for _, what := range []string{
			"answer", "question", "cancel", "crash", "state", "stolen state", "task", "stolen task", "resource", "foreign toolbox",
		} {
			Expect(c.did[what]).To(BeNumerically(">", 0), what)
		}
	})
})
