package domain

import "encoding/json"

// LoginPrompt asks the user of a host to log in at a server.
type LoginPrompt struct {
	// ID names the login in later messages about it.
	ID string
	// URL is where the user logs in.
	URL string
	// Hosts are the hosts of the page and of the server.
	Hosts LoginHosts
	// Meta holds the members of the _meta of the request that needs the login, written as in an object but without
	// braces; nil for none.
	Meta json.RawMessage
}

// LoginHosts are the host of a login page and the host of the server that leads to it. Users are
// shown both, so that they notice a page that does not belong to the server's provider.
type LoginHosts struct{ Page, Server string }

// PromptAnswer is the outcome of a prompt.
type PromptAnswer int

// The outcomes of a prompt.
const (
	// PromptAccepted: the user opened the URL; the login may still fail.
	PromptAccepted PromptAnswer = iota
	// PromptDeclined: the user does not want to log in.
	PromptDeclined
	// PromptDismissed: the user did not decide.
	PromptDismissed
	// PromptFailed: the host could not show the prompt.
	PromptFailed
	// PromptWithdrawn: whatever needed the login ended before there was an answer.
	PromptWithdrawn
)
