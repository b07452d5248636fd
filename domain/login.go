package domain

// LoginPrompt is what a person at a host is shown who has to log in somewhere.
type LoginPrompt struct {
	// ID names the login in later messages about it.
	ID string
	// URL is where the person logs in.
	URL string
	// Message says what for, in one sentence.
	Message string
}

// PromptAnswer is what became of a prompt.
type PromptAnswer int

// What can become of a prompt.
const (
	// PromptAccepted: the person went to the URL, which does not say that the login
	// succeeded.
	PromptAccepted PromptAnswer = iota
	// PromptDeclined: the person does not want to log in.
	PromptDeclined
	// PromptDismissed: the person did not decide.
	PromptDismissed
	// PromptFailed: the host could not show the prompt.
	PromptFailed
	// PromptWithdrawn: what the prompt was part of ended before there was an answer.
	PromptWithdrawn
)
