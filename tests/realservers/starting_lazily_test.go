package realservers_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Real servers that are started lazily", func() {
	// pinned are the members of a definition in a lock.
	pinned := func(definition json.RawMessage) map[string]json.RawMessage {
		GinkgoHelper()
		var members map[string]json.RawMessage
		Expect(json.Unmarshal(definition, &members)).To(Succeed())
		for name := range members {
			if !slices.Contains([]string{"name", "description", "inputSchema", "annotations"}, name) {
				delete(members, name)
			}
		}
		return members
	}

	It("are shown with their own lists of tools, and answer with their own bytes", func(ctx SpecContext) {
		directory, state := realDirectory(), GinkgoT().TempDir()
		servers := []server{memory(filepath.Join(directory, "graph.json")), everything(), filesystem(directory)}
		env := append(environment(), "WORKBENCH_START=lazy", "WORKBENCH_PINNING=block", "XDG_STATE_HOME="+state, "HOME="+state, "LocalAppData="+state)
		path := configuration(toolbox{"real", servers})
		start := func(ctx context.Context) workbench {
			GinkgoHelper()
			w := workbench{startHost(env, programs.Workbench, "--config", path)}
			w.initialize(ctx)
			return w
		}
		locking := exec.CommandContext(ctx, programs.Workbench, "lock", "--config", path)
		locking.Env = env
		output, err := locking.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s", output)
		first := start(ctx)
		Expect(first.open(ctx, "real").Connected).To(Equal(3))
		Expect(first.end()).To(Equal(0))

		w := start(ctx)
		opened := w.open(ctx, "real")

		Expect(opened.Errors).To(BeEmpty())
		Expect(opened.Warnings).To(ConsistOf(HavePrefix("still starting, and shown with the tools that they listed last: ")))
		Expect(opened.Instructions).To(HaveKey("everything"), "as it is in the lock")
		var own []map[string]json.RawMessage
		for _, s := range servers {
			for _, definition := range listTools(ctx, s.direct(ctx)) {
				own = append(own, pinned(json.RawMessage(definition)))
			}
		}
		Expect(opened.Tools).To(HaveLen(len(own)))
		for i, definition := range opened.Tools {
			Expect(pinned(definition)).To(Equal(own[i]), "byte for byte")
		}

		// In its environment the home differs from that of the server that is reached directly.
		journey := slices.DeleteFunc(everythingJourney(), func(c call) bool { return c.tool == "get-env" })
		var through []message
		for _, c := range journey {
			through = append(through, w.use(ctx, "real", "everything", c.tool, c.arguments))
		}
		compare(journey, answers(ctx, everything(), journey), through)
		Expect(text(w.use(ctx, "real", "memory", "read_graph", `{}`))).To(ContainSubstring("entities"))
		Expect(text(w.use(ctx, "real", "filesystem", "list_allowed_directories", `{}`))).To(ContainSubstring(directory))

		again := w.open(ctx, "real")
		Expect(again.Connected).To(Equal(3))
		Expect(again.Warnings).To(BeEmpty())
		Expect(again.Instructions).To(HaveKey("everything"))
	}, SpecTimeout(2*time.Minute))
})
