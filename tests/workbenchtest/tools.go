package workbenchtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/tailscale/hujson"

	"mcp-workbench/tests/fixtures/script"
)

// ToolsChanged is the line in which a server announces that its tools changed.
const ToolsChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// ChangingTools returns a server whose tools change when its tool named change is
// used.
func ChangingTools(times int) script.Script {
	s := WithTools("change", "old")
	s.Capabilities = `{"tools":{"listChanged":true}}`
	s.Rules = append([]script.Rule{{Method: "tools/call", Tool: "change", Do: []script.Step{
		{SetTools: []string{script.Tool("change"), script.Tool("new")}},
		{Line: ToolsChanged, Times: times},
		{Result: script.Text("changed")},
	}}}, s.Rules...)
	return s
}

// DescribedTool returns the definition of a tool with a description.
func DescribedTool(name, description string) string {
	return `{"name":` + Quote(name) + `,"description":` + Quote(description) + `,"inputSchema":{"type":"object"}}`
}

// WithDefinitions returns a server with these definitions that answers every call with "done".
func WithDefinitions(definitions ...string) script.Script {
	return script.Script{Tools: definitions, Rules: []script.Rule{script.Answer("", script.Text("done"))}}
}

// ProgressNotification is the line in which a server reports the progress of a call.
const ProgressNotification = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${n},"message":"at ${n}"}}`

// MakingTasks returns a server whose tool build makes a call a task, and which answers
// requests about the task with its own name.
func MakingTasks(name, task string) script.Script {
	s := WithTools()
	s.Capabilities = `{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
	s.Tools = []string{`{"name":"build","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`, script.Tool("vanish")}
	about := func(method string) script.Rule {
		return script.Rule{Method: method, Do: []script.Step{{Result: `{"by":"` + name + `","to":"` + method + `","heard":${params}}`}}}
	}
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "vanish", Do: []script.Step{{Exit: 1}}},
		{Method: "tools/call", Tool: "build", Do: []script.Step{
			{Result: `{"task":{"taskId":"` + task + `","status":"working","ttl":60000},"heard":${params}}`},
			{Line: `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"` + task + `","status":"completed"}}`},
		}},
		about("tasks/get"), about("tasks/result"), about("tasks/cancel"),
	}
	return s
}

// DynamicConfiguration returns a Configuration with the mode that registers tools.
func DynamicConfiguration(toolboxes ...Toolbox) string {
	return strings.Replace(Configuration(toolboxes...), "{", "{\n  \"toolMode\": \"dynamic\",", 1)
}

// BeginTool begins to call a tool by its name in tools/list, with raw
// arguments and further raw members of _meta, and returns the id of the request.
func (h Host) BeginTool(name, arguments string, meta ...string) string {
	ginkgo.GinkgoHelper()
	return h.Begin("tools/call", h.Params(`"name":`+Quote(name)+`,"arguments":`+arguments, meta...))
}

// Tool calls a tool, like BeginTool, and returns the answer.
func (h Host) Tool(name, arguments string, meta ...string) Message {
	ginkgo.GinkgoHelper()
	return h.Await(h.BeginTool(name, arguments, meta...))
}

// Close closes a toolbox.
func (h Host) Close(toolbox string) Message {
	ginkgo.GinkgoHelper()
	return h.Tool("close_toolbox", `{"toolbox":`+Quote(toolbox)+`}`)
}

// Tools returns the definitions on all pages of tools/list, for a host that
// follows cursors.
func (h Host) Tools() []json.RawMessage {
	ginkgo.GinkgoHelper()
	var tools []json.RawMessage
	for cursor := ""; ; {
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor string            `json:"nextCursor"`
		}
		params := ""
		if cursor != "" {
			params = `"cursor":` + Quote(cursor)
		}
		h.Request("tools/list", h.Params(params)).Decode(&page)
		tools = append(tools, page.Tools...)
		if page.NextCursor == "" {
			return tools
		}
		cursor = page.NextCursor
	}
}

