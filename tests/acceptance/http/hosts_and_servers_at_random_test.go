package http_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"

	"mcp-workbench/tests/fixtures/remote"
	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// identities are the owners of tokens in a crowd, each with a toolbox that no other sees.
var identities = []string{"ann", "bob", "cyd"}

func tokenOf(identity string) string { return "token-of-" + identity + "-that-is-long" }

// crowd is many hosts of a workbench over HTTP. Every message of a host carries its mark, and
// servers repeat it with the name of their process, which belongs to one host.
type crowd struct {
	*Workbench

	mu        sync.Mutex
	hosts     int
	processes map[string]string // the mark of the host that each belongs to
	tasks     map[string]string // likewise
	states    []marked
	did       map[string]int
}

// marked is a message that a host got, with its marks.
type marked struct{ mark, what string }

// crowded returns a server of an older version, whose tools do what their names say.
func crowded() script.Script {
	const process = `"process":"${process}"`
	const log = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":{"of":${arguments},` + process + `}}}`
	const done = `{"content":[],"heard":${arguments},` + process + `}`
	const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"of":${arguments},` + process + `}}`
	s := script.Script{Journal: "/dev/null", Capabilities: `{"tools":{},"logging":{},"resources":{"subscribe":true},` +
		`"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}`}
	for tool, steps := range map[string][]script.Step{
		"echo": {{Result: done}},
		"report": {
			{Line: progress},
			{Line: log},
			{Line: `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x:y",` + process + `}}`},
			{Result: done},
		},
		"ask": {
			{Ask: "elicitation/create", Params: `{"message":"?","of":${arguments},` + process + `}`},
			{Result: `{"content":[],"heard":${arguments},"answer":${answer},` + process + `}`},
		},
		"wait":  {{Line: log}, {Line: progress}, {Hang: true}},
		"die":   {{Exit: 1}},
		"build": {{Result: `{"task":{"taskId":"task-${process}-${id}","status":"working","ttl":60000},"heard":${arguments},` + process + `}`}},
	} {
		definition := script.Tool(tool)
		if tool == "build" {
			definition = `{"name":"build","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`
		}
		s.Tools = append(s.Tools, definition)
		s.Rules = append(s.Rules, script.Rule{Method: "tools/call", Tool: tool, Background: true, Do: steps})
	}
	for method, result := range map[string]string{
		"tasks/get": `{"status":"working",` + process + `}`, "resources/subscribe": `{}`, "logging/setLevel": `{}`,
		"resources/read": `{"contents":[{"uri":"x:y","text":"",` + process + `}]}`,
		"resources/list": `{"resources":[{"uri":"x:y","name":"y",` + process + `}]}`,
	} {
		s.Rules = append(s.Rules, script.Rule{Method: method, Do: []script.Step{{Result: result}}})
	}
	return s
}

// stateful is one server of 2026-07-28 for all hosts, which tells them apart by its states.
func stateful() Server {
	GinkgoHelper()
	s := WithTools("ask")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "ask", Continued: true, Do: []script.Step{{Result: `{"resultType":"complete","content":[],"heard":${arguments},"state":${requestState}}`}}},
		{Method: "tools/call", Tool: "ask", Do: []script.Step{{Result: `{"resultType":"input_required","requestState":${arguments}}`}}},
	}
	s = Modern.Script(s)
	s.Journal = "/dev/null"
	far := remote.StartForMany(s)
	DeferCleanup(far.Break)
	return ServerAt("far", far.URL(), "")
}

func newCrowd() *crowd {
	GinkgoHelper()
	boxes := []Toolbox{InDev(Scripted("files", crowded()), stateful())}
	var tokens []string
	for _, identity := range identities {
		boxes = append(boxes, NewToolbox("box-of-"+identity, Scripted("vault-of-"+identity, crowded())))
		tokens = append(tokens, fmt.Sprintf(`%q: {"value": %q, "toolboxes": ["dev", "box-of-%s"]}`, identity, tokenOf(identity), identity))
	}
	config := WithHTTP(`{"maxSessions": 1000, "maxSessionsPerIdentity": 1000, "tokens": {`+strings.Join(tokens, ",")+`}}`, boxes...)
	return &crowd{
		Workbench: Listen(Launch{Config: config}), processes: map[string]string{}, tasks: map[string]string{}, did: map[string]int{},
	}
}

var (
	markOfHost = regexp.MustCompile(`owner-\d+-of-\w+\.`)
	markOfCall = regexp.MustCompile(`call-\d+\.`)
	ofProcess  = regexp.MustCompile(`"process":"(\w+)"`)
	secretBox  = regexp.MustCompile(`(?:vault|token)-of-(\w+)`)
)

// check returns the mistakes in the answers that a host got.
func (c *crowd) check(h *crowdHost, text string) []string {
	var wrong []string
	for _, mark := range markOfHost.FindAllString(text, -1) {
		if mark != h.mark {
			wrong = append(wrong, fmt.Sprintf("%s heard of %s: %s", h.mark, mark, text))
		}
	}
	for _, match := range secretBox.FindAllStringSubmatch(text, -1) {
		if match[1] != h.identity {
			wrong = append(wrong, fmt.Sprintf("%s heard of what %s has: %s", h.mark, match[1], text))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, process := range ofProcess.FindAllStringSubmatch(text, -1) {
		owner, known := c.processes[process[1]]
		if c.processes[process[1]] = h.mark; known && owner != h.mark {
			wrong = append(wrong, fmt.Sprintf("%s heard of a process of %s: %s", h.mark, owner, text))
		}
	}
	return wrong
}

// count counts an event.
func (c *crowd) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[what]++
}

// another returns a state that another host got, "" for none yet.
func (c *crowd) another(mark string, chance *rand.Rand) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	others := slices.DeleteFunc(slices.Clone(c.states), func(m marked) bool { return m.mark == mark })
	if len(others) == 0 {
		return ""
	}
	return others[chance.IntN(len(others))].what
}

// task returns the task of another host, "" for none yet.
func (c *crowd) task(mark string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for task, owner := range c.tasks {
		if owner != mark {
			return task
		}
	}
	return ""
}
