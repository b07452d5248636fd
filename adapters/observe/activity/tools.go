package activity

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

const (
	toolsName = "tools.json"
	// maxTools is the maximum number of tools that are kept for a server, and maxServers the maximum number of servers
	// that wait for a write.
	maxTools   = 2000
	maxServers = 1000
	// maxToolsSize is the maximum size of the file of tools in bytes. In a small record, the maximum is lower.
	maxToolsSize = 1 << 20
)

// KnownTool is a tool that a server had when its toolbox was last opened.
type KnownTool struct {
	Name string `json:"name"`
	// Tokens is the approximate number of tokens in its full definition.
	Tokens int `json:"tokens"`
}

// serverTools are the tools of a server in the file of tools.
type serverTools struct {
	Toolbox string      `json:"toolbox"`
	Server  string      `json:"server"`
	Seen    string      `json:"seen"` // the day of the last opening
	Tools   []KnownTool `json:"tools"`
}

// toolsFile is the content of the file of tools. The servers that were seen last come last.
type toolsFile struct {
	Servers []serverTools `json:"servers"`
}

func newServerTools(server domain.ServerID, tools []domain.ToolInfo) serverTools {
	kept := serverTools{Toolbox: string(server.Toolbox), Server: string(server.Server)}
	for _, tool := range tools[:min(len(tools), maxTools)] {
		if len(tool.Name) <= maxName {
			kept.Tools = append(kept.Tools, KnownTool{
				Name: strings.Clone(tool.Name), Tokens: definitions.Tokens(tool.Definition),
			})
		}
	}
	return kept
}

// hasSameServer reports whether both are the tools of the same server.
func (t serverTools) hasSameServer(other serverTools) bool {
	return t.Toolbox == other.Toolbox && t.Server == other.Server
}

// Tools returns the tools that servers had when their toolboxes were last opened, by server. The record drops servers
// that were not opened for its number of days when it next keeps tools.
//
// Failures: those of Entries.
func (r *Reader) Tools() (map[domain.ServerID][]KnownTool, error) {
	folder, err := r.folder()
	if err == nil {
		err = check(folder)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	found := map[domain.ServerID][]KnownTool{}
	for _, server := range readTools(folder).Servers {
		found[domain.ServerID{Toolbox: domain.ToolboxName(server.Toolbox), Server: domain.ServerName(server.Server)}] = server.Tools
	}
	return found, nil
}

// readTools reads the file of tools. It returns an empty one if the file cannot be read, since it is written again.
func readTools(folder string) toolsFile {
	var file toolsFile
	text, err := safefile.ReadUpTo(filepath.Join(folder, toolsName), maxToolsSize)
	if err != nil || json.Unmarshal(text, &file) != nil {
		return toolsFile{}
	}
	return file
}

// keepTools replaces the kept tools of servers. If there is not enough room, it leaves out the servers that were seen
// least recently.
func (f *files) keepTools(folder string, tools []serverTools, now time.Time) error {
	file, changed := readTools(folder), false
	oldest := day(now.Add(-time.Duration(f.days) * hoursOfDay))
	file.Servers = slices.DeleteFunc(file.Servers, func(s serverTools) bool { return s.Seen < oldest })
	for _, server := range tools {
		server.Seen = day(now)
		at := slices.IndexFunc(file.Servers, server.hasSameServer)
		if at >= 0 {
			if before := file.Servers[at]; before.Seen == server.Seen && slices.Equal(before.Tools, server.Tools) {
				continue
			}
			file.Servers = slices.Delete(file.Servers, at, at+1)
		}
		file.Servers, changed = append(file.Servers, server), true
	}
	if !changed {
		return nil
	}
	for {
		text, err := json.Marshal(file)
		if err != nil {
			return fmt.Errorf("format the tools of servers: %w", err)
		}
		if int64(len(text)) <= f.roomForTools() || len(file.Servers) == 0 {
			if err := f.makeRoomForTools(folder, int64(len(text))+1, now); err != nil {
				return fmt.Errorf("make room for the tools of servers in %s: %w", folder, err)
			}
			return safefile.Replace(filepath.Join(folder, toolsName), append(text, '\n'), fileMode)
		}
		file.Servers = file.Servers[len(file.Servers)/8+1:]
	}
}

// makeRoomForTools removes old lines until the record has room for a new file of tools beside the present one.
func (f *files) makeRoomForTools(folder string, size int64, now time.Time) error {
	segments, err := list(folder)
	if err == nil {
		_, err = f.makeRoom(folder, segments, size, now)
	}
	return err
}

// roomForTools returns the maximum size of the file of tools, without the newline.
func (f *files) roomForTools() int64 { return min(maxToolsSize, f.maxSize/parts) - 1 }

func sizeOfTools(folder string) int64 {
	info, err := os.Lstat(filepath.Join(folder, toolsName))
	if err != nil {
		return 0
	}
	return info.Size()
}
