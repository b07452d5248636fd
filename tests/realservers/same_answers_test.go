package realservers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Using real servers", Label("S14"), func() {
	It("shows every tool of every server in the server's own JSON, and its instructions", func(ctx SpecContext) {
		directory := realDirectory()
		servers := []server{memory(filepath.Join(directory, "graph.json")), everything(), filesystem(directory)}
		w := startWorkbench(ctx, toolbox{"real", servers})

		shown := w.open(ctx, "real")

		var own []string
		instructions := map[string]string{}
		for _, s := range servers {
			h := s.direct(ctx)
			if h.instructions != "" {
				instructions[s.name] = h.instructions
			}
			for _, definition := range listTools(ctx, h) {
				own = append(own, fmt.Sprintf(`%s,"server":%q,"toolbox":"real"}`, definition[:len(definition)-1], s.name))
			}
		}
		Expect(own).To(HaveLen(13 + 9 + 14))
		Expect(texts(shown.Tools)).To(Equal(own))
		Expect(shown.Instructions).To(And(HaveKey("everything"), Equal(instructions)))
		Expect(shown.Connected).To(Equal(3))
		Expect(shown.Errors).To(BeEmpty())
		Expect(shown.Warnings).To(BeEmpty())
	}, SpecTimeout(time.Minute))

	It("answers every call of the everything server with the server's own bytes", func(ctx SpecContext) {
		s := everything()
		compare(everythingJourney(), answers(ctx, s, everythingJourney()), throughWorkbench(ctx, s, everythingJourney()))
	}, SpecTimeout(time.Minute))

	It("answers every call of the filesystem server with the server's own bytes", func(ctx SpecContext) {
		directory := realDirectory()
		prepareFiles(directory)
		journey := filesystemJourney(directory)

		emptyWritten(directory)
		direct := answers(ctx, filesystem(directory), journey)
		emptyWritten(directory)
		through := throughWorkbench(ctx, filesystem(directory), journey)

		compare(journey, direct, through)
	}, SpecTimeout(time.Minute))
})

// answers makes the calls of a journey to the server itself.
func answers(ctx context.Context, s server, journey []call) []message {
	GinkgoHelper()
	h := s.direct(ctx)
	var given []message
	for _, c := range journey {
		given = append(given, h.callTool(ctx, c.tool, c.arguments))
	}
	return given
}

// processVariable is the variable in the result of get-env with which the workbench finds a server's processes.
var processVariable = regexp.MustCompile(`,\\n  \\"MCP_WORKBENCH_SERVER\\": \\"[A-Z2-7]+\\"`)

// throughWorkbench makes the calls of a journey to the server of a toolbox.
func throughWorkbench(ctx context.Context, s server, journey []call) []message {
	GinkgoHelper()
	w := startWorkbench(ctx, toolbox{"real", []server{s}})
	w.open(ctx, "real")
	var given []message
	for _, c := range journey {
		answer := w.use(ctx, "real", s.name, c.tool, c.arguments)
		answer.Result = processVariable.ReplaceAll(answer.Result, nil)
		given = append(given, answer)
	}
	return given
}

// compare compares the answers of both ways byte by byte.
func compare(journey []call, direct, through []message) {
	GinkgoHelper()
	for i, c := range journey {
		what := fmt.Sprintf("call %d: %s %.200s", i+1, c.tool, c.arguments)
		Expect(outcomeOf(direct[i])).To(Equal(c.outcome), "%s\n%s%s", what, direct[i].Result, direct[i].Error)
		Expect(string(through[i].Result)).To(Equal(string(direct[i].Result)), "the result of %s", what)
		Expect(string(through[i].Error)).To(Equal(string(direct[i].Error)), "the error of %s", what)
	}
}

func outcomeOf(answer message) outcome {
	GinkgoHelper()
	Expect(answer.Error).To(BeNil())
	var result toolResult
	Expect(json.Unmarshal(answer.Result, &result)).To(Succeed())
	if result.IsError {
		return failure
	}
	return success
}

// listTools asks a server itself for its tools. The servers list them on one page.
func listTools(ctx context.Context, h *host) []json.RawMessage {
	GinkgoHelper()
	var list struct {
		Tools []json.RawMessage `json:"tools"`
		Next  json.RawMessage   `json:"nextCursor"`
	}
	Expect(json.Unmarshal(h.request(ctx, "tools/list", `{}`).Result, &list)).To(Succeed())
	Expect(list.Next).To(BeNil())
	return list.Tools
}

func texts(values []json.RawMessage) []string {
	var list []string
	for _, value := range values {
		list = append(list, string(value))
	}
	return list
}

// realDirectory returns a new directory, by the path to which servers resolve
// it.
func realDirectory() string {
	GinkgoHelper()
	directory, err := filepath.EvalSymlinks(GinkgoT().TempDir())
	Expect(err).NotTo(HaveOccurred())
	return directory
}
