package wording

import (
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// TextResult returns the result of a tool with one text.
func TextResult(text string) json.RawMessage { return textResult(false, text) }

// ErrorResult returns the result of a tool that failed, with the text that says why.
func ErrorResult(text string) json.RawMessage { return textResult(true, domain.WithoutTags(text)) }

func textResult(isError bool, texts ...string) json.RawMessage {
	result := []byte(`{"content":[`)
	for i, text := range texts {
		if i > 0 {
			result = append(result, ',')
		}
		result = append(rawjson.AppendQuote(append(result, `{"type":"text","text":`...), text), '}')
	}
	result = append(result, ']')
	if isError {
		result = append(result, `,"isError":true`...)
	}
	return append(result, '}')
}

// UnknownTool says that the workbench has no tool of that name. more are the names of its tools beside
// open_toolbox and use_tool.
func UnknownTool(name string, more ...string) string {
	own := append([]string{domain.ToolOpenToolbox, domain.ToolUseTool}, more...)
	last := len(own) - 1
	return fmt.Sprintf("Unknown tool: %s. The tools here are %s and %s; call a toolbox's tools through %s.",
		domain.QuotedName(name), strings.Join(own[:last], ", "), own[last], domain.ToolUseTool)
}

// UnknownRegisteredTool is UnknownTool for dynamic mode.
func UnknownRegisteredTool(name string) string {
	return fmt.Sprintf("Unknown tool: %s. A toolbox's tools are here while it is open: call %s, "+
		"and take registered_name from its answer.", domain.QuotedName(name), domain.ToolOpenToolbox)
}

// UnclearPage answers the call of a page if it is not clear which server's page it is.
func UnclearPage(unclear *domain.PageToolError) string {
	why := "several servers whose pages were shown have a tool of that name"
	switch unclear.Shown {
	case 0:
		why = "no page of a server with that tool was shown; a page can call the tools of its own server only"
	case 1:
		why = "pages of several servers are shown, and this host shows no forms to ask the user which of them may call (elicitation); " +
			"only the page that was shown last can call tools; to show this one again, call its tool again"
	}
	return fmt.Sprintf("The tool %s was not called: %s.", domain.QuotedName(unclear.Name), why)
}

// TooManySubscriptions answers a host that subscribes to too many resources.
const TooManySubscriptions = "too many subscriptions to resources; end some of them first (resources/unsubscribe)"

// UnaddressedSkill says why a skill is not shown to a host.
func UnaddressedSkill(uri string) string {
	return fmt.Sprintf("a file of the skill %s has no valid address", domain.QuotedName(uri))
}

// CallEnded answers a request that continues a call that no longer exists.
const CallEnded = "This call has ended: it was answered already, or the time for its input ran out. Call the tool again."

// OtherCall answers a request that continues a call with other arguments than the user was asked
// about.
const OtherCall = "The user was asked about this call with other arguments, so it was not made with these. Call the tool again."

// ForeignState answers a request with a requestState that was not given for it. What to do next
// follows.
const ForeignState = "The requestState was not given to you for this request, or not since the workbench started, so nothing was done. "

// What to do next, by the kind of request.
const (
	CallAgain      = "Call the tool again, without requestState and inputResponses."
	GetPromptAgain = "Get the prompt again, without requestState and inputResponses."
	RequestAgain   = "Make the request again, without requestState and inputResponses."
)

// TasksUnsupported says that a call cannot become a task of its server.
func TasksUnsupported(tool domain.ToolIdentifier) string {
	return fmt.Sprintf("Server %s (toolbox %s) does not support tasks; call the tool without one",
		domain.QuotedName(tool.Server), domain.QuotedName(tool.Toolbox))
}

// TaskNotFound says that no running server created a task.
func TaskNotFound(task string) string {
	return fmt.Sprintf("Task %s not found: no running server created it", domain.QuotedAddress(task))
}

// TaskFailure returns the text of a failure of ports.TaskFollower.
func TaskFailure(task string, err error) string {
	return fmt.Sprintf("could not ask for task %s: %s", domain.QuotedAddress(task), Reason(err))
}

// ResourceFailure returns the text of a failure of ports.ResourceReader.
func ResourceFailure(uri string, err error) string {
	return fmt.Sprintf("could not ask for resource %s: %s", domain.QuotedAddress(uri), Reason(err))
}

// PromptEnded answers a request that continues a request for a prompt that no longer exists.
const PromptEnded = "This request has ended: it was answered already, or the time for its input ran out. Get the prompt again."

// PromptNotFound says that no connected server has a prompt of that name.
func PromptNotFound(name string) string {
	return fmt.Sprintf("Prompt %s not found: the prompts of a toolbox are here while it is open; list the prompts to see them", domain.QuotedName(name))
}

// PromptFailure returns the text of a failure of ports.PromptReader.
func PromptFailure(name string, err error) string {
	return fmt.Sprintf("could not ask for prompt %s: %s", domain.QuotedName(name), Reason(err))
}

// AnswerFailure says why the answer of a server cannot be passed on.
func AnswerFailure(server domain.ServerID, err error) string {
	return fmt.Sprintf("server %s (toolbox %s): %s", domain.QuotedName(server.Server), domain.QuotedName(server.Toolbox), Reason(err))
}

// TemplateNotFound says that no connected server lists a URI template.
func TemplateNotFound(template string) string {
	return fmt.Sprintf("Resource template %s not found", domain.QuotedAddress(template))
}