// ToolNames returns the names of the tools of tools/list.
func (h Host) ToolNames() []string {
	ginkgo.GinkgoHelper()
	return Opened{Tools: h.Tools()}.Names()
}

// RegisteredNames returns the registered names of the tools, "" for one that is not
// registered.
func (o Opened) RegisteredNames() []string {
	ginkgo.GinkgoHelper()
	names := make([]string, len(o.Tools))
	for i, definition := range o.Tools {
		var tool struct {
			Name string `json:"registered_name"`
		}
		gomega.Expect(json.Unmarshal(definition, &tool)).To(gomega.Succeed())
		names[i] = tool.Name
	}
	return names
}

// CloseDev are the arguments that close the toolbox dev.
const CloseDev = `{"toolbox":"dev"}`

// OwnTools are the tools that the workbench shows in dynamic mode while no toolbox is open.
var OwnTools = []string{"open_toolbox", "use_tool", "close_toolbox"}

// WithOwnTools returns these names after those of OwnTools.
func WithOwnTools(names ...string) []string {
	return append(append([]string(nil), OwnTools...), names...)
}

// ConnectDynamic starts a workbench that registers tools, and connects a host to it.
func ConnectDynamic(e Era, toolboxes ...Toolbox) Host {
	ginkgo.GinkgoHelper()
	w := Start(Launch{Config: DynamicConfiguration(toolboxes...)})
	return Connect(w, e.Modern, `{}`)
}

// ToolsListChanged is the method of the notification that tools changed.
const ToolsListChanged = "notifications/tools/list_changed"

// FollowTools makes a host follow the list of tools in the way of its era.
func FollowTools(host Host) {
	ginkgo.GinkgoHelper()
	if host.Modern {
		host.Begin("subscriptions/listen", host.Params(`"notifications":{"toolsListChanged":true}`))
		host.AwaitSent("notifications/subscriptions/acknowledged", 1)
	}
}

// PinnedFiles is a configuration in a separate folder, with a lock beside it and
// one scripted server named files, in a toolbox named dev.
type PinnedFiles struct{ Config, Lock, Script string }

// NewPinnedFiles writes the configuration, with these raw members at its root, but no lock.
func NewPinnedFiles(s script.Script, settings ...string) PinnedFiles {
	ginkgo.GinkgoHelper()
	folder := ginkgo.GinkgoT().TempDir()
	p := PinnedFiles{
		Config: filepath.Join(folder, "c.json"), Lock: filepath.Join(folder, "workbench.lock.json"), Script: filepath.Join(folder, "script"),
	}
	p.ServerIs(s)
	p.Configure(settings...)
	return p
}

// Configure writes the configuration again, with these raw members at its root.
func (p PinnedFiles) Configure(settings ...string) {
	ginkgo.GinkgoHelper()
	p.ConfigureWith(nil, settings...)
}

// ConfigureWith writes the configuration again, with these servers after the first one.
func (p PinnedFiles) ConfigureWith(servers []Server, settings ...string) {
	ginkgo.GinkgoHelper()
	files := Program("files", ScriptedServer(), `"args":["-script",`+Quote(p.Script)+`]`)
	root := strings.Join(append(settings, ""), ",")
	WriteFile(p.Config, strings.Replace(Configuration(InDev(append([]Server{files}, servers...)...)), "{", "{"+root, 1))
}

// ServerIs sets the script of the server from its next start.
func (p PinnedFiles) ServerIs(s script.Script) {
	ginkgo.GinkgoHelper()
	gomega.Expect(s.Save(p.Script)).To(gomega.Succeed())
}

// Run runs the program with the configuration.
func (p PinnedFiles) Run(args ...string) Outcome {
	ginkgo.GinkgoHelper()
	return Run(Launch{Args: append([]string{"--config", p.Config}, args...), Env: p.Env()})
}

