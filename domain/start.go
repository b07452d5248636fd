package domain

// StartMode is when a server is started, and what opening its toolbox waits for.
type StartMode string

// The modes.
const (
	// StartOnOpen starts a server when its toolbox is opened, which waits for it.
	StartOnOpen StartMode = "open"
	// StartOnConnect starts it when the host connects, so that it is up when its toolbox is opened.
	StartOnConnect StartMode = "connect"
	// StartLazily starts it when its toolbox is opened, which does not wait for it if the tools
	// that it listed last are as they were locked.
	StartLazily StartMode = "lazy"
)

// StartModes returns every mode.
func StartModes() []StartMode { return []StartMode{StartOnOpen, StartOnConnect, StartLazily} }
