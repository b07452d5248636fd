package background

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Window is a host as its bridge describes it.
type Window struct {
	// Flags are those of the command line that started the bridge.
	Flags json.RawMessage `json:"flags,omitempty"`
	// Environ is the environment of the bridge, Folder its working directory, and ConfigFolder the folder
	// with the configurations of its user, "" if there is none.
	Environ      []string `json:"environ,omitempty"`
	Folder       string   `json:"folder,omitempty"`
	ConfigFolder string   `json:"configFolder,omitempty"`
	// Announced says that the user knows which configuration is in use, as after a workbench that ended.
	Announced bool `json:"announced,omitempty"`
	// NumberAfter is the number after which requests to the host are numbered, since it may still answer those of
	// earlier workbenches.
	NumberAfter uint64 `json:"numberAfter,omitempty"`
}

// OwnWindow returns the environment and the folders of this process.
func OwnWindow() (Window, error) {
	folder, err := os.Getwd()
	if err != nil {
		return Window{}, fmt.Errorf("find the working directory: %w", err)
	}
	configFolder, err := os.UserConfigDir()
	if err != nil {
		configFolder = "" // there is no configuration of the user then
	}
	return Window{Environ: os.Environ(), Folder: folder, ConfigFolder: configFolder}, nil
}

// Getenv is os.Getenv in the environment of the host.
func (w Window) Getenv(name string) string {
	for _, entry := range w.Environ {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}
