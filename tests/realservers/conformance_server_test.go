package realservers_test

import (
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/relay"
	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// The smallest picture of one red pixel, and the smallest empty sound.
const (
	pixel   = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==`
	silence = `UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=`
)

// schemaTool is the definition that the runner looks for, in every keyword.
const schemaTool = `{"name":"json_schema_2020_12_tool","description":"Tool with JSON Schema 2020-12 features",` +
	`"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},` +
	`"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},` +
	`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
	`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}}`

// conformanceServer is the server that the conformance runner expects: tools
// with fixed names and fixed results. The installed packages have no such server.
func conformanceServer() script.Script {
	const text = `{"type":"text","text":"This is a simple text response for testing."}`
	const image = `{"type":"image","data":"` + pixel + `","mimeType":"image/png"}`
	const audio = `{"type":"audio","data":"` + silence + `","mimeType":"audio/wav"}`
	const embedded = `{"type":"resource","resource":{"uri":"test://embedded-resource",` +
		`"mimeType":"text/plain","text":"This is an embedded resource content."}}`
	const mixed = `{"type":"text","text":"Multiple content types test:"},` + image +
		`,{"type":"resource","resource":{"uri":"test://mixed-content-resource",` +
		`"mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}`
	const failure = `{"type":"text","text":"This tool intentionally returns an error for testing"}`
	return script.Script{
		Capabilities: `{"tools":{},"logging":{},"resources":{"subscribe":true},"prompts":{"listChanged":true},"completions":{}}`,
		Tools: []string{
			script.Tool("test_simple_text"), script.Tool("test_image_content"), script.Tool("test_audio_content"),
			script.Tool("test_embedded_resource"), script.Tool("test_multiple_content_types"),
			script.Tool("test_error_handling"), script.Tool("test_tool_with_logging"),
			script.Tool("test_tool_with_progress"), script.Tool("test_sampling"), script.Tool("test_elicitation"),
			script.Tool("test_elicitation_sep1034_defaults"), script.Tool("test_elicitation_sep1330_enums"), schemaTool,
			script.Tool("test_streaming_elicitation"), script.Tool("test_logging_tool"), script.Tool("test_trigger_prompt_change"),
			script.Tool("test_reconnection"), script.Tool("test_missing_capability"),
		},
		Rules: []script.Rule{
			script.Answer("test_simple_text", `{"content":[`+text+`]}`),
			script.Answer("test_image_content", `{"content":[`+image+`]}`),
			script.Answer("test_audio_content", `{"content":[`+audio+`]}`),
			script.Answer("test_embedded_resource", `{"content":[`+embedded+`]}`),
			script.Answer("test_multiple_content_types", `{"content":[`+mixed+`]}`),
			script.Answer("test_error_handling", `{"content":[`+failure+`],"isError":true}`),
			{Method: "tools/call", Tool: "test_tool_with_logging", Do: notifications(
				`"notifications/message","params":{"level":"info","data":"Tool execution started"}`,
				`"notifications/message","params":{"level":"info","data":"Tool processing data"}`,
				`"notifications/message","params":{"level":"info","data":"Tool execution completed"}`,
			)},
			{Method: "tools/call", Tool: "test_tool_with_progress", Do: notifications(
				`"notifications/progress","params":{"progressToken":${token},"progress":0,"total":100}`,
				`"notifications/progress","params":{"progressToken":${token},"progress":50,"total":100}`,
				`"notifications/progress","params":{"progressToken":${token},"progress":100,"total":100}`,
			)},
			{Method: "tools/call", Tool: "test_missing_capability", Do: []script.Step{
				{Error: `{"code":-32021,"message":"sampling is missing","data":{"requiredCapabilities":{"sampling":{}}}}`},
			}},
			{Method: "logging/setLevel", Do: []script.Step{{Result: `{}`}}},
			questionRule("test_sampling", `"sampling/createMessage","params":{"maxTokens":100,`+
				`"messages":[{"role":"user","content":{"type":"text","text":"Test prompt"}}]}`),
			questionRule("test_elicitation", elicitation(`"username":{"type":"string"},"email":{"type":"string"}`)),
			questionRule("test_elicitation_sep1034_defaults", elicitation(defaults)),
			questionRule("test_elicitation_sep1330_enums", elicitation(enums)),
			{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[` +
				`{"uri":"test://static-text","name":"text","mimeType":"text/plain"},` +
				`{"uri":"test://static-binary","name":"binary","mimeType":"image/png"}]}`}}},
			{Method: "resources/read", URI: "test://static-text", Do: contents(`"text/plain","text":"The text."`)},
			{Method: "resources/read", URI: "test://static-binary", Do: contents(`"image/png","blob":"` + pixel + `"`)},
			{Method: "resources/read", URI: "test://template/123/data", Do: contents(`"application/json","text":"{\"id\":\"123\"}"`)},
			{Method: "resources/subscribe", Do: []script.Step{{Result: `{}`}}},
			{Method: "resources/unsubscribe", Do: []script.Step{{Result: `{}`}}},
			questionRule("test_streaming_elicitation", elicitation(`"username":{"type":"string"}`)),
			{Method: "tools/call", Tool: "test_logging_tool", Do: notifications(`"notifications/message","params":{"level":"error","data":"not asked for"}`)},
			{Method: "tools/call", Tool: "test_trigger_prompt_change", Do: notifications(`"notifications/prompts/list_changed"`)},
			{Method: "tools/call", Tool: "test_reconnection", Do: notifications(`"notifications/message","params":{"level":"info","data":"so it is a stream"}`)},
			{Method: "prompts/list", Once: true, Do: []script.Step{{Result: `{"prompts":[` + judgedPrompts() + `]}`}}},
			{Method: "prompts/list", Do: []script.Step{{Result: `{"prompts":[` + judgedPrompts() + `,` + prompt("test_added_prompt") + `]}`}}},
			{Method: "prompts/get", Tool: "test_simple_prompt", Do: messages(text)},
			{Method: "prompts/get", Tool: "test_prompt_with_arguments", Do: messages(`{"type":"text","text":"With arguments","_meta":${arguments}}`)},
			{Method: "prompts/get", Tool: "test_prompt_with_embedded_resource", Do: messages(embedded, text)},
			{Method: "prompts/get", Tool: "test_prompt_with_image", Do: messages(image, text)},
			{Method: "completion/complete", Do: []script.Step{{Result: `{"completion":{"values":["testing"],"total":1,"hasMore":false}}`}}},
			// A message without a method is the host's answer, with the id of the call.
			{Method: "", Do: []script.Step{{Result: script.Text("The host answered")}}},
		},
	}
}

// judgedPrompts are the definitions of the prompts that the runner expects.
func judgedPrompts() string {
	return prompt("test_simple_prompt") + `,` + prompt("test_prompt_with_arguments", "arg1", "arg2") + `,` +
		prompt("test_prompt_with_embedded_resource", "resourceUri") + `,` + prompt("test_prompt_with_image")
}

// prompt returns the definition of a prompt with these arguments.
func prompt(name string, arguments ...string) string {
	for i, argument := range arguments {
		arguments[i] = `{"name":"` + argument + `","required":true}`
	}
	return `{"name":"` + name + `","description":"A prompt","arguments":[` + strings.Join(arguments, ",") + `]}`
}

// messages returns the step that answers with a prompt of these contents.
func messages(contents ...string) []script.Step {
	for i, content := range contents {
		contents[i] = `{"role":"user","content":` + content + `}`
	}
	return []script.Step{{Result: `{"messages":[` + strings.Join(contents, ",") + `]}`}}
}

// contents returns the step that answers with a resource of this type and
// content.
func contents(content string) []script.Step {
	return []script.Step{{Result: `{"contents":[{"uri":${uri},"mimeType":` + content + `}]}`}}
}

// notifications returns the steps of a tool that notifies before it answers.
func notifications(notifications ...string) []script.Step {
	var steps []script.Step
	for _, notification := range notifications {
		steps = append(steps, script.Step{Line: `{"jsonrpc":"2.0","method":` + notification + `}`})
	}
	return append(steps, script.Step{Result: script.Text("done")})
}

// questionRule returns the rule of a tool that sends the host a request with the id of its
// call.
func questionRule(tool, request string) script.Rule {
	return script.Rule{Method: "tools/call", Tool: tool, Do: []script.Step{
		{Line: `{"jsonrpc":"2.0","id":${id},"method":` + request + `}`},
	}}
}

// elicitation returns the method and the params of a question for these properties.
func elicitation(properties string) string {
	return `"elicitation/create","params":{"message":"Please tell","requestedSchema":{"type":"object","properties":{` +
		properties + `},"required":[]}}`
}

// The properties that the runner looks for in the schemas of questions.
const (
	defaults = `"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},` +
		`"score":{"type":"number","default":95.5},` +
		`"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},` +
		`"verified":{"type":"boolean","default":true}`
	enums = `"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},` +
		`"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},` +
		`{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},` +
		`"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},` +
		`"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},` +
		`"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},` +
		`{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}`
)

// retryingServer is the server of 2026-07-28 that the conformance runner expects: it answers
// calls with the input that it requires, until a retry has it.
func retryingServer() script.Script {
	const (
		name   = `"user_name":{"method":"elicitation/create","params":{"message":"What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`
		sample = `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":100}}`
		roots  = `"client_roots":{"method":"roots/list","params":{}}`
		form   = `{"method":"elicitation/create","params":{"message":"Please tell","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}`
	)
	rules := script.Modern(`{"tools":{},"prompts":{}}`)
	// of adds the rules of a tool: each answers params that contain a text.
	expect := func(tool string, answers ...[2]string) {
		for _, answer := range answers {
			rules = append(rules, script.Rule{Method: "tools/call", Tool: tool, Params: answer[0], Do: []script.Step{{Result: answer[1]}}})
		}
	}
	expect("test_input_required_result_elicitation", [2]string{`"user_name":{`, complete("Hello")}, [2]string{"", inputRequired("", name)})
	expect("test_input_required_result_sampling", [2]string{`"capital_question":{`, complete("Paris")}, [2]string{"", inputRequired("", `"capital_question":`+sample)})
	expect("test_input_required_result_list_roots", [2]string{`"client_roots":{`, complete("file:///test/root")}, [2]string{"", inputRequired("", roots)})
	expect("test_input_required_result_request_state", [2]string{`"requestState":"given"`, complete("state-ok")}, [2]string{"", inputRequired("given", `"confirm":`+form)})
	expect("test_input_required_result_multiple_inputs", [2]string{`"requestState":"given"`, complete("all")}, [2]string{"", inputRequired("given", name, `"greeting":`+sample, roots)})
	expect("test_input_required_result_multi_round", [2]string{`"requestState":"second"`, complete("blue")},
		[2]string{`"requestState":"first"`, inputRequired("second", `"step2":`+form)}, [2]string{"", inputRequired("first", `"step1":`+form)})
	expect("test_input_required_result_capabilities", [2]string{`"elicitation":`, inputRequired("", name)}, [2]string{"", inputRequired("", `"greeting":`+sample)})
	expect("test_input_required_result_tampered_state", [2]string{`"requestState":"given"`, complete("state-ok")}, [2]string{"", inputRequired("given", `"confirm":`+form)})
	const prompted = "test_input_required_result_prompt"
	rules = append(rules,
		script.Rule{Method: "prompts/list", Do: []script.Step{{Result: `{"resultType":"complete","prompts":[` + prompt(prompted) + `],"ttlMs":0,"cacheScope":"private"}`}}},
		script.Rule{Method: "prompts/get", Params: `"user_context":{`, Do: []script.Step{{Result: `{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"With context"}}]}`}}},
		script.Rule{Method: "prompts/get", Do: []script.Step{{Result: inputRequired("", `"user_context":`+form)}}},
	)
	s := script.Script{Rules: rules}
	for _, tool := range []string{"elicitation", "sampling", "list_roots", "request_state", "multiple_inputs", "multi_round", "capabilities", "tampered_state"} {
		s.Tools = append(s.Tools, script.Tool("test_input_required_result_"+tool))
	}
	return s
}

// inputRequired is the result of a call that needs these inputs, with the state of the server, ""
// for none.
func inputRequired(state string, inputs ...string) string {
	result := `{"resultType":"input_required","inputRequests":{` + strings.Join(inputs, ",") + `}`
	if state != "" {
		result += `,"requestState":"` + state + `"`
	}
	return result + `}`
}

// complete is the result of a call that needs no further input.
func complete(text string) string {
	return `{"resultType":"complete",` + strings.TrimPrefix(script.Text(text), "{")
}

// offeredIn returns the names of the scenarios in a list that the runner printed.
func offeredIn(list string) []string {
	var names []string
	for _, line := range regexp.MustCompile(`(?m)^  - (\S+)`).FindAllStringSubmatch(list, -1) {
		names = append(names, line[1])
	}
	return names
}

func conformanceRunner() string { return npmFile("@modelcontextprotocol/conformance/dist/index.js") }

// judgedConfiguration writes a configuration with the conformance server and returns its path.
func judgedConfiguration() string { return configurationOf(conformanceServer()) }

// configurationOf does the same with another server. Names of the toolbox and of the server are short, since
// long names of prompts are cut.
func configurationOf(judged script.Script) string {
	GinkgoHelper()
	tools := filepath.Join(GinkgoT().TempDir(), "script.json")
	Expect(judged.Save(tools)).To(Succeed())
	return configuration(toolbox{"j", []server{
		{name: "c", Command: ScriptedServer(), Args: []string{"-script", tools}},
	}})
}

// relayTo returns the URL of a relay that shows the tools of server c in toolbox j as those of the workbench at the URL.
func relayTo(workbench string) string {
	GinkgoHelper()
	to := spec.Must(url.Parse(workbench))
	server := httptest.NewServer(relay.New("j", "c", to))
	DeferCleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + "/mcp"
}

// check is a check of the runner.
type check struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Error  string `json:"errorMessage"`
}

func readChecks(directory string) []check {
	GinkgoHelper()
	var files []string
	err := filepath.WalkDir(directory, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == "checks.json" {
			files = append(files, path)
		}
		return err
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(files).To(HaveLen(1))
	data := spec.Must(os.ReadFile(files[0]))
	var checks []check
	Expect(json.Unmarshal(data, &checks)).To(Succeed())
	return checks
}
