package mcpserver_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// randomConversation is a conversation in which host and server act at random.
type randomConversation struct {
	*conversation
	w      *workbench
	server *slowServer
	t      *testing.T
	random *rand.Rand

	lastID    int
	questions []*asked
	quietAt   map[string]int // requests that must not be spoken of any more: lines by then
}

// hostActs returns something that the host may do, alone or while the server does
// something.
func (i *randomConversation) hostActs(alone bool) func() {
	id := strconv.Itoa(i.lastID + 1)
	meta := `"_meta":{"progressToken":` + id + `}`
	if i.random.IntN(3) > 0 {
		meta = `"_meta":{"progressToken":` + id + `,"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"roots":{}}}`
	}
	call := `"name":"use_tool","arguments":` + read + `,` + meta
	switch i.random.IntN(4) {
	case 0, 1:
		i.lastID++
		return i.says(request(id, "tools/call", `{`+call+`}`))
	case 2:
		states := regexp.MustCompile(`"requestState":"([^"]+)"`).FindAllStringSubmatch(strings.Join(i.lines(), "\n"), -1)
		if states == nil {
			return func() {}
		}
		i.lastID++
		state := states[i.random.IntN(len(states))][1]
		key := strconv.Itoa(1 + i.random.IntN(3))
		return i.says(request(id, "tools/call", `{`+call+`,"requestState":`+quote(state)+`,"inputResponses":{"`+key+`":{"n":1}}}`))
	}
	if i.lastID == 0 {
		return func() {}
	}
	given := strconv.Itoa(1 + i.random.IntN(i.lastID))
	if _, quiet := i.quietAt[given]; !quiet {
		i.quietAt[given], _ = i.spokenOf(given)
		if !alone {
			i.quietAt[given] = -1 // what is known at the next pause
		}
	}
	return i.says(cancellation(given))
}

func (i *randomConversation) says(line string) func() {
	return func() {
		Expect(i.input.Write([]byte(line + "\n"))).Error().NotTo(HaveOccurred())
	}
}

// serverActs returns something that the server may do.
func (i *randomConversation) serverActs() func() {
	arrived, _ := i.server.counts()
	if arrived == 0 {
		return func() {}
	}
	n := i.random.IntN(arrived)
	switch i.random.IntN(3) {
	case 0:
		return func() { i.server.answer(n, fmt.Sprintf(`{"call":%d}`, n)) }
	case 1:
		return func() { i.server.progress(n, `{"progressToken":`, `,"progress":1}`) }
	}
	return func() { i.questions = append(i.questions, i.w.ask(i.t.Context(), "elicitation/create", "{}")) }
}

// spokenOf returns how many lines are about a request: its progress and answers.
func (i *randomConversation) spokenOf(id string) (lines, answers int) {
	for _, line := range i.lines() {
		if strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+id+`,"result"`) || strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+id+`,"error"`) {
			answers++
			lines++
		}
		if strings.Contains(line, `"progressToken":`+id+`,`) {
			lines++
			Expect(answers).To(BeZero(), "progress behind the answer to request %s", id)
		}
	}
	return lines, answers
}

// check holds the conversation to what is true at any time.
func (i *randomConversation) check() {
	synctest.Wait()
	for number := 1; number <= i.lastID; number++ {
		id := strconv.Itoa(number)
		lines, answers := i.spokenOf(id)
		Expect(answers).To(BeNumerically("<=", 1), "answers to request %s", id)
		at, quiet := i.quietAt[id]
		if quiet && at >= 0 {
			Expect(lines).To(Equal(at), "lines about the cancelled request %s:\n%s", id, strings.Join(i.lines(), "\n"))
		}
		if quiet {
			i.quietAt[id] = lines
		}
	}
}

var _ = Describe("Under concurrent random requests of host and servers", Label("C07"), func() {
	It("each request is answered at most once and never after it was cancelled, and none stays open", func() {
		for round := range spec.Seeds() {
			seed := GinkgoRandomSeed() + int64(round)
			By(fmt.Sprint("seed ", seed))
			spec.InBubble(func(t *testing.T) {
				server := &slowServer{}
				w := newWorkbench()
				w.use = server.use
				i := &randomConversation{
					w: w, server: server, t: t, conversation: w.begin(t),
					random: rand.New(rand.NewPCG(uint64(seed), 0)), quietAt: map[string]int{},
				}

				for range 100 {
					switch i.random.IntN(3) {
					case 0:
						i.hostActs(true)()
					case 1:
						i.serverActs()()
					default: // at once
						host, server := i.hostActs(false), i.serverActs()
						done := make(chan struct{})
						go func() { defer close(done); server() }()
						host()
						<-done
					}
					i.check()
				}

				for id := 1; id <= i.lastID; id++ {
					i.says(cancellation(strconv.Itoa(id)))()
				}
				time.Sleep(w.limits.InputReply) // of calls that the host was to continue
				synctest.Wait()
				Expect(i.server.open()).To(BeZero(), "abandoned calls")
				for n, question := range i.questions {
					Expect(question.times).To(Equal(1), "answers to question %d", n)
				}
			})()
		}
	})

	It("a call that is cancelled while its server asks either reaches the host or ends", spec.InBubble(func(t *testing.T) {
		server := &slowServer{}
		w := newWorkbench()
		w.use = server.use
		c := w.begin(t)
		const able = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
		for n := range 700 {
			id := strconv.Itoa(n)
			c.send(request(id, "tools/call", `{"name":"use_tool","arguments":`+read+`,`+able+`}`))
			go w.ask(t.Context(), "elicitation/create", "{}")
			c.send(cancellation(id))
			Expect(server.open()).To(Equal(len(c.lines())), "calls that the server works on, and that the host can continue")
		}
	}))
})
