package application_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The arguments and the result of a call", func() {
	read := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}
	asked := ports.ToolCall{Arguments: json.RawMessage(`{"path":"diary"}`)}

	logging := func(t *testing.T) *workbench {
		w := prepare(t, toolbox("dev", "files"))
		log := application.NewPayloadLog(func() bool { return true }, slog.New(slog.NewTextHandler(w.log, nil)))
		w.observers = &application.Observers{Calls: []ports.CallObserver{log}}
		w.wire(nil, nil)
		w.opens("dev")
		return w
	}

	It("are not logged by default", spec.InBubble(func(t *testing.T) {
		w := start(t, toolbox("dev", "files"))
		w.opens("dev")

		w.useWith(t.Context(), read, asked)

		Expect(w.log.String()).NotTo(ContainSubstring("diary"))
	}))

	It("are logged if logPayloads is on, and the call does not change", spec.InBubble(func(t *testing.T) {
		w := logging(t)

		Expect(w.useWith(t.Context(), read, asked).result()).To(Equal(`"read"`))
		Expect(w.server("files").session().seen().calls[0].Arguments).To(Equal(asked.Arguments))
		Expect(w.log.String()).To(MatchRegexp(`a call.*toolbox=dev server=files tool=read arguments=.*diary`))
		Expect(w.log.String()).To(ContainSubstring(`result="\"read\""`))
	}))

	It("are cut when they are long", spec.InBubble(func(t *testing.T) {
		w := logging(t)
		long := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)

		w.useWith(t.Context(), read, ports.ToolCall{Arguments: long})

		Expect(len(w.log.String())).To(BeNumerically("<", 70<<10))
	}))
})
