package using_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// action is one action of a talking host.
type action struct {
	kind string
	// label identifies a call: it is in its arguments and its progress token.
	label int
	tool  string
	// to is the call that the action is about, -1 for a call that does not exist.
	to     int
	answer string
}

// talkingTools are the tools that a talking host calls: the messages of each have the label of
// the call.
func talkingTools(e Era) script.Script {
	const about = `{"jsonrpc":"2.0","method":`
	done := script.Step{Result: `{"resultType":"complete","content":[],"heard":${arguments},"n":9007199254740993}`}
	logging := script.Step{Line: about + `"notifications/message","params":{"level":"error","logger":"own","data":${arguments}}}`}
	rules := map[string][]script.Step{
		"echo":   {done},
		"report": {{Line: ProgressNotification, Times: 5}, logging, {Line: ProgressNotification, Times: 2}, done},
		"refuse": {{Error: `{"code":-32000,"message":"no","data":${arguments}}`}},
		"fail":   {{Result: `{"resultType":"complete","isError":true,"content":[{"type":"text","text":"no"}],"heard":${arguments}}`}},
		"hang":   {logging},
	}
	if e.Modern {
		rules["ask"] = []script.Step{{Line: ProgressNotification}, {Result: `{"resultType":"input_required",` +
			`"inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Which?","about":${arguments}}}},"requestState":"state"}`}}
	} else {
		rules["ask"] = []script.Step{
			{Line: ProgressNotification},
			{Ask: "elicitation/create", Params: `{"message":"Which?","about":${arguments}}`},
			{Line: ProgressNotification},
			{Result: `{"content":[],"heard":${arguments},"answer":${answer}}`},
		}
	}
	s := script.Script{Capabilities: `{"tools":{},"logging":{}}`, Rules: []script.Rule{
		{Method: "logging/setLevel", Do: []script.Step{{Result: `{}`}}},
		{Method: "tools/call", Tool: "ask", Continued: true, Background: true, Do: []script.Step{{Result: `{"resultType":"complete","content":[],"heard":${arguments},` +
			`"answers":${inputResponses},"state":${requestState}}`}}},
	}}
	for _, tool := range []string{"echo", "report", "refuse", "fail", "hang", "ask"} {
		s.Tools = append(s.Tools, script.Tool(tool))
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: tool, Background: true, Do: rules[tool]})
	}
	return e.Script(s)
}

// actions returns random actions of a host.
func actions(random *rand.Rand, length int) []action {
	var list []action
	calls := 0
	tools := []string{"echo", "report", "refuse", "fail", "hang", "ask", "ask"}
	answers := []string{
		`"result":{"action":"accept","content":{"n":9007199254740993}}`, `"result":{"action":"decline"}`,
		`"result":{}`, `"error":{"code":-1,"message":"User rejected","data":[1.0]}`,
	}
	for range length {
		a := action{to: -1, answer: answers[random.IntN(len(answers))]}
		switch random.IntN(10) {
		case 0, 1, 2, 3, 4:
			a.kind, a.label, a.tool = "call", calls, tools[random.IntN(len(tools))]
			calls++
		case 5, 6:
			a.kind = "answer"
		case 7:
			a.kind = "cancel"
		case 8:
			a.kind = "answer nobody"
		default:
			a.kind = "notify"
		}
		if calls > 0 && a.kind != "call" {
			a.to = random.IntN(calls)
		}
		list = append(list, a)
	}
	return list
}

// talkingHost carries out actions and records the messages about each call.
type talkingHost struct {
	Host
	// call returns the parameters of a call of a tool.
	call func(tool, arguments string) string

	ids      map[int]string // the request that is answered last, by label
	tools    map[int]string
	answered map[int]bool // asking calls that were answered
	ended    map[int]bool // calls that were cancelled
}

func (h *talkingHost) do(a action) {
	GinkgoHelper()
	switch a.kind {
	case "call":
		h.tools[a.label] = a.tool
		h.ids[a.label] = h.begin(a.label, a.tool, "")
	case "answer":
		h.reply(a)
	case "answer nobody":
		h.Send(`{"jsonrpc":"2.0","id":"nobody asked",` + a.answer + `}`)
	case "cancel":
		h.cancel(a)
	case "notify":
		h.Notify("notifications/of/the/host", `{"n":`+strconv.Itoa(a.to)+`}`)
	}
}

