package status

import (
	"context"
	"encoding/json"
	"errors"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// maxDefinitions is the maximum size of the definitions that are sent for a server, in bytes. Further tools are
// sent without their definitions.
const maxDefinitions = 2 << 20

// ServerTools are the tools that a server of a workbench has.
type ServerTools struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	// Tools are in the order of the server.
	Tools []ListedTool `json:"tools"`
}

// ListedTool is a tool as its server lists it.
type ListedTool struct {
	Name string `json:"name"`
	// Size is the size of the definition in bytes.
	Size int `json:"size"`
	// Definition is the server's definition of the tool, nil if it is too long to be sent.
	Definition json.RawMessage `json:"definition,omitempty"`
}

// Tools passes the tools of each server that runs, or that a call would start, to each. The tools of a server are
// passed once, even if several hosts have it.
func (b *Board) Tools(each func(ServerTools) error) error {
	seen := map[domain.ServerID]bool{}
	for _, host := range b.hosts() {
		var servers []domain.ServerID
		host.Servers.Statuses(func(status ports.ServerStatus) { servers = append(servers, status.Server.ID) })
		for _, server := range servers {
			tools := host.Tools(server)
			if len(tools) == 0 || seen[server] {
				continue
			}
			seen[server] = true
			if err := each(newServerTools(server, tools)); err != nil {
				return err
			}
		}
	}
	return nil
}

// newServerTools returns what a server lists, without the definitions that are too long to be sent.
func newServerTools(server domain.ServerID, tools []domain.ToolInfo) ServerTools {
	list, sent := ServerTools{Toolbox: string(server.Toolbox), Server: string(server.Server)}, 0
	for _, tool := range tools[:min(len(tools), maxServers)] {
		entry := ListedTool{Name: brief(tool.Name), Size: len(tool.Definition)}
		if sent += entry.Size; sent <= maxDefinitions && entry.Name == tool.Name {
			entry.Definition = tool.Definition
		}
		list.Tools = append(list.Tools, entry)
	}
	return list
}

// answerTools answers with the tools of all servers, one server a line.
func (l *Listener) answerTools(out replies) {
	_ = l.board.Tools(func(tools ServerTools) error { return out.send(reply{Tools: &tools}) })
}

// Tools passes the tools of the servers of the workbench to each, until the context ends.
//
// Failures: those of asking; the problem that the workbench reports.
func (a Answer) Tools(ctx context.Context, each func(ServerTools)) error {
	conversation, err := dial(ctx, a.path, question{Ask: askTools})
	if err != nil {
		return err
	}
	defer conversation.Close()
	for {
		got, err := conversation.next(ctx, lineTime)
		switch {
		case errors.Is(err, errGone):
			return nil
		case err != nil:
			return err
		case got.Problem != "":
			return errors.New(got.Problem)
		case got.Tools != nil:
			each(*got.Tools)
		}
	}
}
