package demo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/demo"
	"mcp-workbench/tests/spec"
)

// running is a demo server that runs until its bubble ends.
type running struct {
	input *io.PipeWriter
	done  chan error
	mu    sync.Mutex
	text  bytes.Buffer
}

func run(t *testing.T) *running {
	input, writer := io.Pipe()
	r := &running{input: writer, done: make(chan error, 1)}
	go func() { r.done <- demo.Serve(t.Context(), "1.2.3", input, r) }()
	t.Cleanup(func() { _ = writer.Close() })
	return r
}

func (r *running) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(text)
}

// printed returns the lines that were written so far.
func (r *running) printed() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Split(strings.TrimSuffix(r.text.String(), "\n"), "\n")
}

// send sends a line and returns the last line that was written afterwards.
func (r *running) send(line string) string {
	Expect(io.WriteString(r.input, line+"\n")).Error().NotTo(HaveOccurred())
	lines := r.printed()
	return lines[len(lines)-1]
}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func call(tool, arguments string) string {
	return request(1, "tools/call", `{"name":"`+tool+`","arguments":`+arguments+`,"_meta":{"progressToken":"p"}}`)
}

func text(text string) string {
	return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"` + text + `","type":"text"}]}}`
}

func failureResult(text string) string {
	return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"` + text + `","type":"text"}],"isError":true}}`
}

var _ = Describe("The demo server", func() {
	It("lists its tools, each with a schema", spec.InBubble(func(t *testing.T) {
		var list struct {
			Result struct {
				Tools []struct {
					Name, Description string
					InputSchema       struct{ Type string }
				}
			}
		}
		Expect(json.Unmarshal([]byte(run(t).send(request(1, "tools/list", "{}"))), &list)).To(Succeed())

		var names []string
		for _, tool := range list.Result.Tools {
			names = append(names, tool.Name)
			Expect(tool.Description).NotTo(BeEmpty())
			Expect(tool.InputSchema.Type).To(Equal("object"))
		}
		Expect(names).To(Equal([]string{"add_note", "list_notes", "text_statistics", "count_slowly"}))
	}))

	It("keeps notes", spec.InBubble(func(t *testing.T) {
		r := run(t)

		Expect(r.send(call("list_notes", `{}`))).To(Equal(text("There are no notes.")))
		Expect(r.send(call("add_note", `{"text":"Feed the cat"}`))).To(Equal(text("Kept as note 1.")))
		Expect(r.send(call("add_note", `{"text":"Sleep"}`))).To(Equal(text("Kept as note 2.")))
		Expect(r.send(call("list_notes", `{}`))).To(Equal(text(`1. Feed the cat\n2. Sleep`)))
	}))

	It("counts letters, not bytes", spec.InBubble(func(t *testing.T) {
		Expect(run(t).send(call("text_statistics", `{"text":"größe two\nthree"}`))).To(Equal(text("2 lines, 3 words, 15 characters")))
	}))

	It("counts slowly and reports progress", spec.InBubble(func(t *testing.T) {
		r := run(t)
		r.send(call("count_slowly", `{"to":2}`))
		time.Sleep(400 * time.Millisecond)

		Expect(r.printed()).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"progressToken":"p","total":2}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":2,"progressToken":"p","total":2}}`,
			text("Counted to 2."),
		}))
	}))

	DescribeTable("reports invalid arguments",
		func(tool, arguments, why string) {
			spec.InBubble(func(t *testing.T) { Expect(run(t).send(call(tool, arguments))).To(Equal(failureResult(why))) })()
		},
		Entry("no text", "add_note", `{}`, "'text' must be a string"),
		Entry("a number for a text", "text_statistics", `{"text":7}`, "'text' must be a string"),
		Entry("nothing to count to", "count_slowly", `{}`, "'to' must be a whole number from 1 to 100"),
		Entry("too much to count to", "count_slowly", `{"to":101}`, "'to' must be a whole number from 1 to 100"),
		Entry("a fraction to count to", "count_slowly", `{"to":1.5}`, "'to' must be a whole number from 1 to 100"),
	)

	It("has no other tools and methods", spec.InBubble(func(t *testing.T) {
		r := run(t)

		Expect(r.send(call("erase", `{}`))).To(Equal(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: erase"}}`))
		Expect(r.send(request(1, "prompts/list", "{}"))).To(Equal(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found: prompts/list"}}`))
	}))

	It("ends with its input, even while it counts", spec.InBubble(func(t *testing.T) {
		r := run(t)
		r.send(call("count_slowly", `{"to":100}`))
		begun := time.Now()

		_ = r.input.Close()

		Expect(<-r.done).To(Succeed())
		Expect(time.Since(begun)).To(BeZero())
	}))
})

var _ = Describe("The demo's configuration", func() {
	It("starts the demo server of the program that the variable names", func() {
		Expect(demo.Configuration).To(MatchJSON(`{"activity":false,"status":false,"toolboxes":{"desk":{"description":"Notes, text statistics and a slow counter",` +
			`"mcpServers":{"demo":{"command":"${` + demo.ProgramVariable + `}","args":["demo-server"]}}}}}`))
	})
})