func (h *talkingHost) begin(label int, tool, more string) string {
	GinkgoHelper()
	arguments := fmt.Sprintf(`{"label":%d}`, label)
	return h.Begin("tools/call", h.Params(h.call(tool, arguments)+more, fmt.Sprintf(`"progressToken":%d`, label),
		`"io.modelcontextprotocol/logLevel":"debug"`))
}

// cancel cancels a call that its server does not answer. A call of another tool may
// be answered meanwhile, so it is cancelled only after its answer.
func (h *talkingHost) cancel(a action) {
	GinkgoHelper()
	id, ok := h.ids[a.to]
	switch {
	case !ok:
		h.Cancel("424242")
	case h.tools[a.to] == "hang":
		h.ended[a.to] = true
		h.Cancel(id)
	case h.tools[a.to] != "ask" || h.answered[a.to]:
		h.Await(id)
		h.Cancel(id)
	}
}

// reply answers a question of the server during a call, once it was asked. A second
// answer is superfluous.
func (h *talkingHost) reply(a action) {
	GinkgoHelper()
	if h.tools[a.to] != "ask" || h.Modern && h.answered[a.to] {
		return
	}
	if h.Modern {
		response := `{}`
		if result, isResult := strings.CutPrefix(a.answer, `"result":`); isResult {
			response = result
		}
		h.Await(h.ids[a.to])
		h.answered[a.to] = true
		h.ids[a.to] = h.begin(a.to, "ask", `,"requestState":"state","inputResponses":{"q":`+response+`}`)
		return
	}
	question := h.AwaitAbout("elicitation/create", a.to)
	h.Send(`{"jsonrpc":"2.0","id":` + string(question.ID) + `,` + a.answer + `}`)
	h.answered[a.to] = true
}

// AwaitAbout waits for a request or notification about a call.
func (h *talkingHost) AwaitAbout(method string, label int) Message {
	GinkgoHelper()
	for n := 1; ; n++ {
		if m := h.AwaitSent(method, n); labelOf(m) == label {
			return m
		}
	}
}

var labelled = regexp.MustCompile(`"(?:label|progressToken)":(\d+)`)

// labelOf returns the label of the call that a message is about, -1 if it has
// none.
func labelOf(m Message) int {
	found := labelled.FindStringSubmatch(m.Line)
	if found == nil {
		return -1
	}
	label, err := strconv.Atoi(found[1])
	Expect(err).NotTo(HaveOccurred())
	return label
}

// finish answers and cancels what is open, waits for every answer and ends the
// conversation.
func (h *talkingHost) finish() {
	GinkgoHelper()
	for label, tool := range h.tools {
		switch {
		case tool == "hang":
			if !h.ended[label] {
				h.AwaitAbout("notifications/message", label)
				h.do(action{kind: "cancel", to: label})
			}
		case tool == "ask" && !h.answered[label]:
			h.do(action{kind: "answer", to: label, answer: `"result":{"action":"cancel"}`})
		}
	}
	for label, tool := range h.tools {
		if tool != "hang" {
			h.Await(h.ids[label])
		}
	}
	Expect(h.End()).To(Equal(0))
}

// ofServer removes the name of the server from a message.
var ofServer = strings.NewReplacer(`"logger":"dev/files/own"`, `"logger":"own"`, `Server 'files' (toolbox 'dev') asks:\n`, "")

// seen returns what the host saw of every call, message by message, without what
// has to differ: ids, the name of the server in front of the logger, and who asks.
func (h *talkingHost) seen() map[int][]string {
	seen := map[int][]string{}
	for _, m := range h.Received() {
		label := labelOf(m)
		if label < 0 {
			continue
		}
		if h.ended[label] && m.Method == "notifications/message" {
			continue // it may have come before the cancel, or not
		}
		var members map[string]json.RawMessage
		Expect(json.Unmarshal([]byte(m.Line), &members)).To(Succeed())
		delete(members, "id")
		var names []string
		for name := range members {
			names = append(names, name)
		}
		slices.Sort(names)
		text := ""
		for _, name := range names {
			text += name + ": " + ofServer.Replace(string(members[name])) + "\n"
		}
		seen[label] = append(seen[label], text)
	}
	return seen
}
