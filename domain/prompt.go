package domain

import "encoding/json"

// PromptIdentifier names one prompt of one server.
type PromptIdentifier struct {
	Server ServerID
	// Prompt is the name that the server gave the prompt, whatever it holds.
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
	// Prompts keep the order of the server and hold each name once.
	Prompts []Prompt
	// Suspicious are warnings of prompts that hold characters which hide or reorder text.
	Suspicious []Warning
	// LeftOut says in one line each what is not in the list and why, fit for the log.
	LeftOut []string
}

// RegisteredPrompt is a prompt that the host can get by a name of its own.
type RegisteredPrompt struct {
	// Name is the name that the host uses.
	Name string
	// Prompt is what is got by it.
	Prompt PromptIdentifier
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
}

// RegisteredPromptName returns the name under which a prompt of a server is registered.
// The rule is that of RegisteredName.
func RegisteredPromptName(server ServerID, prompt string) string {
	return RegisteredName(server, ToolInfo{Name: prompt, Shown: ShownText(prompt)})
}

// RegisteredPrompts are the registered prompts of one moment. They never change.
type RegisteredPrompts struct {
	// Prompts are in the order of the configuration, and of each server's list.
	Prompts []RegisteredPrompt
	// Taken holds the names of the prompts that are not registered, since another prompt
	// has the name.
	Taken map[PromptIdentifier]string

	byName map[string]PromptIdentifier
}

// RegisterPrompts registers prompts under their names. A name stays with the prompt that
// has it in before, so that it does not come to mean another one while hosts use it.
// Otherwise the first that would have it gets it. Before may be nil.
func RegisterPrompts(candidates []RegisteredPrompt, before *RegisteredPrompts) *RegisteredPrompts {
	owners := make(map[string]PromptIdentifier, len(candidates))
	for _, candidate := range candidates {
		if owner, ok := before.Find(candidate.Name); ok && owner == candidate.Prompt {
			owners[candidate.Name] = owner
		}
	}
	registered := &RegisteredPrompts{Taken: map[PromptIdentifier]string{}, byName: owners}
	for _, candidate := range candidates {
		if owner, owned := owners[candidate.Name]; owned && owner != candidate.Prompt {
			registered.Taken[candidate.Prompt] = candidate.Name
			continue
		}
		owners[candidate.Name] = candidate.Prompt
		registered.Prompts = append(registered.Prompts, candidate)
	}
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
