package mcpclient_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// answersTo returns what the server was answered with: the raw id of each and
// whether it is an error.
func answersTo(c *connection) map[string]bool {
	answers := map[string]bool{}
	for _, m := range c.heard("") {
		var answer struct {
			Error json.RawMessage `json:"error"`
		}
		_ = json.Unmarshal([]byte(m.line), &answer) // what the workbench writes is JSON
		answers[string(m.ID)] = answer.Error != nil
	}
	return answers
}

func question(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"roots/list"}`
}

var _ = Describe("Requests of a server", func() {
	It("are answered under their own ids, in the order of the host's answers", func() {
		inBubble(func(c *connection) {
			c.say(question("1"), question(`"1"`), question("-1.50"))
			settle()

			for _, i := range []int{2, 0, 1} {
				c.host.asked[i](ports.Answer{Result: fmt.Appendf(nil, "%d", i)}, nil)
			}

			var lines []string
			for _, m := range c.heard("") {
				lines = append(lines, m.line)
			}
			Expect(lines).To(Equal([]string{
				`{"jsonrpc":"2.0","id":-1.50,"result":2}`, `{"jsonrpc":"2.0","id":1,"result":0}`, `{"jsonrpc":"2.0","id":"1","result":1}`,
			}))
		})
	})

	It("are refused under an id in use, and accepted again later", func() {
		inBubble(func(c *connection) {
			c.say(question("1"), question("1"))

			Expect(answersTo(c)).To(Equal(map[string]bool{"1": true}))
			Expect(c.host.asked).To(HaveLen(1))

			c.host.asked[0](ports.Answer{Result: []byte("{}")}, nil)
			c.say(question("1"))
			settle()
			Expect(c.host.asked).To(HaveLen(2))
		})
	})

	It("are refused beyond limits.inFlight at once, and accepted again later", Label("TQ06"), func() {
		spec.Bubble(func(*testing.T) {
			c := newLimitedConnection(64)
			defer c.end()
			for i := range 70 {
				c.say(question(fmt.Sprint(i)))
			}

			Expect(answersTo(c)).To(HaveLen(6))
			Expect(c.heard("")[0].line).To(ContainSubstring(`"error":{"code":-32000,"message":"too many requests are under way: 64 requests of this server wait for the host, and no more are accepted (limits.inFlight raises it)"`))
			Expect(c.host.asked).To(HaveLen(64))

			c.host.asked[0](ports.Answer{Result: []byte("{}")}, nil)
			c.say(question("100"))
			settle()
			Expect(c.host.asked).To(HaveLen(65))
		})
	})

	It("are refused beyond the message size in total, and not answered when their id is long", Label("TQ06"), func() {
		inBubble(func(c *connection) {
			for i := range 20 {
				c.say(`{"jsonrpc":"2.0","id":` + fmt.Sprint(i) + `,"method":"roots/list","params":{"x":"` + strings.Repeat("x", 90_000) + `"}}`)
			}
			c.say(question(`"` + strings.Repeat("x", 5000) + `"`))
			settle()

			Expect(c.host.asked).To(HaveLen(11))
			Expect(answersTo(c)).To(HaveLen(9))
			Expect(c.heard("")[0].line).To(ContainSubstring(`"code":-32000`))

			c.host.asked[0](ports.Answer{Result: []byte("{}")}, nil)
			c.say(question("100"))
			settle()
			Expect(c.host.asked).To(HaveLen(12))
		})
	})

	It("end when the server cancels them, by id only", func() {
		inBubble(func(c *connection) {
			c.say(question("1"), question(`"1"`))
			c.say(
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
			)
			settle()

			Expect(c.host.contexts[0].Err()).NotTo(HaveOccurred())
			Expect(c.host.contexts[1].Err()).To(MatchError(context.Canceled))
			c.host.asked[1](ports.Answer{}, context.Canceled)
			c.host.asked[0](ports.Answer{Result: []byte("{}")}, nil)
			Expect(answersTo(c)).To(Equal(map[string]bool{"1": false}))
			Expect(c.host.heard).To(BeEmpty())
		})
	})
})
