package domain

// StartMode says when a server is started, and what opening its toolbox waits for.
type StartMode string

// The modes.
const (
	// StartOnOpen starts a server when its toolbox is opened, which waits for it.
	StartOnOpen StartMode = "open"
	// StartOnConnect starts it when the host has connected, so that opening finds it up.
	StartOnConnect StartMode = "connect"
	// StartLazily starts it when its toolbox is opened, which does not wait for it where the
	// lock confirms the tools that it listed last.
	StartLazily StartMode = "lazy"
)

// StartModes returns every mode.
func StartModes() []StartMode { return []StartMode{StartOnOpen, StartOnConnect, StartLazily} }
