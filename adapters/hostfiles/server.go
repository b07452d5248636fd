package hostfiles

// Server is a server that a host's file names, in the workbench's words.
type Server struct {
	// File is where it stands, Name what it is called there.
	File File
	Name string
	// Settings is what the workbench's configuration says for it.
	Settings Settings
	// Notes says what the host's form means and the workbench's cannot say, a line
	// each. No note shows a value.
	Notes []string
}

// Settings is a server in the workbench's configuration.
type Settings struct {
	Transport   string            `json:"transport,omitempty"`
	Command     string            `json:"command,omitempty"`
	Args        []string          `json:"args,omitempty"`
	Env         map[string]string `json:"env,omitempty"`
	Cwd         string            `json:"cwd,omitempty"`
	InheritEnv  []string          `json:"inheritEnv,omitempty"`
	URL         string            `json:"url,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	OAuth       *OAuth            `json:"oauth,omitempty"`
	ToolFilters []string          `json:"toolFilters,omitzero"`
	Disabled    bool              `json:"disabled,omitempty"`
}

// Entry is the workbench as a server of a host.
type Entry struct {
	// Command is the absolute path of the program.
	Command string
	Args    []string
	// Variables are names that the program needs from the host's environment.
	Variables []string
	// Values are written out for a host that has no references.
	Values map[string]string
}
