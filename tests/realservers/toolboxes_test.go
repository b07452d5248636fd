package realservers_test

import (
	"fmt"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Keeping toolboxes of real servers", func() {
	const (
		toggle  = "toggle-simulated-logging"
		started = "Started simulated"
		stopped = "Stopped simulated"
	)

	It("keeps a server's state from call to call, and when the toolbox is opened again", func(ctx SpecContext) {
		w := startWorkbench(ctx, toolbox{"real", []server{everything()}})
		w.open(ctx, "real")

		Expect(text(w.use(ctx, "real", "everything", toggle, `{}`))).To(HavePrefix(started))
		w.open(ctx, "real")
		Expect(text(w.use(ctx, "real", "everything", toggle, `{}`))).To(HavePrefix(stopped))
	}, SpecTimeout(time.Minute))

	It("gives the same server a separate state in each toolbox", func(ctx SpecContext) {
		w := startWorkbench(ctx, toolbox{"one", []server{everything()}}, toolbox{"two", []server{everything()}})
		w.open(ctx, "one")
		w.open(ctx, "two")

		for _, want := range []string{started, stopped} {
			for _, name := range []string{"one", "two"} {
				Expect(text(w.use(ctx, name, "everything", toggle, `{}`))).To(HavePrefix(want), "in toolbox %s", name)
			}
		}
	}, SpecTimeout(time.Minute))

	It("sends each toolbox's calls to the server with that toolbox's environment", func(ctx SpecContext) {
		directory := realDirectory()
		graph := func(name string) []server { return []server{memory(filepath.Join(directory, name))} }
		w := startWorkbench(ctx, toolbox{"one", graph("one.json")}, toolbox{"two", graph("two.json")})
		w.open(ctx, "one")
		w.open(ctx, "two")

		text(w.use(ctx, "one", "memory", "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":[]}]}`))

		Expect(text(w.use(ctx, "one", "memory", "read_graph", `{}`))).To(ContainSubstring("Ada"))
		Expect(text(w.use(ctx, "two", "memory", "read_graph", `{}`))).NotTo(ContainSubstring("Ada"))
	}, SpecTimeout(time.Minute))

	It("shows the other servers' tools if one does not start", func(ctx SpecContext) {
		broken := server{name: "broken", Command: node.path, Args: []string{"-e", `console.error("no licence"); process.exit(3)`}}
		absent := server{name: "absent", Command: filepath.Join(GinkgoT().TempDir(), "no-such-program")}
		w := startWorkbench(ctx, toolbox{"real", []server{broken, everything(), absent}})

		shown := w.open(ctx, "real")

		Expect(shown.Connected).To(Equal(1))
		Expect(shown.Tools).To(HaveLen(13))
		Expect(shown.Errors).To(ConsistOf(
			And(HavePrefix("Failed to connect to server 'broken' in toolbox 'real': "), ContainSubstring("no licence")),
			HavePrefix("Failed to connect to server 'absent' in toolbox 'real': "),
		))
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"here"}`))).To(Equal("Echo: here"))
		Expect(text(w.use(ctx, "real", "broken", "echo", `{}`))).To(
			HavePrefix("Error executing tool 'echo' in server 'broken' (toolbox 'real'): "))
	}, SpecTimeout(time.Minute))

	It("answers quick calls while a slow one runs, and never the one that was cancelled", Label("S13"), func(ctx SpecContext) {
		w := startWorkbench(ctx, toolbox{"real", []server{everything()}})
		w.open(ctx, "real")
		slow := useArguments("real", "everything", "trigger-long-running-operation", `{"duration":600,"steps":1}`)

		id, _ := w.begin("tools/call", fmt.Sprintf(`{"name":"use_tool","arguments":%s}`, slow))
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"quick"}`))).To(Equal("Echo: quick"))
		w.notify("notifications/cancelled", fmt.Sprintf(`{"requestId":%d}`, id))
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"on"}`))).To(Equal("Echo: on"))

		Expect(w.end()).To(Equal(0))
		Expect(w.answers(id)).To(BeEmpty())
	}, SpecTimeout(time.Minute))
})
