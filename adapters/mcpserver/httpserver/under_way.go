package httpserver

import (
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/application/shares"
)

// mostUnderWay is the maximum number of requests of all hosts that are not answered yet. Those of up to
// smallMessage bytes have 128 MiB at most.
const mostUnderWay = 32 << 10

// errGivenUp is the text of the error for a request that was given up for those of others.
const errGivenUp = "given up, since this caller has most requests under way or listening, and others need room; try again in a second"

// underWay bounds the requests that are not answered yet, their number and their bytes, with a share
// for each holder. Safe for concurrent use.
type underWay struct {
	requests *shares.Budget
	bytes    *shares.Budget // of those over smallMessage
}

// held is what a request holds of the budgets.
type held struct{ request, bytes *shares.Holding }

func newUnderWay(limits Limits) *underWay {
	most := max(mostUnderWay, int64(4*limits.Sessions)) // each may listen
	return &underWay{requests: shares.NewBudget(most, shares.Newest), bytes: shares.NewBudget(limits.UnderWay, shares.Newest)}
}

// begin counts a request of that size as under way. It returns false if there are too many;
// otherwise end must be called when the request was answered. giveUp is called if the request has to
// be given up. A small request always gets in.
func (u *underWay) begin(holder string, size int64, giveUp func()) (begun held, ok bool) {
	if size <= smallMessage {
		return held{request: u.requests.Admit(holder, 1, giveUp)}, true
	}
	if begun.bytes, ok = u.bytes.Begin(holder, size, giveUp); !ok {
		return held{}, false
	}
	if begun.request, ok = u.requests.Begin(holder, 1, giveUp); !ok {
		begun.bytes.End()
	}
	return begun, ok
}

// end counts a request as answered.
func (h held) end() {
	if h.request != nil {
		h.request.End()
	}
	if h.bytes != nil {
		h.bytes.End()
	}
}

// giveUp cancels a request for those of others, and answers it with an error.
func (x *reply) giveUp() {
	go func() { // it is called while a budget is locked
		x.mu.Lock()
		x.isGivenUp = true
		cancel := x.cancel
		x.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	}()
}

// begun sets the function that cancels the request, once the request is under way.
func (x *reply) begun(cancel func()) {
	x.mu.Lock()
	x.cancel = cancel
	isGivenUp := x.isGivenUp
	x.mu.Unlock()
	if isGivenUp {
		cancel()
	}
}

// Cancelled implements mcpserver.Responder.
func (x *reply) Cancelled() {
	x.mu.Lock()
	isGivenUp := x.isGivenUp
	x.mu.Unlock()
	if !isGivenUp {
		x.end(nil)
		return
	}
	x.end(jsonrpc.Error(x.id, codeRefused, errGivenUp).Message())
}