// Env returns the variables of every program that uses the configuration: they share a state folder.
func (p PinnedFiles) Env() []string {
	state := filepath.Join(filepath.Dir(p.Config), "state")
	return []string{"HOME=" + state, "XDG_STATE_HOME=" + state, "LocalAppData=" + state}
}

// Approve accepts every change of these servers in a terminal.
func (p PinnedFiles) Approve(servers ...string) Outcome {
	ginkgo.GinkgoHelper()
	return RunInTerminal(Launch{Args: append([]string{"--config", p.Config, "lock", "--update", "--yes"}, servers...), Env: p.Env()})
}

// Locked returns the text of the lock.
func (p PinnedFiles) Locked() string {
	ginkgo.GinkgoHelper()
	text, err := os.ReadFile(p.Lock)
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	return string(text)
}

// Connect starts a workbench with that configuration and a host of the era.
func (p PinnedFiles) Connect(ofHost Era) Host {
	ginkgo.GinkgoHelper()
	return Connect(Start(Launch{Args: []string{"--config", p.Config}, Env: p.Env()}), ofHost.Modern, `{}`)
}

// beyondSchema are the problems of configurations that JSON Schema cannot express, each by
// the program's message about it, with the reason.
var beyondSchema = map[string]string{
	`a second time`:                       "a schema sees a key once, however often it is there",
	`found "\$\{|environment variable|\$`: "variables have a syntax within texts, and belong to the environment",
	`WORKBENCH_`:                          "what variables of the environment say is not in the file",
	`--log-level`:                         "what flags say is not in the file",
	`--allow-foreign-config`:              "the modes and owner of a file are not in the file",
	`tool mode "dynamic"`:                 "names of toolboxes depend on another key, which a variable may set too",
	`a duration|a size`:                   "a text with a unit has no order in a schema",
	`, as "(transport|type)" says`:        "a schema cannot compare two values",
	`header`:                              "names of headers are those of a transport",
	`URL`:                                 "a schema cannot parse an address",
	`cannot be (read|opened)|permission`:  "the file itself cannot be read",
	`without a lock|"pinning": "off"`:     "a lock is another file",
	`configuration file that can be read`: "included files are not in the file",
	`inside each other`:                   "a schema has no depth",
	`other machines`:                      "where the workbench listens is not in the file",
}

// theSchema is the schema that the program prints.
var theSchema = sync.OnceValue(func() *jsonschema.Resolved {
	printed, err := exec.Command(programs.Workbench, "schema").Output()
	if err != nil {
		return nil // the specs of the command report the reason
	}
	var schema jsonschema.Schema
	if json.Unmarshal(printed, &schema) != nil {
		return nil
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
})

// judge checks that the schema and the program agree about the configuration that a
// launch names: both accept it, or both refuse it.
func (l Launch) judge(refused bool, output string) {
	ginkgo.GinkgoHelper()
	text := []byte(l.Config)
	if at := slices.Index(l.Args, "--config"); l.Config == "" && at >= 0 && at+1 < len(l.Args) {
		text, _ = os.ReadFile(l.Args[at+1]) // a file that cannot be read is not judged
	}
	plain, err := hujson.Standardize(text)
	var value any
	isPart := slices.Contains(l.Args, "--toolbox") && !refused // mistakes elsewhere do not count
	if isPart || l.Program != "" || err != nil || json.Unmarshal(plain, &value) != nil {
		return
	}
	gomega.Expect(theSchema()).NotTo(gomega.BeNil(), "the program prints a schema that can be resolved")
	failure := theSchema().Validate(value)
	if refused && failure == nil {
		for pattern := range beyondSchema {
			if regexp.MustCompile(pattern).MatchString(output) {
				return
			}
		}
	}
	gomega.Expect(failure != nil).To(gomega.Equal(refused), "the schema and the program differ about %s\nschema: %v\nprogram: %s", text, failure, output)
}
