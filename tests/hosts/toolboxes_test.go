package hosts_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/hosts/model"
)

// toolbox is a toolbox of a configuration.
type toolbox struct{ name, description string }

// seven are the toolboxes of a new user.
var seven = []toolbox{
	{"files", "Read and write the files of the project"},
	{"memory", "A memory that outlives the conversation"},
	{"browser", "Open web pages, click and read them"},
	{"tickets", "Find, write and change tickets"},
	{"database", "Look things up in the database of the shop"},
	{"calendar", "Appointments of the team"},
	{"cloud", "Machines, logs and bills of the cloud"},
}

// forty are the toolboxes of a user with many servers.
func forty() []toolbox {
	var toolboxes []toolbox
	for i := range 40 {
		toolboxes = append(toolboxes, toolbox{fmt.Sprintf("toolbox-%02d", i), strings.Repeat("What can be done with it. ", 4)})
	}
	return toolboxes
}

// scripted is the script of the server in each toolbox.
var scripted = script.Script{
	Tools: []string{script.Tool("echo"), script.Tool("ask")},
	Rules: []script.Rule{
		{Method: "tools/call", Tool: "echo", Do: []script.Step{
			{Line: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"total":2}}`},
			{Result: script.Text("It says: hello")},
		}},
		{Method: "tools/call", Tool: "ask", Background: true, Do: []script.Step{
			{Ask: "elicitation/create", Params: `{"message":"Are you sure?","requestedSchema":{"type":"object",` +
				`"properties":{"sure":{"type":"boolean"}}}}`},
			{Result: `{"content":[{"type":"text","text":"The answer was heard"}],"_meta":{"answer":${answer}}}`},
		}},
	},
}

// configurationOf returns the text of a configuration with these toolboxes, each with
// one server that plays the script.
func configurationOf(scriptPath string, toolboxes []toolbox) string {
	server := fmt.Sprintf(`{"command": %s, "args": ["-script", %s]}`, quote(programs.ScriptedServer), quote(scriptPath))
	var texts []string
	for _, t := range toolboxes {
		texts = append(texts, fmt.Sprintf(`    %s: {"description": %s, "mcpServers": {"scripted": %s}}`,
			quote(t.name), quote(t.description), server))
	}
	return "{\n  \"toolboxes\": {\n" + strings.Join(texts, ",\n") + "\n  }\n}\n"
}

// accountWith returns an account whose configuration has these toolboxes.
func accountWith(toolboxes []toolbox) account {
	GinkgoHelper()
	d := newAccount("")
	s := scripted
	s.Journal = d.path("journal")
	Expect(s.Save(d.path("script.json"))).To(Succeed())
	d.write("workbench-config.json", configurationOf(d.path("script.json"), toolboxes))
	return d
}

func open(toolbox string) model.Call {
	return model.Call{Tool: "open_toolbox", Arguments: `{"toolbox":` + quote(toolbox) + `}`}
}

func use(toolbox, tool string) model.Call {
	return model.Call{Tool: "use_tool", Arguments: fmt.Sprintf(
		`{"tool":{"toolbox":%s,"server":"scripted","tool":%s},"arguments":{}}`, quote(toolbox), quote(tool))}
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}
