package domain

// StartMode says when a server is started, and whether opening its toolbox waits for it.
type StartMode string

// The modes.
const (
	// StartOnOpen starts a server when its toolbox is opened; opening waits for it.
	StartOnOpen StartMode = "open"
	// StartOnConnect starts it when the host connects, so that it is up when its toolbox is opened.
	StartOnConnect StartMode = "connect"
	// StartLazily starts it when its toolbox is opened; opening does not wait for it if the tools
	// that it listed last are known and, with a lock in force, as they were locked.
	StartLazily StartMode = "lazy"
	// StartOnUse starts it when one of its tools, resources or prompts is used, if the tools that it listed last can be
	// shown as with StartLazily; otherwise it is started when its toolbox is opened.
	StartOnUse StartMode = "use"
)

// StartModes returns every mode.
func StartModes() []StartMode {
	return []StartMode{StartOnOpen, StartOnConnect, StartLazily, StartOnUse}
}

// IsLazy reports whether opening a toolbox need not wait for the server.
func (m StartMode) IsLazy() bool { return m == StartLazily || m == StartOnUse }
