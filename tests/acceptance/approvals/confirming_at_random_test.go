package approvals_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// confirmedHost is a host with a user, and a server whose tool write needs approval.
type confirmedHost struct {
	Host
	chance     *rand.Rand
	server     Server
	definition string // of write: "a" or "b"
	session    string // the definition that is allowed for the session, "" for none
	questions  int    // so far
	calls      int    // so far
	ran        int    // calls of write that must reach the server
	waiting    []*confirmedCall
}

// confirmedCall is a call that waits for its answer.
type confirmedCall struct {
	*PromptedCall
	definition string // which the question was about
}

func newConfirmedHost(e Era, chance *rand.Rand) *confirmedHost {
	GinkgoHelper()
	s := WithTools("a", "b")
	s.Tools = append(s.Tools, DescribedTool("write", "a"))
	s.Capabilities = `{"tools":{"listChanged":true}}`
	for _, name := range []string{"a", "b"} {
		s.Rules = append([]script.Rule{{Method: "tools/call", Tool: name, Do: []script.Step{
			{SetTools: []string{script.Tool("a"), script.Tool("b"), DescribedTool("write", name)}}, {Line: ToolsChanged}, {Result: script.Text(name)},
		}}}, s.Rules...)
	}
	h := &confirmedHost{chance: chance, server: Scripted("files", s), definition: "a"}
	h.Host = confirming(e, ConfirmWrite, h.server)
	h.Open("dev")
	return h
}

// write begins a call, which runs at once if it is allowed for the session.
func (h *confirmedHost) write() {
	h.calls++
	call := beginWrite(h.Host, fmt.Sprintf(`{"n":%d}`, h.calls), h.questions)
	if h.session == h.definition {
		h.ran++
		Expect(call.Ends().Text()).To(Equal("done"))
		return
	}
	h.session = ""
	h.asks(&confirmedCall{PromptedCall: call})
}

// asks waits for the question about a call.
func (h *confirmedHost) asks(call *confirmedCall) {
	if !h.Modern {
		call.Prompts = h.questions
	}
	call.Question()
	h.questions++
	call.definition = h.definition
	h.waiting = append(h.waiting, call)
}

// change changes the definition of write, or leaves it as it is.
func (h *confirmedHost) change() {
	name := []string{"a", "b"}[h.chance.IntN(2)]
	Expect(h.Use("dev", "files", name, "{}").Text()).To(Equal(name))
	h.definition = name
	if h.session != name {
		h.session = ""
	}
}

// take removes and returns a waiting call, if there is one.
func (h *confirmedHost) take() *confirmedCall {
	if len(h.waiting) == 0 {
		return nil
	}
	i := h.chance.IntN(len(h.waiting))
	call := h.waiting[i]
	h.waiting = slices.Delete(h.waiting, i, i+1)
	return call
}

// allow answers a question with a yes.
func (h *confirmedHost) allow() {
	call := h.take()
	if call == nil {
		return
	}
	if call.definition != h.definition {
		call.AnswerWith(yesOnce)
		h.asks(call) // since it was for another definition
		return
	}
	if h.chance.IntN(3) > 0 {
		h.ran++
		Expect(call.AnswerWith(yesOnce).Ends().Text()).To(Equal("done"))
		return
	}
	h.session = h.definition
	h.ran++
	Expect(call.AnswerWith(yesForSession).Ends().Text()).To(Equal("done"))
	h.ran += len(h.waiting)
	for _, other := range h.waiting { // whatever definition they were asked about
		if h.Modern { // whose host comes back with whatever the user chose once the call is made
			Eventually(h.reached).Should(HaveLen(h.ran))
			other.AnswerWith(`{"action":"cancel"}`)
		}
		Expect(other.Ends().Text()).To(Equal("done"))
	}
	h.waiting = nil
}

// reached returns the calls of write that the server got.
func (h *confirmedHost) reached() []string {
	return slices.DeleteFunc(h.server.ReceivedWith("tools/call"), func(line string) bool { return !strings.Contains(line, `"name":"write"`) })
}

// refuse answers a question with anything but a yes.
func (h *confirmedHost) refuse() {
	call := h.take()
	if call == nil {
		return
	}
	answers := []string{
		`{"action":"decline"}`, `{"action":"cancel"}`, `{"action":"accept"}`, `{"action":"accept","content":{"decision":"no"}}`,
		`{"action":"decline","content":{"decision":"yes, once"}}`, `{"action":"accept","content":{"decision":true}}`, `[]`, `null`, `"yes, once"`,
	}
	Expect(call.AnswerWith(answers[h.chance.IntN(len(answers))]).Ends().Failure()).To(ContainSubstring("was not called"))
	if h.Modern {
		Expect(call.AnswerWith(yesOnce).Ends().Failure()).To(HavePrefix("This call has ended"))
	} else {
		call.AnswerWith(yesOnce) // a second answer
	}
}

// deceive sends a yes for no call, or for another one.
func (h *confirmedHost) deceive() {
	call := h.take()
	switch {
	case call == nil:
	case !h.Modern:
		h.Send(`{"jsonrpc":"2.0","id":999,"result":` + yesOnce + `}`)
		h.Send(`{"jsonrpc":"2.0","id":"` + string(h.AwaitSent("elicitation/create", call.Prompts).ID) + `","result":` + yesOnce + `}`)
	case h.chance.IntN(2) == 0:
		forged := *call.PromptedCall
		forged.Wanted.State = strings.Repeat("A", 1+h.chance.IntN(30))
		forged.Wanted.State = "mcp-workbench:" + forged.Wanted.State
		forged.AnswerWith(yesOnce).Ends().Failure()
	default:
		other := *call.PromptedCall
		other.Members = strings.Replace(other.Members, `"n":`, `"n":1`, 1)
		Expect(other.AnswerWith(yesOnce).Ends().Failure()).To(ContainSubstring("with other arguments"))
	}
	if call != nil {
		h.waiting = append(h.waiting, call)
	}
}

// giveUp cancels a waiting call.
func (h *confirmedHost) giveUp() {
	if h.Modern {
		return // whose host does not come back then
	}
	if call := h.take(); call != nil {
		h.Cancel(call.ID)
		call.AnswerWith(yesOnce) // which is late
	}
}

var _ = Describe("With random actions of a host and its user", Label("K04"), func() {
	for _, e := range Eras {
		It("a call runs if and only if it got its own yes, at a host of "+e.Name, func() {
			h := newConfirmedHost(e, rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), 1)))
			for range 120 {
				switch h.chance.IntN(10) {
				case 0, 1, 2:
					h.write()
				case 3, 4:
					h.allow()
				case 5, 6:
					h.refuse()
				case 7:
					h.deceive()
				case 8:
					h.giveUp()
				case 9:
					h.change()
				}
			}
			Expect(h.Use("dev", "files", "a", "{}").Text()).To(Equal("a"))
			Expect(h.reached()).To(HaveLen(h.ran))
			Expect(h.ran).To(And(BeNumerically(">", 0), BeNumerically("<=", h.calls)))
		})
	}
})
