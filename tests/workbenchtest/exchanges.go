package workbenchtest

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// exchangePrefix is the prefix of the ids of exchanges only.
const exchangePrefix = `"exchange-`

// Exchange calls one of the two tools of the workbench and returns the answer. Unlike
// Call it is for hosts that make very many calls: it keeps no messages, and returns
// failures, so that it can be called on any goroutine. An answer that
// is not awaited fails the spec at its end.
func (w *Workbench) Exchange(tool, arguments string) (Message, error) {
	answer := make(chan Message, 1)
	w.mu.Lock()
	w.asked++
	id := exchangePrefix + strconv.Itoa(w.asked) + `"`
	w.waiting[id] = answer
	w.mu.Unlock()
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%s,"arguments":%s}}`,
		id, Quote(tool), arguments)
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		return Message{}, fmt.Errorf("write request %s: %w", id, err)
	}
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	select {
	case m := <-answer:
		return m, nil
	case <-w.ended:
		return Message{}, errors.New("the workbench ended without the answer to request " + id)
	case <-patience.C:
		return Message{}, fmt.Errorf("no answer to request %s within %s", id, Patience)
	}
}

// answered passes the answer to an exchange to the goroutine that waits for it, and reports
// whether it was such an answer.
func (w *Workbench) answered(m Message) bool {
	id := string(m.ID)
	if m.Method != "" || !strings.HasPrefix(id, exchangePrefix) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	answer := w.waiting[id]
	delete(w.waiting, id)
	if answer == nil {
		w.noise = append(w.noise, fmt.Sprintf("an answer without a request: %.500q", m.Line))
		return true
	}
	answer <- m
	return true
}

// UseExchange makes an Exchange with use_tool.
func (w *Workbench) UseExchange(toolbox, server, tool, arguments string) (Message, error) {
	return w.Exchange("use_tool", UseArguments(toolbox, server, tool, arguments))
}
