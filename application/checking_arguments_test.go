package application_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Checking the arguments of calls", func() {
	const definition = `{"name":"read","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`
	files := domain.ServerID{Toolbox: "dev", Server: "files"}
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}
	tool := func(definition string) domain.ToolInfo {
		return domain.ToolInfo{Name: "read", Shown: "read", Definition: json.RawMessage(definition)}
	}
	offer := func(w *workbench, definition string) {
		server := w.server("files")
		server.mu.Lock()
		defer server.mu.Unlock()
		server.list.Tools = []domain.ToolInfo{tool(definition)}
	}
	// begin starts a workbench with the toolbox "dev" open.
	begin := func(t *testing.T, settings definitions.Settings) *workbench {
		dev := toolbox("dev", "files")
		dev.Servers[0].Limits.Idle = time.Hour
		w := prepare(t, dev)
		w.checker = application.NewArgumentChecker(func() definitions.Settings { return settings })
		w.wire(nil, nil)
		offer(w, definition)
		w.opens("dev")
		return w
	}
	call := func(w *workbench, arguments string) error {
		received := w.useWith(w.t.Context(), read, ports.ToolCall{Arguments: json.RawMessage(arguments)})
		synctest.Wait()
		times, _, err := received.received()
		Expect(times).To(Equal(1))
		return err
	}
	compact := definitions.Settings{Default: definitions.Compact}

	It("refuses a wrong call of a tool whose definition was not shown, once, without contacting the server", spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)

		err := call(w, `{"file":"a"}`)

		Expect(err).To(MatchError(domain.ErrInvalidArguments))
		Expect(err).To(Equal(&domain.InvalidArgumentsError{
			Tool: read, Problems: "'path' is required and must be a string", Definition: json.RawMessage(definition),
		}))
		Expect(w.server("files").called()).To(BeEmpty())
		Expect(call(w, `{"file":"a"}`)).To(Succeed())
		Expect(w.server("files").called()).To(HaveLen(1))
	}))

	It("allows arguments that fit the schema, however often they come", spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)

		Expect(call(w, `{"path":"a"}`)).To(Succeed())
		Expect(call(w, `{"path":1}`)).To(MatchError(domain.ErrInvalidArguments))
	}))

	It("lets every call of a tool pass if its present definition was shown", spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)
		w.checker.RecordShown(files, []domain.ToolInfo{tool(`{"name":"read","inputSchema":{}}`)})
		Expect(call(w, `{}`)).To(MatchError(domain.ErrInvalidArguments))

		w.checker.RecordShown(files, []domain.ToolInfo{tool(definition)})

		Expect(call(w, `{}`)).To(Succeed())
	}))

	It("refuses a wrong call without starting the server if it is down", spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)
		time.Sleep(2 * time.Hour)
		before, _ := w.server("files").counts()

		Expect(call(w, `{}`)).To(MatchError(domain.ErrInvalidArguments))

		Expect(w.server("files").started()).To(Equal(before))
	}))

	It("remembers a bounded number of shown definitions, however often the server renames its tools", Label("TG06"), spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)
		w.checker.RecordShown(files, []domain.ToolInfo{tool(definition)})
		for i := range 10_000 {
			w.checker.RecordShown(files, []domain.ToolInfo{{Name: fmt.Sprint(i), Definition: json.RawMessage(`{}`)}})
		}

		Expect(call(w, `{"file":"a"}`)).To(MatchError(domain.ErrInvalidArguments))
	}))

	It("uses the new schema after the server reported a change of its tools", spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)
		offer(w, `{"name":"read","inputSchema":{"type":"object","required":["url"]}}`)
		w.server("files").sayToolsChanged()

		invalid, ok := errors.AsType[*domain.InvalidArgumentsError](call(w, `{"path":"a"}`))

		Expect(ok).To(BeTrue())
		Expect(invalid.Problems).To(Equal("'url' is required"))
	}))

	for _, settings := range []definitions.Settings{
		{}, {Default: definitions.Lean}, {Default: definitions.Names, Validation: definitions.ValidateNone},
	} {
		It(fmt.Sprintf("is off where every tool was shown whole, or when the settings forbid it: %+v", settings), spec.InBubble(func(t *testing.T) {
			Expect(call(begin(t, settings), `{}`)).To(Succeed())
		}))
	}

	It("follows the settings as they are at each call", spec.InBubble(func(t *testing.T) {
		settings := definitions.Settings{Validation: definitions.ValidateNone}
		w := prepare(t, toolbox("dev", "files"))
		w.checker = application.NewArgumentChecker(func() definitions.Settings { return settings })
		w.wire(nil, nil)
		offer(w, definition)
		w.opens("dev")
		Expect(call(w, `{}`)).To(Succeed())

		settings.Validation = definitions.ValidateAll

		Expect(call(w, `{}`)).To(MatchError(domain.ErrInvalidArguments))
	}))

	It("is done only in toolboxes that are shown in short form", spec.InBubble(func(t *testing.T) {
		w := prepare(t, toolbox("dev", "files"), toolbox("ops", "files"))
		settings := definitions.Settings{ByToolbox: map[domain.ToolboxName]definitions.Form{"ops": definitions.Auto}}
		w.checker = application.NewArgumentChecker(func() definitions.Settings { return settings })
		w.wire(nil, nil)
		offer(w, definition)
		w.opens("dev")

		Expect(call(w, `{}`)).To(Succeed())
	}))

	It("is done for every call when the settings say so, even if the definition was shown", spec.InBubble(func(t *testing.T) {
		w := begin(t, definitions.Settings{Validation: definitions.ValidateAll})
		w.checker.RecordShown(files, []domain.ToolInfo{tool(definition)})

		Expect(call(w, `{}`)).To(MatchError(domain.ErrInvalidArguments))
		Expect(call(w, `{}`)).To(MatchError(domain.ErrInvalidArguments))
		Expect(call(w, `{"path":"a"}`)).To(Succeed())
	}))

	It("is separate for each host", spec.InBubble(func(t *testing.T) {
		first, other := begin(t, compact), begin(t, compact)
		Expect(call(first, `{}`)).To(MatchError(domain.ErrInvalidArguments))

		Expect(call(other, `{}`)).To(MatchError(domain.ErrInvalidArguments))
	}))

	It("lets every call pass if the schema cannot be read", spec.InBubble(func(t *testing.T) {
		w := begin(t, compact)
		for _, schema := range []string{`true`, `null`, `[]`, `{"$ref":"#"}`, `{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`} {
			offer(w, `{"name":"read","inputSchema":`+schema+`}`)
			w.server("files").sayToolsChanged()
			Expect(call(w, `{"a":{"a":1}}`)).To(Succeed(), schema)
		}
	}))
})
