package realservers_test

import (
	"strings"

	"mcp-workbench/tests/fixtures/script"
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
	expect("test_input_required_result_elicitation", [2]string{`"user_name":{`, complete("Hello")}, [2]string{"", wanting("", name)})
	expect("test_input_required_result_sampling", [2]string{`"capital_question":{`, complete("Paris")}, [2]string{"", wanting("", `"capital_question":`+sample)})
	expect("test_input_required_result_list_roots", [2]string{`"client_roots":{`, complete("file:///test/root")}, [2]string{"", wanting("", roots)})
	expect("test_input_required_result_request_state", [2]string{`"requestState":"given"`, complete("state-ok")}, [2]string{"", wanting("given", `"confirm":`+form)})
	expect("test_input_required_result_multiple_inputs", [2]string{`"requestState":"given"`, complete("all")}, [2]string{"", wanting("given", name, `"greeting":`+sample, roots)})
	expect("test_input_required_result_multi_round", [2]string{`"requestState":"second"`, complete("blue")},
		[2]string{`"requestState":"first"`, wanting("second", `"step2":`+form)}, [2]string{"", wanting("first", `"step1":`+form)})
	expect("test_input_required_result_capabilities", [2]string{`"elicitation":`, wanting("", name)}, [2]string{"", wanting("", `"greeting":`+sample)})
	expect("test_input_required_result_tampered_state", [2]string{`"requestState":"given"`, complete("state-ok")}, [2]string{"", wanting("given", `"confirm":`+form)})
	const prompted = "test_input_required_result_prompt"
	rules = append(rules,
		script.Rule{Method: "prompts/list", Do: []script.Step{{Result: `{"resultType":"complete","prompts":[` + prompt(prompted) + `],"ttlMs":0,"cacheScope":"private"}`}}},
		script.Rule{Method: "prompts/get", Params: `"user_context":{`, Do: []script.Step{{Result: `{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"With context"}}]}`}}},
		script.Rule{Method: "prompts/get", Do: []script.Step{{Result: wanting("", `"user_context":`+form)}}},
	)
	s := script.Script{Rules: rules}
	for _, tool := range []string{"elicitation", "sampling", "list_roots", "request_state", "multiple_inputs", "multi_round", "capabilities", "tampered_state"} {
		s.Tools = append(s.Tools, script.Tool("test_input_required_result_"+tool))
	}
	return s
}

// wanting is the result of a call that needs these inputs, with the state of the server, ""
// for none.
func wanting(state string, inputs ...string) string {
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
