package world_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// client is a published library or command line that uses the workbench by a function of npm/clients.mjs.
type client struct {
	function, title, name string
}

// clients are run in the order of the table.
var clients = []client{
	{"sdk1", "TypeScript SDK 1", "@modelcontextprotocol/sdk"},
	{"sdk2", "TypeScript SDK 2", "@modelcontextprotocol/client"},
	{"sdk2auto", "TypeScript SDK 2, `auto`", "@modelcontextprotocol/client"},
	{"aiSdk", "Vercel AI", "@ai-sdk/mcp"},
	{"langchain", "LangChain", "@langchain/mcp-adapters"},
	{"openaiAgents", "OpenAI Agents", "@openai/agents"},
	{"mcpUse", "mcp-use", "mcp-use"},
	{"mastra", "Mastra", "@mastra/mcp"},
	{"strands", "Strands Agents", "@strands-agents/sdk"},
	{"genkit", "Genkit", "@genkit-ai/mcp"},
	{"adk", "Google ADK", "@google/adk"},
	{"mcpClient", "mcp-client", "mcp-client"},
	{"llamaindex", "LlamaIndex", "@llamaindex/tools"},
	{"mcporter", "mcporter", "mcporter"},
	{"huggingFace", "Hugging Face", "@huggingface/mcp-client"},
	{"ax", "Ax", "@ax-llm/ax"},
	{"testClient", "mcp-test-client", "mcp-test-client"},
	{"inspector", "Inspector", "@modelcontextprotocol/inspector"},
	{"mcpCli", "mcp-cli", "@wong2/mcp-cli"},
}

var _ = Describe("Published clients", published, func() {
	var entries []TableEntry
	for _, c := range clients {
		entries = append(entries, Entry(c.title, SpecTimeout(5*time.Minute), c))
	}

	DescribeTable("list the tools, open a toolbox and use a tool", func(ctx SpecContext, c client) {
		home := GinkgoT().TempDir()
		everything := server{name: "@modelcontextprotocol/server-everything"}
		config := everything.configuration(home, everything.command(home))
		script, err := filepath.Abs("npm/clients.mjs")
		Expect(err).NotTo(HaveOccurred())
		command := slices.Concat(everything.command(home)[:len(offline())], []string{
			node(), script, c.function, spec.Build("mcp-workbench/tests/hosts/recorder"), home, BuiltWorkbench(), "--config", config,
		})
		process := exec.CommandContext(ctx, command[0], command[1:]...)
		process.Env, process.Dir, process.WaitDelay = environment(home), home, grace
		var output bytes.Buffer
		process.Stdout, process.Stderr = &output, GinkgoWriter

		Expect(process.Run()).To(Succeed(), output.String())

		lines := strings.Split(strings.TrimSpace(output.String()), "\n")
		var seen struct {
			Tools          []string
			Opened, Echoed string
		}
		Expect(json.Unmarshal([]byte(lines[len(lines)-1]), &seen)).To(Succeed(), output.String())
		Expect(seen.Tools).To(Or(BeNil(), ConsistOf("open_toolbox", "use_tool"))) // mcp-cli cannot list
		Expect(seen.Opened).To(ContainSubstring(`"name":"echo"`))
		Expect(seen.Echoed).To(ContainSubstring("Echo: <&> ü"))
		AddReportEntry("client", c.row(filepath.Join(home, "from-host")), ReportEntryVisibilityFailureOrVerbose)
	}, entries)
})

// row names a client in the report. Its record has the messages that it sent.
func (c client) row(record string) string {
	GinkgoHelper()
	sent, err := os.ReadFile(record)
	Expect(err).NotTo(HaveOccurred())
	var name string
	sessions := 0
	for line := range bytes.Lines(sent) {
		var m struct {
			Method string
			Params struct {
				ClientInfo struct{ Name string }
				Meta       struct {
					ClientInfo struct{ Name string } `json:"io.modelcontextprotocol/clientInfo"`
				} `json:"_meta"`
			}
		}
		if json.Unmarshal(line, &m) != nil {
			continue // an answer
		}
		switch m.Method {
		case "initialize":
			name = m.Params.ClientInfo.Name
			sessions++
		case "server/discover":
			name = m.Params.Meta.ClientInfo.Name
			sessions++
		}
	}
	var notes []string
	if name != c.function { // otherwise clients.mjs chose it
		notes = append(notes, "`"+name+"`")
	}
	if sessions > 1 {
		notes = append(notes, "a session for each call")
	}
	client := c.title + " " + readManifest(c.name).Version
	if len(notes) > 0 {
		client += " (" + strings.Join(notes, ", ") + ")"
	}
	return client
}
