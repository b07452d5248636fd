package wording

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// Showing says how much of its tools a toolbox shows.
type Showing struct {
	Form definitions.Form
	// Budget is the maximum size of the answer in bytes when the form is definitions.Auto or
	// definitions.Names.
	Budget int
	// Host is the host that reads it.
	Host Host
}

// OpenAnswer is the result of open_toolbox for an opened toolbox. It never changes,
// so it is safe for concurrent use.
//
// Decision: an answer is made for each opening, which takes 2.5 to 12 ms for 100 tools, and is not kept.
type OpenAnswer struct {
	servers []domain.OpenedServer
	form    definitions.Form
	tooLong string
	size    int
	result  json.RawMessage
}

// NewOpenAnswer makes the answer. The raw JSON in opened must not change.
func NewOpenAnswer(opened domain.OpenedToolbox, showing Showing) *OpenAnswer {
	shown := show(opened, showing)
	answer := &OpenAnswer{servers: opened.Servers, form: shown.Form}
	text := newFrame(opened).with(opened, shown)
	if limit := showing.Host.MaxResult; limit > 0 && len(text) > limit {
		answer.tooLong = tooLongText(showing.Host, shown.Form, len(text))
		text = newFrame(opened, answer.tooLong).with(opened, shown)
	} else if len(text) > longAnswer {
		answer.tooLong = longText(shown.Form, len(text))
	}
	text = rawjson.WithoutTags(text)
	answer.size, answer.result = len(text), TextResult(string(text))
	return answer
}

// NewSelection makes the answer that has only the tools of these names, with their full
// definitions. A name is that of a tool, or "server/tool". The answer has the instructions in opened, from which the
// caller leaves out those that the host was shown.
func NewSelection(opened domain.OpenedToolbox, names []string) *OpenAnswer {
	selected, unknown := selectTools(opened, names)
	text := newFrame(selected, unknown...).with(selected, definitions.Shown{Form: definitions.Full})
	return &OpenAnswer{servers: selected.Servers, form: definitions.Full, result: TextResult(string(rawjson.WithoutTags(text)))}
}

// Result returns the raw result of the tool. It must not be changed.
func (a *OpenAnswer) Result() json.RawMessage { return a.result }

// Size returns how many bytes a model reads.
func (a *OpenAnswer) Size() int { return a.size }

// TooLong says that the answer is longer than what the host, or many hosts, pass on to the
// model, and which setting helps. It is "" if the answer is not too long.
func (a *OpenAnswer) TooLong() string { return a.tooLong }

// Form returns the form that the tools are shown in, never definitions.Auto.
func (a *OpenAnswer) Form() definitions.Form { return a.form }

// Servers returns the servers with the tools that are shown.
func (a *OpenAnswer) Servers() []domain.OpenedServer { return a.servers }
