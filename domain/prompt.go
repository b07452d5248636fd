package domain

import "encoding/json"

// PromptIdentifier names one prompt of one server.
type PromptIdentifier struct {
	Server ServerID
	// Prompt is the exact name, which the server chose freely.
	Prompt string
}

// Prompt is a prompt as its server lists it.
type Prompt struct {
	// Name is the exact name, as the server knows the prompt.
	Name string
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
}

// PromptList is the prompts of one server.
type PromptList struct {
	// Prompts are in the order of the server, each name once.
	Prompts []Prompt
	// Suspicious are warnings about prompts with characters that hide or reorder text.
	Suspicious []Warning
	// LeftOut are lines for the log, one for each prompt left out, with the reason.
	LeftOut []string
}

// RegisteredPrompt is a prompt with a name of its own for the host.
type RegisteredPrompt struct {
	// Name is the name that the host uses.
	Name string
	// Prompt is the prompt with that name.
	Prompt PromptIdentifier
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
}

// RegisteredPromptName returns the name under which a prompt of a server is registered.
// The rule is that of RegisteredName.
func RegisteredPromptName(server ServerID, prompt string) string {
	return RegisteredName(server, ToolInfo{Name: prompt, Shown: ShownText(prompt)})
}

// RegisteredPrompts are the registered prompts at one moment. They never change.
type RegisteredPrompts struct {
	// Prompts are in the order of the configuration, and of each server's list.
	Prompts []RegisteredPrompt
	// Taken are the names of the prompts that are not registered, since another prompt has the
	// name.
	Taken map[PromptIdentifier]string

	byName map[string]PromptIdentifier
}

// RegisterPrompts registers prompts under their names. A prompt that is registered in before keeps its
// name, so that the name does not change its meaning while hosts use it. Otherwise the first candidate
// with a name gets it. Before can be nil.
func RegisterPrompts(candidates []RegisteredPrompt, before *RegisteredPrompts) *RegisteredPrompts {
	registered := &RegisteredPrompts{}
	registered.Prompts, registered.byName, registered.Taken = AssignNames(candidates, before.Find,
		func(candidate RegisteredPrompt) (string, PromptIdentifier) { return candidate.Name, candidate.Prompt })
	return registered
}

// Find returns the prompt that is registered under a name.
func (r *RegisteredPrompts) Find(name string) (PromptIdentifier, bool) {
	if r == nil {
		return PromptIdentifier{}, false
	}
	prompt, ok := r.byName[name]
	return prompt, ok
}
