package realservers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Tools of real servers as signatures", func() {
	// start starts a workbench that shows tools in a form and shakes hands.
	start := func(ctx context.Context, form string, servers ...server) workbench {
		GinkgoHelper()
		env := append(environment(), "WORKBENCH_DEFINITIONS="+form)
		w := workbench{startHost(env, programs.Workbench, "--config", configuration(toolbox{"real", servers}))}
		w.initialize(ctx)
		return w
	}
	open := func(ctx context.Context, w workbench, arguments string) string {
		GinkgoHelper()
		return text(w.callTool(ctx, "open_toolbox", arguments))
	}
	threeServers := func(directory string) []server {
		return []server{everything(), filesystem(directory), memory(filepath.Join(directory, "graph.json"))}
	}

	It("are enough to call a tool, and the answer to a wrong call teaches the right one", func(ctx SpecContext) {
		directory := realDirectory()
		file := filepath.Join(directory, "a.txt")
		Expect(os.WriteFile(file, []byte("here\n"), 0o600)).To(Succeed())
		w := start(ctx, "compact", threeServers(directory)...)

		var answer struct{ Tools map[string][]string }
		Expect(json.Unmarshal([]byte(open(ctx, w, `{"toolbox":"real"}`)), &answer)).To(Succeed())
		Expect(answer.Tools["filesystem"]).To(ContainElement(HavePrefix("read_text_file")))
		Expect(answer.Tools["memory"]).To(ContainElement(HavePrefix("delete_entities(entityNames: string[])")))
		Expect(answer.Tools["everything"]).To(ContainElement(HavePrefix("echo(message: string)")))

		wrong := text(w.use(ctx, "real", "filesystem", "read_text_file", fmt.Sprintf(`{"file":%q}`, file)))
		Expect(wrong).To(HavePrefix("Invalid arguments for tool 'read_text_file' in server 'filesystem' (toolbox 'real'): " +
			"'path' is required and must be a string"))
		Expect(wrong).To(ContainSubstring(`"outputSchema":`))
		Expect(text(w.use(ctx, "real", "filesystem", "read_text_file", fmt.Sprintf(`{"path":%q}`, file)))).To(Equal("here\n"))
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"here"}`))).To(Equal("Echo: here"))
	}, SpecTimeout(time.Minute))

	It("are followed by a tool's definition on request, in the same bytes as in full", func(ctx SpecContext) {
		directory := realDirectory()
		full := open(ctx, start(ctx, "full", threeServers(directory)...), `{"toolbox":"real"}`)
		_, tools, _ := strings.Cut(full, `"tools":[`)
		var names []string
		for _, definition := range start(ctx, "full", threeServers(directory)...).open(ctx, "real").Tools {
			var tool struct{ Name, Server string }
			Expect(json.Unmarshal(definition, &tool)).To(Succeed())
			names = append(names, tool.Server+"/"+tool.Name)
		}
		list, err := json.Marshal(names)
		Expect(err).NotTo(HaveOccurred())

		for _, form := range []string{"compact", "names", "lean", "auto"} {
			w := start(ctx, form, threeServers(directory)...)
			short := open(ctx, w, `{"toolbox":"real"}`)
			Expect(len(short)).To(BeNumerically("<", len(full)), form)

			_, asked, _ := strings.Cut(open(ctx, w, `{"toolbox":"real","tools":`+string(list)+`}`), `"tools":[`)

			Expect(asked).To(Equal(tools), form)
		}
	}, SpecTimeout(2*time.Minute))

	It("are enough for the Inspector, which opens, calls, is taught and calls again", func(ctx SpecContext) {
		requireNodeForJudges()
		inspector := startInspector()
		config := configuration(toolbox{"real", []server{everything()}})
		written, err := os.ReadFile(config)
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(config, []byte(strings.Replace(string(written), "{", `{"definitions":"auto","limits":{"definitions":"4KiB"},`, 1)), 0o600)).To(Succeed())
		Expect(inspector(ctx, "connect", "--era", "auto", "--", programs.Workbench, "--config", config).code).To(Equal(0))
		defer func() { Expect(inspector(ctx, "disconnect").code).To(Equal(0)) }()

		shown := inspector(ctx, "tools/call", "open_toolbox", `{"toolbox":"real"}`)
		Expect(shown.code).To(Equal(0))
		Expect(shown.stdout).To(ContainSubstring(`echo(message: string)`))
		definition := inspector(ctx, "tools/call", "open_toolbox", `{"toolbox":"real","tools":["get-sum"]}`)
		Expect(definition.code).To(Equal(0))
		Expect(definition.stdout).To(And(ContainSubstring("get-sum"), Not(ContainSubstring("get-env"))))

		taught := inspector(ctx, "tools/call", "use_tool", useArguments("real", "everything", "echo", `{"text":"hello"}`))
		Expect(taught.code).To(Equal(inspectorToolFailed))
		Expect(taught.stdout).To(ContainSubstring("Invalid arguments for tool 'echo' in server 'everything' (toolbox 'real'): 'message' is required and must be a string"))
		used := inspector(ctx, "tools/call", "use_tool", useArguments("real", "everything", "echo", `{"message":"hello"}`))
		Expect(used.code).To(Equal(0))
		Expect(used.stdout).To(ContainSubstring("Echo: hello"))
	}, SpecTimeout(time.Minute))
})
