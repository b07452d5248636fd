package background

import (
	"encoding/json"
	"fmt"
	"os"
)

// Window is the bridge's description of its host.
type Window struct {
	// Flags are the flags of the command line that started the bridge.
	Flags json.RawMessage `json:"flags,omitempty"`
	// Environ is the environment of the bridge, Folder its working directory, and ConfigFolder the folder
	// for the configurations of its user, or "" if the user has none.
	Environ      []string `json:"environ,omitempty"`
	Folder       string   `json:"folder,omitempty"`
	ConfigFolder string   `json:"configFolder,omitempty"`
	// Announced says that the user already knows which configuration is in use, for example because an
	// earlier workbench ended.
	Announced bool `json:"announced,omitempty"`
	// NumberAfter is the number after which the ids of requests to the host begin, since the host may still answer
	// requests of earlier workbenches.
	NumberAfter uint64 `json:"numberAfter,omitempty"`
	// Session names the session of a shell whose command is the host, "" for other hosts. Caller is the command line of
	// what called the command, nil if it is not known.
	Session string   `json:"session,omitempty"`
	Caller  []string `json:"caller,omitempty"`
}

// OwnWindow returns the environment and the folders of this process.
func OwnWindow() (Window, error) {
	folder, err := os.Getwd()
	if err != nil {
		return Window{}, fmt.Errorf("find the working directory: %w", err)
	}
	configFolder, err := os.UserConfigDir()
	if err != nil {
		configFolder = "" // then the user has no configuration
	}
	return Window{Environ: os.Environ(), Folder: folder, ConfigFolder: configFolder}, nil
}
